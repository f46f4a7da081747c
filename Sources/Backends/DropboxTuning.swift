internal import FileStores
internal import Glibc

/// What tests set, and nobody else.
package struct DropboxTuning: Sendable {
  /// Entries that a page of a listing should have; nil for the server's choice.
  package var pageEntries: Int?
  /// Files up to this size are sent from memory, in one call; pieces have this size. Who sets it wants pieces.
  package var pieceBytes = 8 * 1024 * 1024 { didSet { streamedBytes = 0 } }
  /// Larger files up to this size, where it is known, are sent in one call as they are read; what is larger still goes in
  /// pieces. The API takes no more in one call.
  package var streamedBytes: UInt64 = 150 << 20
  /// How long the server may think about a wait, in seconds (30 to 480).
  package var longPollSeconds = 240
  /// Sleeps.
  package var clock: any Clock<Duration> = ContinuousClock()
  /// The time of this machine's clock, in nanoseconds since 1970.
  package var now: @Sendable () -> Int64 = {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
  /// A number that comes but once.
  package var random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }

  /// What holds in the program.
  package init() {}
}
