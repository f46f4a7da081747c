import Basics
import FileStores
import TestKit
import Testing

@testable import Backends

/// One after the other: each store has an inotify instance, of which a user has 128.
@Suite(.serialized) struct FolderChecks {
  private static let pool = BlockingPool()

  @Test("Folder:", arguments: StoreChecks.all) func folder(check: StoreCheck) async throws {
    try await withTemporaryFolder { root in
      let test = StoreUnderTest(
        try FolderStore(root: root, pool: Self.pool), other: try FolderStore(root: root, pool: Self.pool))
      try await check.run(test)
      try expectClean(root)
    }
  }

  @Test("Folder with tiny pages and chunks:", arguments: StoreChecks.all)
  func tiny(check: StoreCheck) async throws {
    var tuning = FolderTuning()
    tuning.listBufferBytes = 400
    tuning.pageNames = 4
    tuning.pageEntries = 3
    tuning.chunkBytes = 4096
    try await withTemporaryFolder { root in
      let store = try FolderStore(root: root, pool: Self.pool, tuning: tuning)
      try await check.run(StoreUnderTest(store))
      try expectClean(root)
    }
  }

  @Test("Folder through retries over faults:", arguments: StoreChecks.all, TestTier.process.seeds([1, 2, 3]))
  func faulty(check: StoreCheck, seed: UInt64) async throws {
    var tuning = FolderTuning()
    tuning.pageNames = 10
    tuning.pageEntries = 10
    tuning.listBufferBytes = 512
    try await withTemporaryFolder { root in
      let base = try FolderStore(root: root, pool: Self.pool, tuning: tuning)
      try await check.run(StoreUnderTest(retrying(base, seed), other: try FolderStore(root: root, pool: Self.pool)))
      try expectClean(root)
    }
  }

  /// No unfinished file is left, whatever happened.
  private func expectClean(_ root: String) throws {
    let left = allNames(root).filter { $0.hasPrefix(".byteclub-tmp") }
    #expect(left.isEmpty)
  }
}

@Suite struct MemoryChecks {
  @Test("Memory:", arguments: StoreChecks.all) func memory(check: StoreCheck) async throws {
    try await check.run(StoreUnderTest(MemoryStore()))
  }

  @Test("Memory with tiny pages:", arguments: StoreChecks.all) func tiny(check: StoreCheck) async throws {
    try await check.run(StoreUnderTest(MemoryStore(pageEntries: 3)))
  }

  @Test("Memory through retries over faults:", arguments: StoreChecks.all, TestTier.process.seeds([1, 2, 3, 4, 5]))
  func faulty(check: StoreCheck, seed: UInt64) async throws {
    let base = MemoryStore(pageEntries: 7)
    try await check.run(StoreUnderTest(retrying(base, seed), other: base))
  }
}

private func retrying(_ base: any FileStore, _ seed: UInt64) -> RetryingStore {
  RetryingStore(
    FaultyStore(base, seed: seed), policy: RetryPolicy(attempts: 12), clock: ManualClock(advancesOnSleep: true),
    draw: { 0.5 })
}

@Suite struct FolderOwnerTests {
  @Test func `a file names its owner, except for the user of this process`() throws {
    let root = try #require(SystemUser(0))
    #expect(FolderOwners(own: 1000)[0] == root.spokenName)
    #expect(FolderOwners(own: 0)[0] == nil)
    #expect(FolderOwners(own: 1000)[4_000_000_000] == nil)
  }
}
