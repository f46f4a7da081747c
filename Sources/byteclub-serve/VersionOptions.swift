import ArgumentParser
import StoreServer

/// How much of old versions the server keeps.
struct VersionOptions: ParsableArguments {
  private static let mebibyte: UInt64 = 1 << 20
  private static let daySeconds: Int64 = 86_400
  private static let usual = VersionLimits()

  @Option(help: ArgumentHelp("The most versions of one file; the oldest go.", valueName: "count"))
  var keepVersions = VersionOptions.usual.count
  @Option(
    help: ArgumentHelp(
      "Versions that were replaced so long ago go; the newest of a file, also of a deleted one, stays.",
      valueName: "days"))
  var keepDays = VersionOptions.usual.seconds / VersionOptions.daySeconds
  @Option(help: ArgumentHelp("When all old versions together are larger, the oldest go.", valueName: "MiB"))
  var keepTotal = VersionOptions.usual.totalBytes / VersionOptions.mebibyte
  @Option(
    help: ArgumentHelp(
      "Files up to here are kept as soon as the server sees them, whoever wrote them; larger ones only when a member "
        + "replaces or deletes them.", valueName: "MiB"))
  var keepAtOnce = VersionOptions.usual.atOnceBytes / VersionOptions.mebibyte
  @Option(help: ArgumentHelp("Larger files are not kept at all.", valueName: "MiB"))
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
