import Accounts
import Backends
import ClubServices
import FileStores
import ManualPages
import POSIX
import TextUI

enum ClubCheckup {
  static func findings(_ options: StartOptions, _ environment: Environment, _ output: Output) async -> [Finding] {
    let setup: ClubSetup
    do throws(ConfigFault) {
      let report = try ClubSetup.report(try Paths(environment, config: options.config), options, environment)
      if let names = ClubChoice.undecided(report, options) {
        return [Finding(verdict: .note, subject: "Club", found: ClubChoice.sentence(undecided: names))]
      }
      setup = try ClubSetup(options, environment: environment)
    } catch {
      // Faults of the settings are reported before; only the choice of a club is reported here.
      return [Finding(verdict: .wrong, subject: "Club", found: error.description)]
    }
    let choice = setup.choice
    if setup.needsWelcome {
      return [
        Finding(verdict: .good, subject: "Club", found: "\(choice.place) (byteclub makes it on the first start)")
      ]
    }
    // What waits on this machine is found without the store.
    return await findings("Club") { () throws(StoreError) in try await store(setup, output) }
      + findings("Drafts") { () throws(StoreError) in try await waiting(setup) }
  }

  private static func findings(
    _ subject: String, _ look: () async throws(StoreError) -> [Finding]
  ) async -> [Finding] {
    do throws(StoreError) {
      return try await look()
    } catch {
      return [Finding(verdict: .wrong, subject: subject, found: error.message, remedy: error.remedy)]
    }
  }

  private static func store(_ setup: ClubSetup, _ output: Output) async throws(StoreError) -> [Finding] {
    let choice = setup.choice
    let notes = try setup.noteScope()
    let (store, all) = try await WaitTeller.during(choice.place, output) { (teller) throws(StoreError) in
      let store = try setup.openStore(observer: { teller.take($0) })
      var all: [FileEntry] = []
      var cursor: ListCursor?
      let options = ListOptions(.names, recursive: notes.hasFolders, besides: [notes.photosFolder], skipsHidden: true)
      repeat {
        let page = try await store.list(.root, options, after: cursor)
        all += page.entries
        cursor = page.next
      } while cursor != nil
      return (store, all)
    }
    let count = all.count { $0.path.parent.isRoot }
    let entries = count == 1 ? "one entry" : "\(count) entries"
    var findings = [
      Finding(
        verdict: .good, subject: "Club",
        found: "\(choice.name): \(choice.place), a store of kind \(choice.kind.name), \(entries) at its top")
    ]
    findings += folders(all, notes)
    if let directory = choice.directory { findings += room(directory, choice.place) }
    if let test = setup.serverTest { findings += try await server(test) }
    findings += try await version(setup).map { [$0] } ?? []
    if store.capabilities.changes == nil {
      findings.append(
        Finding(
          verdict: .note, subject: "Changes", found: "the store cannot report changes by others",
          remedy: "Press r in the app to refresh."))
    }
    return findings
  }

  /// Of the folders of notes, and of names that other systems take for one.
  static func folders(_ entries: [FileEntry], _ notes: NoteScope) -> [Finding] {
    let folders = entries.filter { $0.kind == .folder && notes.isFolder($0.path) }
    let files = entries.filter(notes.isNote)
    var findings: [Finding] = []
    if !folders.isEmpty {
      let inThem = files.count { !$0.path.parent.isRoot }
      findings.append(
        Finding(
          verdict: .good, subject: "Folders",
          found: (folders.count == 1 ? "one folder" : "\(folders.count.grouped) folders") + " of notes, with "
            + (inThem == 1 ? "one note" : "\(inThem.grouped) notes")))
    }
    // Swift compares strings by canonical equivalence.
    let alike = Dictionary(grouping: (folders + files).map(\.path)) { "\($0)".lowercased() }.values
      .filter { $0.count > 1 }.map { $0.sorted() }.sorted { $0[0] < $1[0] }
    guard let first = alike.first else { return findings }
    let more = alike.count > 1 ? ", and so do the names of \((alike.count - 1).grouped) more" : ""
    return findings + [
      Finding(
        verdict: .note, subject: "Names",
        found: "\"\(first[0])\" and \"\(first[1])\" differ in letter case or in the form of letters alone\(more)",
        remedy: "Windows and macOS show one of them. Rename the other, such as with: byteclub note mv")
    ]
  }

