import Backends
import Basics
import Database
import FileStores
import Logging
import Synchronization
import TestKit
import Testing

@testable import StoreServer

/// What the server saw of a file before a member changed it does not count as news after that.
@Suite(.serialized) struct OldNewsTests {
  /// How the server looks at the store.
  enum Look: CaseIterable, Sendable { case atFile, atKnownFile, atFolder }

  /// What another program has done before the look.
  enum Before: CaseIterable, Sendable { case changed, deleted }

  @Test(
    "A file that a member deletes while the server looks at what another program wrote stays deleted",
    arguments: Look.allCases)
  func deleted(look: Look) async throws {
    try await withIndex { scene in
      let known = try await scene.put("one")
      try await scene.writeBehind("another")
      scene.store.interruptLook { await scene.happens { try await scene.files.delete(known, rev: nil) } }
      try await scene.look(look, known)
      let left = try await scene.index.read { try $0.node(path: known.path) }
      #expect(left == nil)
    }
  }

  @Test(
    "A version that a member writes while the server looks is the newest after it",
    arguments: Look.allCases, Before.allCases)
  func overwritten(look: Look, before: Before) async throws {
    try await withIndex { scene in
      let known = try await scene.put("one")
      switch before {
      case .changed: try await scene.writeBehind("another")
      case .deleted: try await scene.base.delete(known.path, ifRevision: nil)
      }
      scene.store.interruptLook { await scene.happens { _ = try await scene.put("the member's") } }
      try await scene.look(look, known)
      let left = try #require(try await scene.index.read { try $0.node(path: known.path) })
      #expect(left.size == 12)
      #expect(left.storeRevision == (try await scene.base.entry(at: known.path).revision))
      // The member has its number: another one would be a conflict that is none.
      #expect(scene.told.withLock { $0 } == [known.rev, left.rev])
    }
  }

  @Test("A look at a folder finds what is gone from it")
  func gone() async throws {
    try await withIndex { scene in
      let known = try await scene.put("one")
      try await scene.base.delete(known.path, ifRevision: nil)
      try await scene.look(.atFolder, known)
      let left = try await scene.index.read { try $0.node(path: known.path) }
      #expect(left == nil)
    }
  }

  /// What a member does to a file that another program writes at that moment.
  enum Change: CaseIterable, Sendable { case add, update, delete, move }

