import Backends
import Basics
import Database
import FileStores
import Foundation
import Synchronization
import TestKit
import Testing
import TextUI

@testable import ClubServices
@testable import Screens

/// Two members type in one note: the screens, performers and services of the program over one store. Requests, answers and
/// news come late, by steps of typing instead of time, so that a seed gives the same run at any speed.
@Suite struct TwoEditorsTests {
  private struct NoDesktop: DesktopOpener {
    func open(_ path: StorePath) async throws(StoreError) -> String { "" }
    func open(address: String) async throws(StoreError) -> String { "" }
    func open(file: String) async throws(StoreError) -> String { "" }
  }

  private static let path = "a.md"

  /// A word is a letter and five digits, so none is a part of another.
  private static func words(of text: [UInt8]) -> Set<String> {
    Set(text.split { $0 == 0x20 || $0 == 0x0A }.map { String(decoding: $0, as: UTF8.self) })
  }

  private final class Inbox: Sendable {
    private let actions = Mutex<[NotesAction]>([])
    func add(_ action: NotesAction) { actions.withLock { $0.append(action) } }
    func take() -> [NotesAction] {
      actions.withLock { all in
        defer { all = [] }
        return all
      }
    }
  }

  private final class Member {
    let letter: String
    let path: StorePath
    let service: NotesService
    private let performer: NotesPerformer
    private let inbox = Inbox()
    private var state: NotesState
    private var frame = Frame(
      size: Size(80, 24), abilities: TerminalAbilities(colors: .trueColor), keys: .standard, club: "lab")
    private var requests: [NotesEffect] = []
    /// Answers that have not come yet.
    private var answers: [NotesAction] = []
    private var count = 0
    /// The place of the next words, in thousandths of the text.
    private var focus = 0
    /// News that have not come yet.
    var news: [FileEntry] = []
    /// The words of all texts that were saved, and of those in conflicts.
    var saved: Set<String> = []
    var settled: Set<String> = []
    /// Revisions of this member's saves, which the others hear of.
    var made: [FileEntry] = []
    private(set) var cameIn = 0
    private(set) var conflicts = 0
    private(set) var strayed: [String] = []

    init(_ letter: String, _ store: any FileStore, folder: String, pool: BlockingPool) throws {
      (self.letter, path) = (letter, try StorePath(TwoEditorsTests.path))
      let home = folder + "/" + letter
      try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: true)
      let club = Club(
        name: "lab", place: "lab", memberName: { letter }, ownName: { letter }, store: store,
        photosFolder: try StorePath("photos"))
      let outbox = try OutboxDatabase(path: home + "/outbox.sqlite")
      let drafts = DraftJournal(
        club: club, outbox: outbox, basesDirectory: home + "/bases", pool: pool,
        onFailure: { Issue.record("the outbox failed: \($0)") })
      service = NotesService(
        club: club, outbox: outbox, drafts: drafts,
        folderAt: { path throws(StoreError) in try FolderStore(root: path, pool: pool) },
        editsDirectory: home + "/edits")
      performer = NotesPerformer(
        service: service, journal: drafts, editor: { ExternalProgram([$0]) }, desktop: NoDesktop())
      state = NotesState(club.notes)
    }

    var editor: NoteEditor? { state.views.last as? NoteEditor }
    var isIdle: Bool { requests.isEmpty && answers.isEmpty && news.isEmpty && editor?.isChanged == false }

    var rest: String {
      "\(requests.count) requests, \(answers.count) answers, \(news.count) news, changed: \(String(describing: editor?.isChanged))"
        + ", saves: \(state.savesUnderway)"
        + ", conflicts: \(conflicts), came: \(cameIn), \(state.views.map { "\(Swift.type(of: $0))" })"
    }

    private func happen(_ action: NotesAction) {
      carryOut(NotesScreen.update(&state, action, &frame))
      carryOut(NotesScreen.askForNewer(&state))
    }

    private func carryOut(_ commands: NotesScreen.Commands) {
      for command in commands {
        switch command {
        case .post(let posting): performer.post(posting)
        case .run(let effect, _):
          switch effect {
          case .save, .resolve, .readNewer, .dropDraft, .open: requests.append(effect)
          default: break
          }
        default: break
        }
      }
    }

    func open() async {
      happen(.asked(path))
      while editor == nil, !requests.isEmpty { await answer() }
    }

