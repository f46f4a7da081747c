import Basics
import Foundation
import TestKit
import Testing

@testable import ClubServices

/// 50,000 operations of 2 to 5 machines, or as many as SYNC_OPERATIONS says (scripts/soak sync).
@Suite struct SyncSimulationTests {
  private static let operations = 1000

  private static var runs: Int {
    let wanted = ProcessInfo.processInfo.environment["SYNC_OPERATIONS"].flatMap { Int($0) } ?? 50_000
    return max(1, wanted / operations)
  }

  private static var first: UInt64 {
    ProcessInfo.processInfo.environment["SYNC_SEED"].flatMap { UInt64($0) } ?? 1
  }

  @Test(arguments: [false, true])
  func `no acknowledged word is lost, no name goes to another file, and all machines end with the same files`(
    hasFolders: Bool
  ) {
    for seed in Self.first..<(Self.first + UInt64(Self.runs)) {
      var simulation = SyncSimulation(seed: seed, hasFolders: hasFolders)
      simulation.run(Self.operations)
      simulation.settle()
      let (lost, apart) = (simulation.lostWords, simulation.apart)
      #expect(lost.isEmpty, "seed \(seed) lost \(lost.prefix(5))")
      #expect(apart.isEmpty, "seed \(seed) left machines \(apart) apart")
      #expect(simulation.strayed.isEmpty, "seed \(seed) took another file: \(simulation.strayed.prefix(3))")
      let texts = simulation.strayedTexts
      #expect(texts.isEmpty, "seed \(seed) merged a text into another note: \(texts.prefix(3))")
      guard lost.isEmpty, apart.isEmpty, simulation.strayed.isEmpty else { return }
    }
  }

  @Test func `the same seed gives the same trace, and another seed another`() {
    func trace(_ seed: UInt64) -> UInt64 {
      var simulation = SyncSimulation(seed: seed)
      simulation.run(2000)
      return simulation.trace.value
    }
    #expect(trace(7) == trace(7))
    #expect(trace(7) != trace(8))
  }
}