  @Test("What another program writes between the look and the change is not overwritten", arguments: Change.allCases)
  func between(change: Change) async throws {
    try await withIndex { scene in
      let known = change == .add ? nil : try await scene.put("one")
      scene.store.interruptLook { await scene.happens { try await scene.writeBehind("another") } }
      // A move looks at its target alone: it tries until it gives up.
      let refusal = change == .move ? Tagged("too_many_write_operations") : Tagged.conflict("file")
      await #expect(throws: refusal) {
        switch (change, known) {
        case (.update, let known?): _ = try await scene.put("mine", .update(known.rev))
        case (.delete, let known?): try await scene.files.delete(known, rev: known.rev)
        case (.move, let known?): _ = try await scene.files.move(known, to: "/other.md", autorename: false)
        default: _ = try await scene.put("mine", .add)
        }
      }
      #expect(try await scene.base.readAll(StorePath("note.md")).bytes == Array("another".utf8))
    }
  }

  @Test("A member's move keeps the ids, though the change feed takes in the new place and the gone old one before it")
  func movedBehind() async throws {
    try await withIndex { scene in
      let folder = try await scene.files.createFolder("/f", autorename: false)
      let file = try await scene.put("one", at: "/f/a.md")
      scene.store.interruptMove {
        await scene.happens {
          _ = try await scene.index.refreshed(folder)
          try await scene.index.scan(ClubIndex.root, recursive: true)
        }
      }
      let moved = try await scene.files.move(folder, to: "/g", autorename: false)
      #expect(moved.id == folder.id)
      let below = try #require(try await scene.index.find(display: "/g/a.md"))
      #expect(below.id == file.id && below.rev != file.rev)
      #expect(try await scene.index.find(display: "/f") == nil)
    }
  }

  @Test("A file that changes before its checksum is read for a listing is recorded as it is then, like all others")
  func whileHashed() async throws {
    try await withIndex { scene in
      for name in ["note.md", "other.md"] { try write("one", to: scene.root + "/" + name) }
      scene.store.interruptLook { await scene.happens { try await scene.writeBehind("another") } }
      try await scene.index.scan(ClubIndex.root, recursive: false)
      let rows = try await scene.index.read { try $0.listed(in: .children(""), after: "", limit: 10) }
      #expect(rows.map(\.hash) == [ContentHash(of: "another".utf8), ContentHash(of: "one".utf8)])
    }
  }

  @Test("A checksum is not written down of what a member has changed meanwhile")
  func hashedLate() async throws {
    try await withIndex { scene in
      _ = try await scene.base.put(DataSource(Array("one".utf8)), at: StorePath("note.md"), mode: .create)
      scene.store.interruptLook { await scene.happens { _ = try await scene.put("the member's") } }
      try await scene.index.scan(ClubIndex.root, recursive: false)
      let row = try #require(try await scene.index.read { try $0.node(path: try StorePath("note.md")) })
      #expect(row.hash == ContentHash(of: "the member's".utf8) && row.author != nil)
    }
  }

  @Test("What the change feed reported of a version before its member was noted is reported under another number then")
  func memberLater() async throws {
    try await withIndex { scene in
      let early = Mutex<Int64?>(nil)
      scene.store.interruptChange {
        await scene.happens {
          let seen = try await scene.index.look(at: StorePath("note.md"))
          early.withLock { $0 = seen?.rev }
        }
      }
      let node = try await scene.put("one")
      let rev = try #require(early.withLock { $0 })
      #expect(node.author != nil && node.rev != rev)
    }
  }

  /// When the version that the change feed reported of is kept, and by which way.
  enum Keeping: CaseIterable, Sendable {
    case beforeMember, byAnother, byAnotherLate, afterMember, byAnotherAfter, afterNextMember
  }

  @Test(
    "A member's write is one version, though the change feed told of it first and that was kept as one, too",
    arguments: Keeping.allCases, [false, true])
  func keptOnce(keeping: Keeping, isThere: Bool) async throws {
    var versions = VersionLimits()
    // Larger files get their first version when another member deletes their folder.
    if [.byAnother, .byAnotherLate].contains(keeping) { versions.atOnceBytes = 2 }
    try await withIndex(versions) { scene in
      if isThere { _ = try await scene.put("one") }
      // Content that is kept already is not waited for.
      if keeping == .beforeMember { _ = try await scene.put("two", at: "/other.md") }
      let early = Mutex<ServerNode?>(nil)
      scene.store.interruptChange {
        await scene.happens {
          let seen = try await scene.index.look(at: StorePath("note.md"))
          early.withLock { $0 = seen }
          if keeping == .beforeMember { _ = try await scene.files.keepFiles(after: 0) }
          if keeping == .byAnother, let seen { try await scene.files.keepVersion(of: seen) }
        }
      }
      _ = try await scene.put("two")
      let seen = try #require(early.withLock { $0 })
      #expect(seen.author == nil)
      if [.byAnotherAfter, .byAnotherLate].contains(keeping) { try await scene.files.keepVersion(of: seen) }
      if keeping == .afterNextMember { _ = try await scene.put("three") }
      if [.afterMember, .afterNextMember].contains(keeping) { try await scene.files.keep([seen]) }
      let kept = try await scene.index.read { try $0.revisions(key: seen.key, before: .max, limit: 10) }
      let texts = (keeping == .afterNextMember ? ["three"] : []) + ["two"] + (isThere ? ["one"] : [])
      #expect(kept.map(\.hash) == texts.map { ContentHash(of: $0.utf8) })
      #expect(kept.allSatisfy { $0.author != nil })
    }
  }

  @Test("A member's version stays in the history when another member's write of the same bytes gets its row")
  func sameBytes() async throws {
    try await withIndex { scene in
      let theirs = Mutex<ServerNode?>(nil)
      scene.store.interruptChange {
        await scene.happens {
          // Another server process of the club, as the lock of the name is held.
          guard let seen = try await scene.index.look(at: StorePath("note.md")) else { return }
          let node = try await scene.index.write { writing in
            var node = seen
            node.rev = try writing.nextNumber()
            node.author = .ben
            node = try writing.save(node)
            if let version = ServerRevision(of: node) { try writing.add(version, at: 1) }
            return node
          }
          theirs.withLock { $0 = node }
        }
      }
      let mine = try await scene.put("two")
      let kept = try await scene.index.read { try $0.revisions(key: mine.key, before: .max, limit: 10) }
      #expect(kept.map(\.rev) == [mine.rev, try #require(theirs.withLock { $0 }).rev])
      #expect(kept.map(\.author) == [.ada, .ben])
    }
  }

  /// A member's change of a file that is there, or that is not.
  enum MembersChange: CaseIterable, Sendable { case add, overwrite, delete }

  @Test(
    "What another program makes of a file right after a member's change is the newest, though the feed told of it first",
    arguments: MembersChange.allCases, Before.allCases)
  func after(change: MembersChange, then: Before) async throws {
    try await withIndex { scene in
      let known = change == .add ? nil : try await scene.put("one")
      let path = try StorePath("note.md")
      scene.store.interruptChange {
        await scene.happens {
          if change != .delete, then == .deleted {
            try await scene.base.delete(path, ifRevision: nil)
          } else {
            try await scene.writeBehind("another, later")
          }
          // As the change feed does.
          _ = try await scene.index.look(at: path)
        }
      }
      switch (change, known) {
      case (.delete, let known?): try await scene.files.delete(known, rev: nil)
      default: _ = try await scene.put("the member's")
      }
      let left = try await scene.index.read { try $0.node(path: path) }
      guard change == .delete || then == .changed else {
        #expect(left == nil)
        return
      }
      let node = try #require(left)
      #expect(node.size == 14)
      #expect(node.storeRevision == (try await scene.base.entry(at: path).revision))
      // The feed of members' programs ends with it, too.
      let newest = try await scene.index.read { try $0.changes(in: .children(""), after: 0, limit: 10) }
      #expect(newest.last?.rev == node.rev)
      #expect(try #require(scene.told.withLock { $0 }.last) < node.rev)
    }
  }

  private func withIndex(
    _ versions: VersionLimits = VersionLimits(), _ body: (OldNewsScene) async throws -> Void
  ) async throws {
    try await withTemporaryFolder { folder in
      let scene = try OldNewsScene(folder, versions)
      try await body(scene)
      #expect(scene.failures.withLock { $0 } == [])
    }
  }
}

