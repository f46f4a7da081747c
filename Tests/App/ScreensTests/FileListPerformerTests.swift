import Basics
import ClubServices
import FileStores
import Synchronization
import TestKit
import Testing
import TextUI

@testable import Database
@testable import Screens

/// The effects of a list, on a service with three files that cannot move the file "stuck".
@Suite struct FileListPerformerTests {
  struct Shelf: ListedFiles, DesktopOpener {
    var ending = StoreError(.unsupported, "It cannot tell.")

    func changes(_ receive: (ChangeSet) async -> Void) async throws(StoreError) {
      await receive(ChangeSet(changes: [.absent(Samples.path("a"))], cursor: ChangeCursor("1")))
      throw ending
    }
    func reach() async throws(StoreError) {}
    func rename(_ path: StorePath, to name: String) async throws(StoreError) -> FileEntry {
      try check(path)
      return Samples.entry(name)
    }
    func move(_ path: StorePath, to folder: StorePath) async throws(StoreError) -> FileEntry {
      try check(path)
      return Samples.entry(folder.descending(path.name))
    }
    func makeFolder(_ typed: String, in folder: StorePath) async throws(StoreError) -> StorePath {
      folder.descending(Array(typed.utf8)[...])
    }
    func moveFolder(
      _ folder: StorePath, to target: StorePath, seen: [FileEntry]
    ) async throws(StoreError) -> FolderMoved {
      try check(folder)
      return FolderMoved(from: folder, to: target, count: 1)
    }
    func trashFolder(_ folder: StorePath) async throws(StoreError) -> TrashedFolder {
      try check(folder)
      return TrashedFolder(folder: folder)
    }
    func restore(_ folder: TrashedFolder) async throws(StoreError) -> FolderRestored {
      let isStuck = folder.folder == Samples.path("stuck")
      return FolderRestored(
        folder: folder.folder, files: [], failure: isStuck ? StoreError(.notPermitted, "\"stuck\" is not yours.") : nil)
    }
    func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
      if path == Samples.path("half") { throw StoreError(.notFound, "It is gone.") }
      return Samples.entry(path)
    }
    func trash(_ path: StorePath) async throws(StoreError) -> TrashedFile {
      try check(path)
      return Samples.trashed("\(path)")
    }
    func restore(_ id: TrashedFile.ID) async throws(StoreError) -> FileEntry {
      try check(Samples.path(id))
      return Samples.entry(id)
    }
    func share(_ path: StorePath, until end: LinkEnd) async throws(StoreError) -> (link: SharedLink, isNew: Bool) {
      try check(path)
      return (SharedLink(url: "https://club.example/s/\(path)", path: path), true)
    }
    func unshare(_ link: SharedLink) async throws(StoreError) { try check(link.path) }
    func remarkFacts() async -> [StorePath: TalkFacts]? { nil }
    func remarkFiles() async -> [FileEntry] { [] }
    func memberName() async -> String { "ann" }
    func open(_ path: StorePath) async throws(StoreError) -> String { "Opened \"\(path)\"." }

    func open(address: String) async throws(StoreError) -> String { "Opened \"\(address)\"." }
    func open(file: String) async throws(StoreError) -> String { "Opened \"\(file)\"." }