    /// A word more, a word less, undo or redo, at any place.
    func type(_ random: inout SeededNumbers) {
      guard let text = editor?.text.bytes else { return }
      // Most words of a member come near each other.
      if random.below(8) == 0 { focus = random.below(1000) }
      let near = text[(focus * text.count / 1000)...].prefix(40)
      let borders = near.indices.filter { near[$0] == 0x20 }.map { $0 + 1 }
      guard !borders.isEmpty else { return }
      let place = borders[random.below(borders.count)]
      let end = text[place...].firstIndex { $0 == 0x20 || $0 == 0x0A }.map { $0 + 1 } ?? text.count
      switch random.below(20) {
      case 0: write { $0.undo() }
      case 1: write { $0.redo() }
      // Only its author removes a word.
      case 2...9 where text.count > 2000 && text[place..<end].first == letter.utf8.first:
        write { $0.apply([TextEdit(offset: place, removed: end - place)]) }
      case 2...9 where text.count > 4000: write { $0.undo() }
      default:
        count += 1
        let number = String(100_000 + count).dropFirst()
        let word = Array("\(letter)\(number)".utf8) + [random.below(6) == 0 ? 0x0A : 0x20]
        write { $0.apply([TextEdit(offset: place, inserted: word)]) }
        carryOut(
          NotesScreen.changeEditor(&state) { editor in
            editor.text.move(to: place + random.below(6))
            return []
          })
      }
    }

    private func write(_ body: (inout TextEditor) -> EditOutcome) {
      carryOut(NotesScreen.write(&state, 0, body, inName: { _ in .ignored }))
      carryOut(NotesScreen.askForNewer(&state))
    }

    func save() {
      guard editor?.isChanged == true else { return }
      happen(.input(.command(.editorSave)))
    }

    func hear() {
      guard !news.isEmpty else { return }
      let entry = news.removeFirst()
      happen(.files(.changed(ChangeSet(changes: [.present(entry)], cursor: ChangeCursor("1")))))
    }

    func answer() async {
      await perform()
      while !answers.isEmpty { receive() }
    }

    /// Carries out the oldest request.
    func perform() async {
      guard !requests.isEmpty else { return }
      let effect = requests.removeFirst()
      if case .save(_, _, let text, _) = effect { saved.formUnion(TwoEditorsTests.words(of: text)) }
      do throws(StoreError) {
        let last = try await performer.answer(to: effect, Sender { [inbox] action, _ in inbox.add(action) })
        if let last { inbox.add(last) }
      } catch {
        inbox.add(.failed(effect, error))
      }
      answers += inbox.take()
    }

    /// Hands over the oldest answer.
    func receive() {
      guard !answers.isEmpty else { return }
      take(answers.removeFirst())
      guard requests.isEmpty, answers.isEmpty else { return }
      if state.views.last is NoteReader { happen(.input(.command(.readerEdit))) }
      if state.views.isEmpty { happen(.asked(path)) }
    }

    private func take(_ action: NotesAction) {
      switch action {
      case .saved(_, .saved(let entry), _): made.append(entry)
      case .saved(_, .merged(let merged), _): made.append(merged.entry)
      case .saved(_, .conflict(let conflict), _):
        conflicts += 1
        settled.formUnion(TwoEditorsTests.words(of: conflict.mine))
      case .newerRead: return watchCursor { happen(action) }
      case .failed(let effect, let error): strayed.append("\(effect): \(error)")
      default: break
      }
      happen(action)
      // In a conflict the member leaves the editor, takes their own text. The note is opened again in the end.
      if case .saved(_, .conflict, _) = action, editor != nil { happen(.input(.command(.editorDone))) }
      if state.views.last is ConflictView { happen(.input(.command(.conflictAllMine))) }
      if state.views.last is ConflictView { happen(.input(.command(.conflictDone))) }
    }

    /// The cursor's word, and its place in it.
    private func watchCursor(_ body: () -> Void) {
      let before = editor.flatMap(place)
      let wasOpen = editor?.text.bytes
      body()
      guard let before, let editor, editor.text.bytes != wasOpen else { return }
      cameIn += 1
      let places = editor.text.bytes.ranges(of: Array(before.word.utf8)).map { $0.lowerBound + before.offset }
      if !places.isEmpty, !places.contains(editor.text.text.cursor) { strayed.append("\(before)") }
    }

