import Basics
import FileStores
import TestKit
import Testing

@testable import Backends

/// Kernels and file systems that lack what a folder's store would like to use. Each in a process of its own, from
/// which the calls are taken away.
@Suite(.serialized, .enabled(if: MissingCalls.canBeTakenAway, "this system has no seccomp filters"))
struct FolderOldSystems {
  // A body that throws ends its process by a trap: what it threw is on standard error.
  @Test func `without openat2 no link leads out of the folder`() async {
    await #expect(processExitsWith: .success) {
      try MissingCalls.openat2.takeAway()
      try await FolderDangers().links()
      try await FolderDangers().swappedLink()
      try await FolderDangers().pipes()
    }
  }

  @Test func `without openat2 the store keeps its promises`() async {
    await #expect(processExitsWith: .success) {
      try MissingCalls.openat2.takeAway()
      try await keepPromises()
    }
  }

  @Test func `a seccomp profile that refuses openat2 is no refusal of the club's files`() async {
    await #expect(processExitsWith: .success) {
      try MissingCalls.refusedOpenat2.takeAway()
      try await FolderDangers().links()
      try await keepPromises()
    }
  }

  @Test func `without inotify the store keeps its promises, and changes are found by looking`() async {
    await #expect(processExitsWith: .success) {
      try MissingCalls.inotify.takeAway()
      try await keepPromises()
    }
  }

  @Test func `without rename's flags the store keeps its promises`() async {
    await #expect(processExitsWith: .success) {
      try MissingCalls.renameFlags.takeAway()
      try await keepPromises()
    }
  }

  @Test func `without rename's flags a save by another program up to the last look is a conflict, and its text stays`()
    async
  {
    await #expect(processExitsWith: .success) {
      try MissingCalls.renameFlags.takeAway()
      for step in [FolderStep.makeTemporary, .write, .look, .syncFile, .rename] {
        try await FolderRaces().vim(step: step)
        try await FolderRaces().inPlace(step: step)
      }
      try await FolderRaces().deleted()
      try await FolderRaces().createRace(lacksExchange: false)
      try await FolderRaces().movedUnderneath()
    }
  }

  @Test func `without rename's flags a step that fails leaves the old text`() async {
    await #expect(processExitsWith: .success) {
      try MissingCalls.renameFlags.takeAway()
      for step in [FolderStep.makeTemporary, .write, .look, .syncFile, .rename] {
        try await FolderDangers().failingStep(step: step, code: 5)
      }
    }
  }
}

/// All checks of the contract. A broken promise is recorded here, because an error would end the process without its words.
private func keepPromises() async throws {
  let pool = BlockingPool(threads: 3)
  for check in StoreChecks.all {
    try await withTemporaryFolder { root in
      let test = StoreUnderTest(
        try FolderStore(root: root, pool: pool), other: try FolderStore(root: root, pool: pool))
      do {
        try await check.run(test)
      } catch {
        Issue.record(error, "\(check)")
      }
      #expect(allNames(root).allSatisfy { !$0.hasPrefix(".byteclub-tmp") }, "\(check)")
    }
  }
}
