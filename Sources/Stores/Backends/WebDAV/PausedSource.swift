internal import Basics
internal import FileStores

/// A body that stops in its middle until `go` is called.
final class PausedSource: ByteSource {
  /// More than a server reads at once.
  static let bytes = 256 << 10

  private let state = WaitableState((isReached: false, goesOn: false))

  var size: UInt64? { UInt64(PausedSource.bytes) }

  /// Waits until the first half was taken, or a second: some servers refuse before the body.
  func reached() async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.state.wait { $0.isReached } }
      group.addTask { try? await TimerClock().sleep(for: .seconds(1)) }
      await group.next()
      group.cancelAll()
    }
  }

  func go() { state.change { $0.goesOn = true } }

  func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
    Reading(source: self, offset: Int(clamping: offset))
  }

  private struct Reading: ByteReading {
    let source: PausedSource
    var offset: Int

    mutating func next() async throws(StoreError) -> ByteChunk? {
      guard offset < PausedSource.bytes else { return nil }
      if offset >= PausedSource.bytes / 2 {
        source.state.change { $0.isReached = true }
        await source.state.wait { $0.goesOn }
      }
      defer { offset += PausedSource.bytes / 2 }
      return [UInt8](repeating: 0x78, count: PausedSource.bytes / 2)[...]
    }
  }
}
