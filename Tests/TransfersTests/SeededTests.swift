import FileStores
import Synchronization
import Testing
import Transfers

/// SplitMix64: the same numbers for the same seed, everywhere.
struct SeededNumbers: RandomNumberGenerator {
  var state: UInt64
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

@Suite struct `The delegate's contract` {
  /// Several uploads at once of many sizes, through stores that fail and lose their place, some of them cancelled at
  /// some step: whatever happens, the delegate's contract holds, and each file is there whole or not at all.
  @Test(arguments: UInt64(0)..<200)
  func `holds whatever happens`(seed: UInt64) async throws {
    var numbers = SeededNumbers(state: seed)
    let clock = StepClock()
    let delegate = RecordingDelegate(clock: clock)
    let engine = OldTransferEngine(concurrent: .random(in: 1...4, using: &numbers), clock: clock)
    var uploads: [(id: Transfer.ID, path: StorePath, bytes: [UInt8], store: ScriptedStore)] = []
    for index in 1...6 {
      // Each has its own store and numbers: what happens to it does not hang on how the tasks take turns.
      let (store, bytes) = Self.make(&numbers, clock, engine, "t\(index)")
      let path = try StorePath("\(index).jpg")
      let id = await engine.upload(
        file: DataSource(bytes, chunkSize: .random(in: 1...50, using: &numbers)), name: "\(index)", to: path,
        mode: .create, store: store, delegate: delegate)
      uploads.append((id, path, bytes, store))
    }
    for (id, path, bytes, store) in uploads {
      let outcome = await engine.result(of: id)
      if let outcome, case .success(let entry) = outcome {
        #expect(store.file(path) == bytes && entry.path == path)
        #expect(delegate.lastCount(id) == UInt64(bytes.count))
      } else {
        #expect(store.paths == [])
      }
      #expect(delegate.breaches(id) == [], "seed \(seed), \(delegate.events(id))")
      #expect(store.openSessions == 0)
    }
  }

  private static func make(
    _ numbers: inout SeededNumbers, _ clock: StepClock, _ engine: OldTransferEngine, _ id: Transfer.ID
  ) -> (ScriptedStore, [UInt8]) {
    let store = ScriptedStore(
      resumable: .random(in: 0..<3, using: &numbers) > 0, pieceBytes: .random(in: 1...40, using: &numbers))
    let bytes = (0..<Int.random(in: 0..<300, using: &numbers)).map { UInt8(truncatingIfNeeded: $0) }
    let own = Mutex(SeededNumbers(state: numbers.next()))
    @Sendable func roll(_ sides: Int) -> Int { own.withLock { Int.random(in: 0..<sides, using: &$0) } }
    let (isFailing, isCancelled) = (roll(3) > 0, roll(3) > 0)
    store.run { (step) throws(StoreError) in
      clock.advance(.milliseconds(roll(150)))
      if isCancelled, roll(20) == 0 { await engine.cancel(id) }
      guard isFailing, step != .abandon, step != .finished, roll(12) == 0 else { return }
      switch step {
      case .appended: throw StoreError(.conflict, "Another offset.")
      case .append where roll(2) == 0: throw StoreError(.conflict, "Another offset.")
      default: throw StoreError([.offline, .quota, .server][roll(3)], "It failed.")
      }
    }
    return (store, bytes)
  }
}
