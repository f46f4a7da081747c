import Basics
import FileStores
import POSIX
import Synchronization
import TestKit
import Testing

@testable import Backends

/// Another program writes at the worst moments of a save.
@Suite struct FolderRaces {
  private let pool = BlockingPool(threads: 2)

  /// A store whose writes call `act` just before `step`, once.
  private func store(
    _ root: String, at step: FolderStep, lacksExchange: Bool = false, _ act: @escaping @Sendable () -> Void
  ) throws -> FolderStore {
    let once = Once()
    var tuning = FolderTuning()
    tuning.lacksExchange = lacksExchange
    tuning.probe = { here in
      if here == step, once.first() { act() }
      return 0
    }
    return try FolderStore(root: root, pool: pool, tuning: tuning)
  }

  private final class Once: Sendable {
    private let done = Mutex(false)
    func first() -> Bool {
      done.withLock { done in
        defer { done = true }
        return !done
      }
    }
  }

  @Test(
    "A vim-like save at any moment before the exchange is a conflict, and its text stays",
    arguments: [FolderStep.makeTemporary, .write, .look, .syncFile, .rename])
  func vim(step: FolderStep) async throws {
    try await withTemporaryFolder { root in
      let store = try store(root, at: step) { saveLikeVim(root + "/a.md", "vim's text") }
      writeInPlace(root + "/a.md", "the base")
      try await expectConflict(store, "a.md")
      #expect(contents(root + "/a.md") == "vim's text")
      #expect(allNames(root) == ["a.md"])
    }
  }

  @Test(
    "A write in place at any moment before the exchange is a conflict, and its text stays",
    arguments: [FolderStep.makeTemporary, .write, .look, .syncFile, .rename])
  func inPlace(step: FolderStep) async throws {
    try await withTemporaryFolder { root in
      let store = try store(root, at: step) { writeInPlace(root + "/a.md", "the bass") }
      writeInPlace(root + "/a.md", "the base")
      try await expectConflict(store, "a.md")
      #expect(contents(root + "/a.md") == "the bass")
      #expect(allNames(root) == ["a.md"])
    }
  }

  @Test("A file deleted just before the exchange stays deleted, and the save is a conflict")
  func deleted() async throws {
    try await withTemporaryFolder { root in
      let store = try store(root, at: .rename) { unlink(root + "/a.md") }
      writeInPlace(root + "/a.md", "the base")
      try await expectConflict(store, "a.md")
      #expect(allNames(root) == [])
    }
  }

  @Test(
    "A third program that saves while the second's text is put back loses nothing",
    .enabled(if: !MissingCalls.ofThisProcess.contains(.renameFlags), "without exchanges nothing is put back"))
  func third() async throws {
    try await withTemporaryFolder { root in
      let steps = Mutex<[FolderStep]>([])
      var tuning = FolderTuning()
      tuning.probe = { step in
        steps.withLock { $0.append(step) }
        if step == .rename { saveLikeVim(root + "/a.md", "the second") }
        if step == .swapBack { saveLikeVim(root + "/a.md", "the third") }
        return 0
      }
      let store = try FolderStore(root: root, pool: pool, tuning: tuning)
      writeInPlace(root + "/a.md", "the base")
      try await expectConflict(store, "a.md")
      #expect(steps.withLock { $0.contains(.swapBack) })
      let names = allNames(root)
      #expect(names.count == 2)
      #expect(Set(names.compactMap { contents(root + "/" + $0) }) == ["the second", "the third"])
      #expect(names.allSatisfy { $0 == "a.md" || ($0.hasPrefix("a (conflict copy ") && $0.hasSuffix(").md")) })
    }
  }

  @Test("A third program that saves while a deletion puts the second's text back loses nothing")
  func thirdAtDeletion() async throws {
    try await withTemporaryFolder { root in
      var tuning = FolderTuning()
      tuning.probe = { step in
        if step == .rename { saveLikeVim(root + "/a.md", "the second") }
        if step == .swapBack { saveLikeVim(root + "/a.md", "the third") }
        return 0
      }
      let store = try FolderStore(root: root, pool: pool, tuning: tuning)
      writeInPlace(root + "/a.md", "the base")
      let path = try StorePath("a.md")
      let seen = try await store.entry(at: path).revision
      let error = await #expect(throws: StoreError.self) { try await store.delete(path, ifRevision: seen) }
      #expect(error?.kind == .conflict)
      let names = allNames(root)
      #expect(Set(names.compactMap { contents(root + "/" + $0) }) == ["the second", "the third"])
      #expect(names.allSatisfy { $0 == "a.md" || ($0.hasPrefix("a (conflict copy ") && $0.hasSuffix(").md")) })
    }
  }

