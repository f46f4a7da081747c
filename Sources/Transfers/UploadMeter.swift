/// Carries the count of delivered bytes from a store's threads to the engine. Only the newest count waits.
struct UploadMeter: Sendable {
  private let line: TransferLine
  private let counts: AsyncStream<UInt64>
  private let feed: AsyncStream<UInt64>.Continuation

  init(_ line: TransferLine) {
    self.line = line
    (counts, feed) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
  }

  /// Takes a count, from any thread.
  func delivered(_ count: UInt64) { feed.yield(count) }

  /// No more counts come: `run` returns when the last one is told.
  func finish() { feed.finish() }

  /// Tells the engine, from `start` on. A smaller count than before means that the bytes go once more.
  func run(from start: UInt64) async {
    var last = start
    for await count in counts {
      // A job that was asked to stop has its call to the store cancelled, too.
      let isWanted = count < last ? await line.fellBack(to: count) : await line.delivered(to: count)
      guard isWanted else { return }
      last = count
    }
  }
}
