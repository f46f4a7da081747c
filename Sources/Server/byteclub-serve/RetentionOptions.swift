import ArgumentParser
import StoreServer

struct RetentionOptions: ParsableArguments {
  private static let mebibyte: UInt64 = 1 << 20
  private static let daySeconds: Int64 = 86_400

  @Option(help: ArgumentHelp("Files that were put into the trash so long ago are deleted.", valueName: "days"))
  var trashDays = TrashLimits().seconds / RetentionOptions.daySeconds
  @Option(help: ArgumentHelp("The most files in the trash; the oldest are deleted.", valueName: "count"))
  var trashFiles = TrashLimits().count
  @Option(
    help: ArgumentHelp(
      "When all files in the trash together are larger, the oldest are deleted; 0 for no limit.", valueName: "MiB"))
  var trashTotal: UInt64 = 0
  @Option(
    help: ArgumentHelp(
      "The most unfinished uploads of one member; of more, those go to which nothing was added for an hour.",
      valueName: "count"))
  var uploads = SessionLimits().count
  @Option(
    help: ArgumentHelp("The most bytes of one member's unfinished uploads, in the same way.", valueName: "MiB"))
  var uploadsTotal = SessionLimits().totalBytes / RetentionOptions.mebibyte
  @Option(help: ArgumentHelp("Uploads that began so long ago and are not finished go.", valueName: "days"))
  var uploadsDays = SessionLimits().seconds / RetentionOptions.daySeconds

  var trash: TrashLimits {
    var limits = TrashLimits()
    limits.seconds = trashDays * RetentionOptions.daySeconds
    limits.count = trashFiles
    limits.totalBytes = trashTotal == 0 ? nil : trashTotal * RetentionOptions.mebibyte
    return limits
  }

  var sessions: SessionLimits {
    var limits = SessionLimits()
    limits.count = uploads
    limits.totalBytes = uploadsTotal * RetentionOptions.mebibyte
    limits.seconds = uploadsDays * RetentionOptions.daySeconds
    return limits
  }

  func check() throws {
    guard (1...36_500).contains(trashDays), (1...36_500).contains(uploadsDays) else {
      throw ValidationError("--trash-days and --uploads-days must be between 1 and 36500.")
    }
    guard (1...10_000_000).contains(trashFiles) else {
      throw ValidationError("--trash-files must be between 1 and 10000000.")
    }
    guard (1...100_000).contains(uploads) else { throw ValidationError("--uploads must be between 1 and 100000.") }
    guard trashTotal <= 1 << 30, (1...1 << 30).contains(uploadsTotal) else {
      throw ValidationError("--trash-total and --uploads-total must be \(1 << 30) MiB at most.")
    }
  }
}

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
  @Flag(
    help: ArgumentHelp(
      "Let members delete files with all their versions (permanently_delete). Nobody can restore them, except from a "
        + "backup."))
  var allowPermanentDelete = false

  var limits: VersionLimits {
    var limits = VersionLimits()
    limits.count = keepVersions
    limits.seconds = keepDays * VersionOptions.daySeconds
    limits.totalBytes = keepTotal * VersionOptions.mebibyte
    limits.atOnceBytes = keepAtOnce * VersionOptions.mebibyte
    limits.fileBytes = keepFile * VersionOptions.mebibyte
    limits.canBeErased = allowPermanentDelete
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