  private static func server(_ test: ServerTest) async throws(StoreError) -> [Finding] {
    let result = try await test.run()
    let verdict: Finding.Verdict =
      switch result.conditions {
      case .kept, .byLock: .good
      case .none: .wrong
      }
    let remedy =
      test.mark == nil
      ? "" : "Use another server for what several members write, or keep to one writer."
    return result.sentences.enumerated().map { number, sentence in
      Finding(
        verdict: number == 0 ? verdict : .good, subject: "Server", found: sentence,
        remedy: number == 0 ? remedy : "")
    }
  }

  /// Of a club behind byteclub serve.
  private static func version(_ setup: ClubSetup) async throws(StoreError) -> Finding? {
    guard case .tokens = setup.signIn else { return nil }
    let club = try ClubAccount(setup)
    let service = club.account.service
    guard !service.isDropbox, service.version == .v2 else { return nil }
    do throws(StoreError) {
      return finding(try await ServerAbout.ask(service, transport: club.transport), own: BuildVersion.number)
    } catch {
      guard error.kind != .cancelled else { throw error }
      return Finding(verdict: .note, subject: "Server", found: error.message, remedy: error.remedy)
    }
  }

  /// - Parameter own: the version of this program.
  static func finding(_ about: ServerAbout?, own: String) -> Finding {
    guard let about else {
      return Finding(
        verdict: .note, subject: "Server", found: "it says no version: an older byteclub serve, or another program",
        remedy: "Invitations and devices need a newer byteclub serve. Ask the club's owner.")
    }
    let (version, age) = (about.version.asServersWords, about.age(beside: own))
    if age == 0 { return Finding(verdict: .good, subject: "Server", found: "byteclub serve \(version)") }
    return Finding(
      verdict: .note, subject: "Server",
      found: "byteclub serve \(version), \(age < 0 ? "older" : "newer") than this byteclub (\(own))",
      remedy: age < 0
        ? "Both work together. The club's owner can install the newer version."
        : "Both work together. Install the newer version here, too.")
  }

  private static func room(_ directory: String, _ place: String) -> [Finding] {
    var findings: [Finding] = []
    if access(directory, W_OK | X_OK) != 0 {
      findings.append(
        Finding(
          verdict: .wrong, subject: "Writing", found: "you may not write to \(place)",
          remedy: "Ask the directory's owner for permission to write."))
    }
    var room = statvfs()
    if statvfs(directory, &room) == 0 {
      let free = UInt64(room.f_bavail) * UInt64(room.f_frsize)
      findings.append(
        Finding(
          verdict: free < 64 << 20 ? .wrong : .good, subject: "Space", found: "\(ByteCount.text(free)) free",
          remedy: free < 64 << 20 ? "Free some space on the disk of \(place)." : ""))
    }
    return findings
  }

  private static func waiting(_ setup: ClubSetup) async throws(StoreError) -> [Finding] {
    let open = try OpenClub(setup, owner: await ClubOwner.find(setup))
    let drafts = try await open.drafts.all().count
    let unsent = try await open.notes.unsent().count
    var findings: [Finding] = []
    if drafts > 0 {
      findings.append(
        Finding(
          verdict: .note, subject: "Drafts",
          found: drafts == 1 ? "one draft is not saved" : "\(drafts) drafts are not saved",
          remedy: "See them with: byteclub draft ls"))
    }
    if unsent > 0 {
      findings.append(
        Finding(
          verdict: .note, subject: "Unsent",
          found: unsent == 1 ? "one save waits to be sent" : "\(unsent) saves wait to be sent",
          remedy: "See them with: byteclub draft ls. Send them with: byteclub draft send"))
    }
    if let words = WaitingText.nobodysWords(try await open.notes.waiting()) {
      findings.append(
        Finding(
          verdict: .note, subject: "Names", found: words,
          remedy: "See them with: byteclub draft ls. Send one with: byteclub draft send NAME"))
    }
    return findings
      + (try await open.heldBack(setup)).map { Finding(verdict: .note, subject: "Held back", found: $0) }
  }
}
