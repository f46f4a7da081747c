import ArgumentParser
import StoreServer

/// How much of old versions the server keeps.
struct VersionOptions: ParsableArguments {
  private static let mebibyte: UInt64 = 1 << 20
  private static let daySeconds: Int64 = 86_400
  private static let usual = VersionLimits()

  @Option(help: ArgumentHelp("Keep at most this many versions of one file; the oldest go first.", valueName: "count"))
  var keepVersions = VersionOptions.usual.count
  @Option(
    help: ArgumentHelp(
      "Remove versions that were replaced longer ago than this; the newest version of each file stays, even of a deleted one.",
      valueName: "days"))
  var keepDays = VersionOptions.usual.seconds / VersionOptions.daySeconds
  @Option(
    help: ArgumentHelp("Keep at most this much of all old versions together; the oldest go first.", valueName: "MiB"))
  var keepTotal = VersionOptions.usual.totalBytes / VersionOptions.mebibyte
  @Option(
    help: ArgumentHelp(
      "Keep versions of files up to this size as soon as the server sees them; of larger ones only when a member "
        + "replaces or deletes them.", valueName: "MiB"))
  var keepAtOnce = VersionOptions.usual.atOnceBytes / VersionOptions.mebibyte
  @Option(help: ArgumentHelp("Keep no versions of larger files.", valueName: "MiB"))
  var keepFile = VersionOptions.usual.fileBytes / VersionOptions.mebibyte

  var limits: VersionLimits {
    var limits = VersionLimits()
    limits.count = keepVersions
    limits.seconds = keepDays * VersionOptions.daySeconds
    limits.totalBytes = keepTotal * VersionOptions.mebibyte
    limits.atOnceBytes = keepAtOnce * VersionOptions.mebibyte
    limits.fileBytes = keepFile * VersionOptions.mebibyte
    return limits
  }

  func check() throws {
    guard keepVersions > 0, keepVersions <= 1_000_000 else {
      throw ValidationError("--keep-versions must be between 1 and 1000000.")
    }
    guard (1...36_500).contains(keepDays) else { throw ValidationError("--keep-days must be between 1 and 36500.") }
    let most: UInt64 = 1 << 30
    guard keepTotal <= most, keepAtOnce <= most, keepFile <= most else {
      throw ValidationError("--keep-total, --keep-at-once and --keep-file must be \(most) MiB at most.")
    }
  }
}