  @Test("A file made just before a create's rename stays, and the create is exists", arguments: [false, true])
  func createRace(lacksExchange: Bool) async throws {
    try await withTemporaryFolder { root in
      let store = try store(root, at: .rename, lacksExchange: lacksExchange) { writeInPlace(root + "/a", "theirs") }
      let error = await #expect(throws: StoreError.self) {
        _ = try await store.put(DataSource("mine".utf8), at: StorePath("a"), mode: .create)
      }
      #expect(error?.kind == .exists)
      #expect(contents(root + "/a") == "theirs")
      #expect(allNames(root) == ["a"])
    }
  }

  @Test("Where the disk lacks the exchange, a save by another program before the rename is a conflict all the same")
  func fallback() async throws {
    try await withTemporaryFolder { root in
      let store = try store(root, at: .rename, lacksExchange: true) { saveLikeVim(root + "/a.md", "vim's text") }
      writeInPlace(root + "/a.md", "the base")
      try await expectConflict(store, "a.md")
      #expect(contents(root + "/a.md") == "vim's text")
      let base = try #require(try await store.entry(at: StorePath("a.md")).revision)
      _ = try await store.put(DataSource("mine".utf8), at: StorePath("a.md"), mode: .replace(base))
      #expect(contents(root + "/a.md") == "mine")
      #expect(allNames(root).filter { $0 != ".byteclub" } == ["a.md"])
    }
  }

  @Test("A file put in the place of another while it is moved, deleted or discarded is left alone")
  func movedUnderneath() async throws {
    try await withTemporaryFolder { root in
      writeInPlace(root + "/a", "the base")
      let store = try store(root, at: .rename) { saveLikeVim(root + "/a", "theirs") }
      let base = try await store.entry(at: StorePath("a")).revision
      let error = await #expect(throws: StoreError.self) { try await store.delete(StorePath("a"), ifRevision: base) }
      #expect(error?.kind == .conflict)
      #expect(contents(root + "/a") == "theirs")

      let mover = try self.store(root, at: .rename) { saveLikeVim(root + "/a", "theirs again") }
      let next = try await mover.entry(at: StorePath("a")).revision
      let moved = await #expect(throws: StoreError.self) {
        _ = try await mover.move(StorePath("a"), to: StorePath("sub/b"), ifRevision: next)
      }
      #expect(moved?.kind == .conflict)
      #expect(contents(root + "/a") == "theirs again")
      #expect(allNames(root) == ["a"])

      let discarder = try self.store(root, at: .rename) { saveLikeVim(root + "/a", "theirs once more") }
      let last = try await discarder.entry(at: StorePath("a")).revision
      let discarded = await #expect(throws: StoreError.self) {
        _ = try await discarder.capabilities.trash?.discard(StorePath("a"), ifRevision: last)
      }
      #expect(discarded?.kind == .conflict)
      #expect(contents(root + "/a") == "theirs once more")
      #expect(try await discarder.capabilities.trash?.contents().isEmpty == true)
    }
  }

  @Test("A write in place between two chunks of a reading is a conflict, also one of the same length")
  func changedWhileRead() async throws {
    try await withTemporaryFolder { root in
      let store = try FolderStore(root: root, pool: pool)
      writeInPlace(root + "/a", String(repeating: "A", count: 900_000))
      var got: [UInt8] = []
      let error = await #expect(throws: StoreError.self) {
        _ = try await store.read(StorePath("a"), from: 0, ifRevision: nil) { chunk in
          if got.isEmpty { writeInPlace(root + "/a", String(repeating: "B", count: 900_000)) }
          got += chunk
        }
      }
      #expect(error?.kind == .conflict)
      #expect(got.allSatisfy { $0 == UInt8(ascii: "A") })
    }
  }

  private func expectConflict(_ store: FolderStore, _ name: String) async throws {
    let path = try StorePath(name)
    let base = try #require(try await store.entry(at: path).revision)
    let error = await #expect(throws: StoreError.self) {
      _ = try await store.put(DataSource("our text".utf8), at: path, mode: .replace(base))
    }
    #expect(error?.kind == .conflict)
  }
}