    private func check(_ path: StorePath) throws(StoreError) {
      if path == Samples.path("stuck") { throw StoreError(.notPermitted, "\"stuck\" is not yours.") }
      if path == Samples.path("slow") { throw .cancelled("It") }
      if path == Samples.path("half") {
        throw StoreError(.exists, "Renamed \"half\", but not its caption.", path: Samples.path("z"))
      }
    }
  }

  private func told(_ effect: FileListEffect, listing error: StoreError? = nil) async -> [FileListAction] {
    let told = Mutex<[FileListAction]>([])
    let sender = Sender<FileListAction> { action, _ in told.withLock { $0.append(action) } }
    let performer = FileListPerformer(service: Shelf(), desktop: Shelf()) { (sender) async throws(StoreError) in
      if let error { throw error }
      sender.send(.listed(Samples.table(["a", "b"])))
    }
    await performer.perform(effect, sender)
    return told.withLock { $0 }
  }

  @Test func `one file that cannot go does not keep the others from the trash`() async {
    let told = await told(.trash(["a", "stuck", "b"].map { Samples.path($0) }))
    guard case .trashed(let files, let failed) = told.first, told.count == 1 else {
      Issue.record("\(told)")
      return
    }
    #expect(files.map { "\($0.origin)" } == ["a", "b"])
    #expect(failed.map { "\($0.path): \($0.error)" } == ["stuck: \"stuck\" is not yours."])
  }

  @Test func `one file that cannot go does not keep the others from the album, and they come back together`() async {
    let paths = ["a", "stuck", "slow", "b"].map { Samples.path($0) }
    guard case .moved(let files, let failed)? = await told(.move(paths, to: Samples.path("oslo"))).first else {
      Issue.record("nothing moved")
      return
    }
    #expect(files.map { "\($0.origin) \($0.entry.path)" } == ["a oslo/a", "b oslo/b"])
    #expect(failed.map(\.path) == [Samples.path("stuck")])
    guard case .undone(let outcome)? = await told(.undo(.move(files))).first else {
      Issue.record("not undone")
      return
    }
    #expect(outcome.back.map { "\($0.path)" } == ["a", "b"] && outcome.rest == nil)
  }

  @Test(arguments: ["trips", "stuck"]) func `a folder is made, moved, trashed and restored, or the refusal is shown`(
    name: String
  ) async {
    let (folder, target, isStuck) = (Samples.path(name), Samples.path("old/trips"), name == "stuck")
    if case .folderMade(let made)? = await told(.makeFolder("oslo", in: folder)).first {
      #expect(made == Samples.path("\(name)/oslo"))
    } else {
      Issue.record("no folder")
    }
    for effect in [FileListEffect.moveFolder(folder, to: target), .trashFolder(folder)] {
      switch await told(effect).first {
      case .folderMoved(let moved)?: #expect(moved.from == folder && moved.to == target && !isStuck)
      case .folderTrashed(let trashed)?: #expect(trashed.folder == folder && !isStuck)
      case .failed(_, let error)?: #expect(error.kind == .notPermitted && isStuck)
      case let action: Issue.record("\(String(describing: action))")
      }
    }
    let moved = FolderMoved(from: target, to: folder, count: 1)
    for step in [UndoStep.moveFolder(moved), .restoreFolder(TrashedFolder(folder: folder))] {
      guard case .undone(let outcome)? = await told(.undo(step)).first else {
        Issue.record("not undone")
        continue
      }
      #expect(outcome.back.isEmpty && outcome.failed.map(\.error.kind) == (isStuck ? [.notPermitted] : []))
    }
  }

  @Test func `the app gets a link, or the refusal`() async {
    if case .linked(let link, let isNew)? = await told(.link(Samples.path("a"), .week)).first {
      #expect(link.url == "https://club.example/s/a" && isNew)
    } else {
      Issue.record("no link")
    }
    guard case .failed(.link, let error)? = await told(.link(Samples.path("stuck"), .week)).first else {
      Issue.record("no refusal")
      return
    }
    #expect("\(error)" == "\"stuck\" is not yours.")
  }

  @Test func `a rename tells both names, and undoing it tells that it is undone`() async {
    if case .renamed(let old, let entry)? = await told(.rename(Samples.path("a"), to: "z")).first {
      #expect("\(old)" == "a" && "\(entry.path)" == "z")
    } else {
      Issue.record("no rename")
    }
    for step in [UndoStep.rename(Samples.path("z"), to: "a"), .restore([Samples.trashed("a", id: "a")])] {
      if case .undone(let outcome)? = await told(.undo(step)).first {
        #expect(outcome.back.map { "\($0.path)" } == ["a"] && outcome.failed.isEmpty)
      } else {
        Issue.record("not undone: \(step)")
      }
    }
  }

  @Test func `a file that moved without what follows it can be moved back, and the reason is shown`() async {
    guard case .renamed(let old, let entry)? = await told(.rename(Samples.path("half"), to: "z")).first else {
      Issue.record("no rename")
      return
    }
    #expect("\(old)" == "half" && "\(entry.path)" == "z")
    let moved = await told(.move(["a", "half", "stuck"].map { Samples.path($0) }, to: Samples.path("oslo")))
    guard case .moved(let files, let failed) = moved.first else {
      Issue.record("\(moved)")
      return
    }
    #expect(files.map { "\($0.entry.path)" } == ["oslo/a", "oslo/half"])
    #expect(failed.map { "\($0.path)" } == ["half", "stuck"])
  }

  @Test func `a file that this member renamed or brought back is no news, whoever wrote it`() async throws {
    let catalogue = try CatalogueDatabase(path: ":memory:")
    let service = NewsService(club: "home", catalogue: catalogue, pool: BlockingPool(threads: 1))
    await service.see([Samples.entry("a")])
    let performer = FileListPerformer(service: Shelf(), desktop: Shelf(), list: { _ in }, news: (service, .notes))
    func seen() throws -> Set<StorePath> {
      Set(try catalogue.seenRevisions(of: ["a", "b", "z"].map { Samples.path($0) }, club: "home").keys)
    }
    await performer.perform(.rename(Samples.path("a"), to: "z"), Sender { _, _ in })
    #expect(try seen() == [Samples.path("z")])
    await performer.perform(.undo(.restore([Samples.trashed("b", id: "b")])), Sender { _, _ in })
    #expect(try seen() == [Samples.path("z"), Samples.path("b")])
  }

  @Test func `undoing brings back all that can come back, and tells what cannot and why`() async {
    let files = ["a", "stuck", "b"].map { Samples.trashed($0, id: $0) }
    guard case .undone(let outcome)? = await told(.undo(.restore(files))).first else {
      Issue.record("not undone")
      return
    }
    #expect(outcome.back.map { "\($0.path)" } == ["a", "b"])
    #expect(outcome.failed.map { "\($0.path)" } == ["stuck"] && outcome.rest == nil)
  }

  @Test(arguments: [false, true])
  func `z after M wins, even if the undo runs first`(isUndoFirst: Bool) async throws {
    let catalogue = try CatalogueDatabase(path: ":memory:")
    let service = NewsService(club: "home", catalogue: catalogue, pool: BlockingPool(threads: 1))
    let path = Samples.path("b.md")
    await service.see([(path, Revision("r1"))])
    var list = FileList(.notes)
    var frame = Frame(size: Size(80, 24), abilities: TerminalAbilities(colors: .none), keys: .standard, club: "home")
    let mark = NewsMark(revision: Revision("r2"), before: Revision("r1"), member: "Ann")
    _ = list.update(.news([path: mark], isListed: true), &frame)
    guard case .run(let mark, _)? = list.seeAll(&frame).first, let step = frame.undo.next?.step else {
      Issue.record("M marks nothing")
      return
    }
    let effects = [mark, list.undoing(step)]
    let performer = FileListPerformer(service: Shelf(), desktop: Shelf(), list: { _ in }, news: (service, .notes))
    let undone = Mutex(0)
    for effect in isUndoFirst ? effects.reversed() : effects {
      await performer.perform(effect, Sender { _, _ in undone.withLock { $0 += 1 } })
    }
    #expect(undone.withLock { $0 } == 1)
    #expect(try catalogue.seenRevisions(of: [path], club: "home") == [path: Revision("r1")])
  }

  @Test func `a failure names its effect`() async {
    if case .failed(.rename(let path, _), let error)? = await told(.rename(Samples.path("stuck"), to: "z")).first {
      #expect("\(path)" == "stuck" && "\(error)" == "\"stuck\" is not yours.")
    } else {
      Issue.record("no failure")
    }
    #expect(await told(.trash([Samples.path("slow")])).isEmpty)
    if case .failed(.list, let error)? = await told(.list, listing: StoreError(.notFound, "No.")).first {
      #expect(error.kind == .notFound)
    } else {
      Issue.record("no failure")
    }
  }

  @Test func `changes are reported until the watching ends, and then why`() async {
    let told = await told(.watch)
    guard case .changed(let set) = told.first, case .failed(.watch, let error) = told.last, told.count == 2 else {
      Issue.record("\(told)")
      return
    }
    #expect(set.changes.count == 1 && error.kind == .unsupported)
  }

  @Test func `a store that cannot be reached interrupts the watching, is reported once and tried again`() async {
    final class Line: Sendable { let tries = Mutex(0) }
    struct Far: ListedFiles {
      let line = Line()
      func changes(_ receive: (ChangeSet) async -> Void) async throws(StoreError) {
        let attempt = line.tries.withLock { tries in
          tries += 1
          return tries
        }
        guard attempt > 2 else { throw StoreError(.offline, "Far away.", remedy: "Wait.") }
        await receive(ChangeSet(changes: [.absent(Samples.path("a"))], cursor: ChangeCursor("1")))
        throw StoreError(attempt == 3 ? .offline : .notSignedIn, "Gone.")
      }
      func reach() async throws(StoreError) {
        if line.tries.withLock({ $0 }) == 1 {
          line.tries.withLock { $0 = 2 }
          throw StoreError(.offline, "Still far away.")
        }
      }
      func rename(_ path: StorePath, to name: String) async throws(StoreError) -> FileEntry { Samples.entry(name) }
      func move(_ path: StorePath, to folder: StorePath) async throws(StoreError) -> FileEntry { Samples.entry(path) }
      func entry(at path: StorePath) async throws(StoreError) -> FileEntry { Samples.entry(path) }
      func makeFolder(_ typed: String, in folder: StorePath) async throws(StoreError) -> StorePath { folder }
      func moveFolder(
        _ folder: StorePath, to target: StorePath, seen: [FileEntry]
      ) async throws(StoreError) -> FolderMoved {
        FolderMoved(from: folder, to: target, count: 0)
      }
      func trashFolder(_ folder: StorePath) async throws(StoreError) -> TrashedFolder { TrashedFolder(folder: folder) }
      func restore(_ folder: TrashedFolder) async throws(StoreError) -> FolderRestored {
        FolderRestored(folder: folder.folder, files: [])
      }
      func trash(_ path: StorePath) async throws(StoreError) -> TrashedFile { Samples.trashed("\(path)") }
      func restore(_ id: TrashedFile.ID) async throws(StoreError) -> FileEntry { Samples.entry(id) }
      func share(_ path: StorePath, until end: LinkEnd) async throws(StoreError) -> (link: SharedLink, isNew: Bool) {
        (SharedLink(url: "", path: path), true)
      }
      func unshare(_ link: SharedLink) async throws(StoreError) {}
      func remarkFacts() async -> [StorePath: TalkFacts]? { nil }
      func remarkFiles() async -> [FileEntry] { [] }
      func memberName() async -> String { "ann" }
    }
    let sent = Mutex<[String]>([])
    let sender = Sender<FileListAction> { action, _ in
      let word =
        switch action {
        case .changed: "changed"
        case .watchInterrupted(let error): "interrupted: \(error.message)"
        case .watchResumed: "resumed"
        case .failed(.watch, let error): "ended: \(error.kind)"
        default: "\(action)"
        }
      sent.withLock { $0.append(word) }
    }
    let clock = ManualClock(advancesOnSleep: true)
    let performer = FileListPerformer(service: Far(), desktop: Shelf(), list: { _ in }, clock: clock)
    await performer.perform(.watch, sender)
    #expect(
      sent.withLock { $0 } == [
        "interrupted: Far away.", "resumed", "changed", "interrupted: Gone.", "resumed", "changed",
        "ended: notSignedIn",
      ])
    #expect(clock.slept == [.seconds(1), .seconds(2), .seconds(1)])
  }

  @Test func `a listing that fails for a while is tried again with growing pauses until it succeeds`() async {
    let failures = Mutex(7)
    let sent = Mutex<[String]>([])
    let sender = Sender<FileListAction> { action, _ in
      let word = if case .failed(.list, let error) = action { "failed: \(error.message)" } else { "listed" }
      sent.withLock { $0.append(word) }
    }
    let clock = ManualClock(advancesOnSleep: true)
    let performer = FileListPerformer(
      service: Shelf(), desktop: Shelf(),
      list: { (sender) async throws(StoreError) in
        let left = failures.withLock { failures in
          failures -= 1
          return failures
        }
        if left == 6 { throw StoreError(.rateLimited, "No.", retryAfter: .seconds(50)) }
        if left >= 0 { throw StoreError(.offline, "No.") }
        sender.send(.listed(Samples.table(["a"])))
      }, clock: clock)
    await performer.perform(.list, sender)
    #expect(sent.withLock { $0 } == Array(repeating: "failed: No.", count: 7) + ["listed"])
    #expect(clock.slept == [50, 2, 4, 8, 16, 30, 30].map { .seconds($0) })
  }

  @Test func `a listing is tried again at once when the store answers another call, and no more when it is cancelled`()
    async
  {
    let connection = StoreConnection(now: { 0 })
    connection.observe(.failed(StoreError(.offline, "Far.")))
    let calls = Mutex(0)
    let clock = ManualClock()
    let performer = FileListPerformer(
      service: Shelf(), desktop: Shelf(),
      list: { (_) async throws(StoreError) in
        calls.withLock { $0 += 1 }
        throw StoreError(.offline, "No.")
      }, connection: connection, clock: clock)
    let task = Task { await performer.perform(.list, Sender { _, _ in }) }
    await clock.waitForSleepers()
    #expect(calls.withLock { $0 } == 1)
    connection.observe(.answered)
    await clock.waitForSleepers()
    while calls.withLock({ $0 }) < 2 { await Task.yield() }
    task.cancel()
    await task.value
    #expect(calls.withLock { $0 } == 2)
  }
}