    private func place(in editor: NoteEditor) -> (word: String, offset: Int)? {
      let (text, cursor) = (editor.text.bytes, editor.text.text.cursor)
      let start = text[..<cursor].lastIndex { $0 == 0x20 || $0 == 0x0A }.map { $0 + 1 } ?? 0
      let end = text[cursor...].firstIndex { $0 == 0x20 || $0 == 0x0A } ?? text.count
      guard start < end else { return nil }
      return (String(decoding: text[start..<end], as: UTF8.self), cursor - start)
    }
  }

  private static func run(seed: UInt64, edits: Int, _ stores: [any FileStore]) async throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let pool = BlockingPool(threads: 4)
    let path = try StorePath(path)
    let first = (0..<200).map { "x\(String(100_000 + $0).dropFirst())\($0 % 5 == 4 ? "\n\n" : " ")" }.joined()
    _ = try await stores[0].put(DataSource(first.utf8), at: path, mode: .overwrite)
    let members = [
      try Member("a", stores[0], folder: folder.path, pool: pool),
      try Member("b", stores[1], folder: folder.path, pool: pool),
    ]
    for member in members { await member.open() }
    var random = SeededNumbers(seed)
    var versions: Set<String> = []
    // A save may be in the club long before its member hears of it.
    func keepVersion() async throws {
      versions.formUnion(words(of: try await stores[0].readAll(path, limit: 1 << 24).bytes))
    }
    func passOn() {
      for (index, member) in members.enumerated() where !member.made.isEmpty {
        members[1 - index].news += member.made
        member.news += member.made
        member.made = []
      }
    }
    for _ in 0..<edits {
      let member = members[random.below(2)]
      member.type(&random)
      if random.below(8) == 0 { member.save() }
      // More answers come than requests go, so a member is not behind for ever.
      if random.below(3) > 0 { await members[random.below(2)].perform() }
      try await keepVersion()
      members[random.below(2)].receive()
      passOn()
      if random.below(3) == 0 { members[random.below(2)].hear() }
    }
    // In the end each saves, and hears and reads all.
    for _ in 0..<20 where !members.allSatisfy(\.isIdle) {
      for member in members {
        member.save()
        for _ in 0..<8 {
          await member.answer()
          try await keepVersion()
          passOn()
          member.hear()
        }
      }
    }
    let text = try await stores[0].readAll(path, limit: 1 << 24).bytes
    for member in members {
      #expect(member.isIdle && member.editor?.text.bytes == text, "seed \(seed), \(member.letter): \(member.rest)")
      #expect(member.strayed.isEmpty, "seed \(seed), \(member.strayed.prefix(3))")
      let known = versions.union(member.settled).union(words(of: text))
      #expect(member.saved.isSubset(of: known), "seed \(seed): \(member.saved.subtracting(known).sorted().prefix(5))")
    }
    #expect(members.contains { $0.cameIn > 0 }, "nothing came in")
    for member in members {
      let waiting = try await member.service.waiting()
      #expect(!waiting.contains { $0.kind == .toSend || $0.kind == .conflict })
    }
  }

  @Test(arguments: TestTier.process.seeds([1, 2, 3, 4]))
  func `two editors of one note end with one text, and no saved word is lost`(seed: UInt64) async throws {
    let store = MemoryStore()
    try await Self.run(seed: seed, edits: TestTier.process.rounds(1000), [store, store])
  }

  private static let server: String? = {
    let club = ProcessInfo.processInfo.environment["BYTECLUB_TEST_BINARY"]
    return club.map { $0 + "-serve" }.flatMap { FileManager.default.isExecutableFile(atPath: $0) ? $0 : nil }
  }()

  @Test(.enabled(if: server != nil, "byteclub-serve is not built"))
  func `the same through byteclub serve, as two members of it`() async throws {
    let program = try #require(Self.server)
    let home = try TemporaryFolder()
    defer { withExtendedLifetime(home) {} }
    try FileManager.default.createDirectory(atPath: home.path + "/club", withIntermediateDirectories: false)
    var environment = ["HOME": home.path, "SWIFT_BACKTRACE": "enable=no"]
    environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
    let root = ["--root", home.path + "/club"]
    var tokens: [String] = []
    for name in ["ann", "ben"] {
      let admitted = try Spawn(program, ["member", "add", name] + root, environment: environment).finish()
      try #require(admitted.status == 0, "\(admitted.said)")
      tokens.append(admitted.text.trimmingCharacters(in: .whitespacesAndNewlines))
    }
    let server = try Spawn(program, root + ["--listen", "127.0.0.1:0"], environment: environment)
    defer {
      server.signal(SIGTERM)
      _ = try? server.finish()
    }
    try server.wait(forOutput: "\"folder\"")
    let port = try #require(server.told.split(separator: "://127.0.0.1:").last).prefix { $0.isNumber }
    let pool = BlockingPool(threads: 4)
    let kind = try StoreRegistry.standard.kind("dropbox")
    let description = StoreDescription(
      kind: "dropbox", options: ["server": "http://127.0.0.1:\(port)", "folder": "/lab"])
    let options = try #require(try kind.httpOptions(for: description))
    let stores = try tokens.map { token in
      try kind.open(
        description, pool: pool,
        network: StoreNetwork(transport: CurlTransport.patient(options), tokens: StaticToken(token)))
    }
    try await stores[0].createFolder(.root)
    try await Self.run(seed: 7, edits: TestTier.process.rounds(1000), stores)
  }
}
