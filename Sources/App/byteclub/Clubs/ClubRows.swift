import Basics
import ClubServices
import Database
import FileStores
import Screens

/// The list of clubs: first what this machine knows of each, then what the club's store answers.
struct ClubRows: Sendable {
  /// The number of stores that are asked at the same time.
  private static let mostAsked = 4

  private let shared: SharedServices
  private let current: String?

  private var base: TransferBase { shared.base }

  /// A row, and the settings of its club; nil for a club that cannot be opened.
  private typealias Known = (row: ClubRow, setup: ClubSetup?)

  init(_ shared: SharedServices, current: String?) { (self.shared, self.current) = (shared, current) }

  func report(_ send: @Sendable ([ClubRow]) -> Void) async {
    var known = await base.pool.run { listed() }
    send(known.map(\.row))
    let waiting = await base.pool.run(reporting: { base.log.error("the texts that wait were not counted", $0) }) {
      [outbox = shared.outbox] () throws(StoreError) in try outbox.waiting(underKeysFrom: "")
    }
    for place in known.indices {
      guard let setup = known[place].setup else { continue }
      known[place].row.waiting = waiting.map { ClubRows.count($0, at: setup.choice.place) }
      if setup.choice.directory == nil { known[place].row.news = await newsOfCopy(setup) }
    }
    send(known.map(\.row))
    await ask(&known, send)
  }

  private func ask(_ known: inout [Known], _ send: @Sendable ([ClubRow]) -> Void) async {
    // A program of the config may ask the member for a password, so only the open club's has run.
    let asked = known.indices.filter { place in
      known[place].setup.map { !$0.startsProgram || known[place].row.isOpen } ?? false
    }
    await withTaskGroup(of: (place: Int, row: ClubRow).self) { group in
      var waiting = asked[...]
      func askNext() {
        guard let place = waiting.popFirst(), let setup = known[place].setup else { return }
        let row = known[place].row
        group.addTask(executorPreference: setup.pool.tasks) { (place, await answered(row, setup)) }
      }
      for _ in 0..<Self.mostAsked { askNext() }
      for await (place, row) in group {
        known[place].row = row
        if !Task.isCancelled { send(known.map(\.row)) }
        askNext()
      }
    }
  }

  // MARK: - Without a network

  private func listed() -> [Known] {
    let report: ConfigReport
    do throws(ConfigFault) {
      report = try ClubSetup.report(
        base.paths, StartOptions(config: base.configFile), Environment { base.environment[$0] }, base.stores)
    } catch {
      return [(ClubRows.broken("config", base.paths.abbreviating(base.paths.configFile), error.description), nil)]
    }
    let good = report.config.clubNames.map { name -> Known in
      do throws(ConfigFault) {
        let setup = try base.setup(of: name)
        var row = ClubRow(name: name, place: setup.choice.place)
        row.isOpen = name == current
        let known = KnownClub(name, report, setup.choice.kind, base.paths)
        row.canAddDevice = known?.bringsToken == false
        return (row, setup)
      } catch {
        return (ClubRows.broken(name, "", error.description), nil)
      }
    }
    let bad = report.brokenDropIns.map { club, fault -> Known in
      let more = club.isEmpty ? "" : " Deleting the file takes the club off this list."
      return (ClubRows.broken(club.isEmpty ? "clubs.d" : club, "", fault + more), nil)
    }
    return good + bad
  }

  private static func broken(_ name: String, _ place: String, _ fault: String) -> ClubRow {
    var row = ClubRow(name: name, place: place)
    row.state = .broken(fault.split(separator: "\n").joined(separator: " "))
    return row
  }

  /// Of all accounts of a place.
  private static func count(_ waiting: [String: Int], at place: String) -> Int {
    waiting.reduce(0) { $1.key == place || $1.key.hasPrefix(place + "\n") ? $0 + $1.value : $0 }
  }

  /// From the local copy; nil if there is none.
  private func newsOfCopy(_ setup: ClubSetup) async -> Int? {
    let key = await ClubOwner.last(setup).key
    let counted: Int?? = await base.pool.run(reporting: { base.log.newsFailed($0) }) { () throws(StoreError) -> Int? in
      let copies = LocalCopyDatabase(openingLater: base.paths.copiesFile)
      guard copies.exists, try copies.copy(of: key) != nil else { return nil }
      return try count(try copies.copiedEntries(of: key).entries, setup, key)
    }
    return counted ?? nil
  }

  private func count(_ entries: [FileEntry], _ setup: ClubSetup, _ key: String) throws(StoreError) -> Int? {
    try NewsService.count(of: entries, notes: try setup.noteScope(), club: key, in: shared.catalogue)
  }

  // MARK: - By the store

  private func answered(_ row: ClubRow, _ setup: ClubSetup) async -> ClubRow {
    var row = row
    do throws(StoreError) {
      // Its directory may be on a disk that does not answer, which holds up this club alone.
      let store = try await setup.pool.run { () throws(StoreError) in try setup.openStoreAlone() }
      // The copy of the open club follows its store.
      if setup.choice.directory == nil, row.isOpen || setup.config.isMetered {
        _ = try await store.list(.root, ListOptions(.names), after: nil)
      } else {
        let isTree = setup.config.hasNoteFolders
        let entries =
          try await store.contents(of: .root, isDeep: isTree, skipsHidden: true)
          + (isTree ? [] : try await photos(setup, in: store))
        let key = await ClubOwner.last(setup).key
        row.news = try await base.pool.run { () throws(StoreError) in try count(entries, setup, key) }
      }
      row.state = .reachable
    } catch {
      row.state =
        switch error.kind {
        case .notSignedIn where setup.canSignIn: .needsSignIn
        case _ where error.isTemporary: .away
        case .cancelled: .unknown
        case .notSignedIn:
          .broken("\(error.message) Its secret comes from a variable or the config: correct it there.")
        default: .broken(error.description)
        }
    }
    return row
  }

  private func photos(_ setup: ClubSetup, in store: any FileStore) async throws(StoreError) -> [FileEntry] {
    try await ifThere { () throws(StoreError) in try await store.contents(of: try setup.photosFolder()) } ?? []
  }
}
