internal import FileStores
internal import Glibc

/// What tests set, and nobody else.
package struct DropboxTuning: Sendable {
  /// Entries that a page of a listing should have; nil for the server's choice.
  package var pageEntries: Int?
  /// Files up to this size are sent in one call, larger ones in pieces of it.
  package var pieceBytes = 8 * 1024 * 1024
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
