import Backends
import Basics
import Database
import FileStores
import Foundation
import JSON
import Logging
import TestKit
import Testing

@testable import StoreServer

/// The first run of a hook in a club that has files: those are no news, and whatever comes is.
@Suite(.timeLimit(.minutes(5))) struct HookBeginningTests {
  fileprivate static let pool = BlockingPool(threads: 4)
  private static let large = [UInt8](repeating: 7, count: Int(HashAllowance.smallFile) + 1)

  /// A served folder, whose large files come into the index when a test looks at them.
  private struct World {
    let root: String
    let index: ClubIndex
    let waiting: ServerHookDatabase

    init(in folder: String) throws {
      root = folder + "/root"
      try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
      index = ClubIndex(
        store: try FolderStore(root: root, pool: HookBeginningTests.pool, hidesTrash: false),
        database: try ServerIndexDatabase(path: folder + "/index.sqlite"), pool: HookBeginningTests.pool,
        now: { ServerOptions.now() })
      waiting = try ServerHookDatabase(path: folder + "/hook.sqlite")
    }

    /// Writes a file that another program copied with its old time.
    func copy(_ bytes: [UInt8], to name: String) throws {
      try Data(bytes).write(to: URL(fileURLWithPath: root + "/" + name))
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1e9)], ofItemAtPath: root + "/" + name)
    }

    func run(_ receiver: HookReceiver, _ clock: ManualClock, _ body: () async throws -> Void) async throws {
      let hook = ClubHook(
        try receiver.hook(clock), club: "club", index: index, waiting: waiting,
        logger: Logger(label: "test") { _ in KeptLog().handler })
      let running = Task { await hook.run() }
      while try waiting.place() == nil { await Task.yield() }
      try await body()
      running.cancel()
      await running.value
    }

    func look(_ name: String) async throws { _ = try await index.look(at: StorePath(name)) }
  }

  /// The paths of the next batch, once the batch is open and its time has come.
  private func batch(_ receiver: HookReceiver, _ clock: ManualClock) async throws -> [String] {
    await clock.waitForSleepers()
    clock.advance(by: .seconds(60))
    return try (await receiver.next().first?.json["items"]).elements.compactMap { $0["path"]?.string }
  }

  @Test(arguments: [false, true])
  func `what was there is no news, also when a restart comes first, and a copy with an old time is`(
    isRestarted: Bool
  ) async throws {
    try await withTemporaryFolder { folder in
      let receiver = try HookReceiver { _ in RawAnswer(200) }
      let first = try World(in: folder)
      try first.copy(Self.large, to: "large.jpg")
      try first.copy(Self.large, to: "changed.jpg")
      try first.copy([1], to: "small.jpg")
      func goOn(_ world: World, _ clock: ManualClock) async throws {
        try world.copy([2], to: "copied.jpg")
        try world.copy(Self.large + [8], to: "changed.jpg")
        for name in ["large.jpg", "changed.jpg", "copied.jpg"] { try await world.look(name) }
        #expect(try await batch(receiver, clock).sorted() == ["changed.jpg", "copied.jpg"])
      }
      let clock = ManualClock()
      try await first.run(receiver, clock) { if !isRestarted { try await goOn(first, clock) } }
      guard isRestarted else { return }
      let (second, later) = (try World(in: folder), ManualClock())
      try await second.run(receiver, later) { try await goOn(second, later) }
    }
  }
}