/// An index and its files over a folder, with one note.
private final class OldNewsScene: Sendable {
  let root: String
  let base: FolderStore
  let store: InterruptedStore
  let index: ClubIndex
  let files: ClubFiles
  /// The numbers of the versions that members wrote.
  let told = Mutex<[Int64]>([])
  let failures = Mutex<[String]>([])
  private let path: StorePath

  init(_ folder: String, _ versions: VersionLimits) throws {
    let pool = BlockingPool(threads: 4)
    root = try PrivateDirectory(making: folder + "/club").path
    base = try FolderStore(root: root, pool: pool, hidesTrash: false)
    store = InterruptedStore(base)
    index = ClubIndex(
      store: store, database: try ServerIndexDatabase(path: ":memory:"), pool: pool, now: { 1_795_240_800 })
    let room = try ContentRoom(below: PrivateDirectory(making: folder + "/own"), pool: pool)
    files = ClubFiles(index: index, room: room, versions: versions, logger: Logger(label: "test"))
    path = try StorePath("note.md")
  }

  /// A member writes.
  func put(
    _ text: String, _ mode: CommitOrder.Mode = .overwrite, at display: String = "/note.md"
  ) async throws -> ServerNode {
    let node = try await files.put(
      Content(Array(text.utf8), pool: index.pool),
      CommitOrder(display: display, mode: mode, autorename: false, isStrict: false, clientModified: nil, author: .ada))
    told.withLock { $0.append(node.rev) }
    return node
  }

  /// Another program writes.
  func writeBehind(_ text: String) async throws {
    _ = try await base.put(DataSource(Array(text.utf8)), at: path, mode: .overwrite)
  }

  func look(_ look: OldNewsTests.Look, _ known: ServerNode) async throws {
    switch look {
    case .atFile: _ = try await index.look(at: path)
    case .atKnownFile: _ = try await index.refreshed(known)
    case .atFolder: try await index.scan(ClubIndex.root, recursive: true)
    }
  }

  func happens(_ body: () async throws -> Void) async {
    do {
      try await body()
    } catch {
      failures.withLock { $0.append("\(error)") }
    }
  }
}

extension ServerAuthor {
  static let ada = ServerAuthor(ServerMember(id: "dbid:ada", name: "Ada", created: 1_795_240_800))
  static let ben = ServerAuthor(ServerMember(id: "dbid:ben", name: "Ben", created: 1_795_240_800))
}
