import ArgumentParser
import Backends
import Basics
import CPlatform
import FileStores
import JSON
import POSIX
import StoreServer

struct BackupCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "backup", abstract: "Back up the club into a directory, also while it is served.",
    discussion:
      "The directory gets the members, the index, all files and the old versions. Run again with the same directory, it "
      + "adds what is new. Unfinished uploads are not in it.")
  @Argument(help: ArgumentHelp("An empty directory, or one with earlier backups of the club.", valueName: "dir"))
  var directory: String
  @OptionGroup var place: ServedOptions
  @Flag(help: "Read all contents of earlier backups in the directory again, too, and replace damaged ones.")
  var verify = false
  @Flag(help: "Make no backup: read the newest one in the directory, and name what is damaged. The club is not needed.")
  var check = false
  @Flag(help: "Print one JSON document instead of lines.") var json = false

  func validate() throws {
    guard !check || !verify else { throw ValidationError("--check makes no backup, and --verify makes one. Use one.") }
  }

  func run() async throws {
    if check { return try await checkNewest() }
    let served = try ServedRoot(place.onlyPlace())
    let root = try served.folder(for: "backup")
    let target = Folders.absolute(directory)
    try served.checkOutside(target)
    let pool = BlockingPool(threads: 4)
    let store = try FolderStore(root: root, pool: pool, isFollowed: false, keepsVersions: false, hidesTrash: false)
    let backup = ClubBackup(club: served.name, store: store, own: served.directory, pool: pool)
    let report = try await orStopped(
      "The backup was stopped before its end. Earlier ones in the directory are whole.",
      remedy: "Run it again: it goes on with what is missing.", asJSON: json
    ) { try await backup.run(into: target, isVerified: verify) }
    BackupCommand.complain(report.removed.map { "Removed while the backup ran, and not in it: \($0)" })
    BackupCommand.complain(
      report.renamed.map { "In the backup as \($0.to), because a folder took its place meanwhile: \($0.from)" })
    if report.others > 0 {
      Output.complain("Not in the backup: \(report.others) links and other things that are no files.")
    }
    let result = JSONValue.members([
      "club": .string(served.name), "directory": .string(target), "files": .integer(Int64(report.files)),
      "bytes": .integer(Int64(clamping: report.bytes)), "versions": .integer(Int64(report.versions)),
      "members": .integer(Int64(report.members)), "newContents": .integer(Int64(report.newContents)),
      "removed": .array(report.removed.map(JSONValue.string)),
      "renamed": .array(report.renamed.map { .members(["from": .string($0.from), "to": .string($0.to)]) }),
      "others": .integer(Int64(report.others)),
    ])
    let line =
      "Backed up \(report.files) files (\(report.bytes) bytes), \(report.versions) old versions and \(report.members) "
      + "members of \"\(served.name)\" to \(target): \(report.newContents) contents were new."
    try Reply([Reply.Result(result, lines: line)]).write(asJSON: json)
  }

  private func checkNewest() async throws {
    let target = Folders.absolute(directory)
    let check = try await ClubBackup.check(target, pool: BlockingPool(threads: 4))
    BackupCommand.complain(check.damaged.map { "Damaged: \($0)" })
    let result = JSONValue.members([
      "club": .string(check.club), "directory": .string(target), "made": .integer(check.made),
      "files": .integer(Int64(check.files)), "versions": .integer(Int64(check.versions)),
      "damaged": .array(check.damaged.map(JSONValue.string)),
    ])
    let state = check.damaged.isEmpty ? "All is whole" : "\(check.damaged.count) of them are damaged"
    let line =
      "The backup of \"\(check.club)\" in \(target) has \(check.files) files and \(check.versions) old versions. \(state)."
    try Reply([Reply.Result(result, lines: line)]).write(asJSON: json)
    if !check.damaged.isEmpty { throw ExitCode(ExitStatus.partlyFailed.rawValue) }
  }

  fileprivate static func complain(_ lines: [String]) {
    for line in lines.prefix(20) { Output.complain(line) }
    if lines.count > 20 { Output.complain("And \(lines.count - 20) more.") }
  }
}

struct RestoreCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "restore", abstract: "Restore the club of a backup into an empty folder.",
    discussion:
      "The members' tokens stay good. Programs go on where the backup was made, or list anew if they have seen later "
      + "changes. If it is interrupted, run it again. A damaged content costs its own file alone: it is named, and the "
      + "exit status is 8. Run again, the command restores what it left out, also when the club is in use by then.")
  @Argument(help: ArgumentHelp("The directory with the backup.", valueName: "dir")) var directory: String
  @OptionGroup var place: ServedOptions
  @Flag(help: "Restore also the backup of a club that has another name than --club-root gives.") var otherClub = false
  @Flag(help: "Print one JSON document instead of lines.") var json = false

  func run() async throws {
    let only = try place.onlyPlace()
    if let root = only.root { try FolderStore.create(root: root) }
    let served = try ServedRoot(only, mayBeUnfinished: true)
    let root = try served.folder(for: "restore")
    let source = Folders.absolute(directory)
    try served.checkOutside(source)
    let pool = BlockingPool(threads: 4)
    let store = try FolderStore(root: root, pool: pool, isFollowed: false, keepsVersions: false, hidesTrash: false)
    let restoration = ClubRestoration(
      root: root, store: store, own: served.directory, pool: pool,
      club: otherClub ? nil : only.name)
    let report = try await orStopped(
      "The restoration was stopped before its end. The club cannot be served until it is whole.",
      remedy: "Run it again: it goes on where it stopped.", asJSON: json
    ) { try await restoration.run(from: source) }
    let result = JSONValue.members([
      "club": .string(report.club), "root": .string(root), "made": .integer(report.made),
      "files": .integer(Int64(report.files)), "bytes": .integer(Int64(clamping: report.bytes)),
      "versions": .integer(Int64(report.versions)), "members": .integer(Int64(report.members)),
      "damaged": .array(report.damaged.map(JSONValue.string)), "taken": .array(report.taken.map(JSONValue.string)),
    ])
    BackupCommand.complain(
      report.damaged.map { "Not restored, because the backup of it cannot be read, or is damaged: \($0)" }
        + report.taken.map { "Not restored, because another file has its name by now: \($0)" })
    if !report.damaged.isEmpty {
      Output.complain("Once the backup can be read, run this again: it restores what is missing.")
    }
    let line =
      report.isCompletion
      ? "Restored \(report.files) files (\(report.bytes) bytes) and \(report.versions) old versions that were missing in "
        + "\(root). \(report.damaged.count) are still missing."
      : "Restored \(report.files) files (\(report.bytes) bytes), \(report.versions) old versions and \(report.members) "
        + "members of \"\(report.club)\" to \(root). Serve it: byteclub serve \(served.choice)"
    try Reply([Reply.Result(result, lines: line)]).write(asJSON: json)
    if !report.damaged.isEmpty || !report.taken.isEmpty { throw ExitCode(ExitStatus.partlyFailed.rawValue) }
  }
}

/// Runs a long command. Ctrl-C and SIGTERM end the program at once, with a sentence: only what is whole has its final name
/// by then.
private func orStopped<Report: Sendable>(
  _ sentence: String, remedy: String, asJSON: Bool, _ body: () async throws -> Report
) async throws -> Report {
  let numbers = [SIGINT, SIGTERM]
  cp_signals_catch(numbers, Int32(numbers.count))
  defer { cp_signals_leave() }
  Task {
    await BlockingPool(threads: 1).run {
      guard cp_signals_wait(-1) != Int32(CP_SIGNALS_END) else { return }
      Reply.refuse(StoreError(.cancelled, sentence, remedy: remedy), asJSON: asJSON)
      _exit(ExitStatus.interrupted.rawValue)
    }
  }
  return try await body()
}

extension ServedRoot {
  /// - Throws: `unsupported` for a club of another store.
  fileprivate func folder(for verb: String) throws(StoreError) -> String {
    if let path { return path }
    throw StoreError(
      .unsupported, "\"byteclub serve \(verb)\" is for folders, and the files of \"\(name)\" are in another store.",
      remedy: "Copy the files with: byteclub club copy")
  }

  /// - Throws: `badInput` for a directory of backups inside the club's folder or the server's own data, or around them.
  fileprivate func checkOutside(_ directory: String) throws(StoreError) {
    let target = Folders.resolved(directory)
    for place in [path, Folders.resolved(self.directory.path)].compactMap({ $0 }) {
      guard !ServedRoot.isSame(target, orBelow: place), !ServedRoot.isSame(place, orBelow: target) else {
        throw StoreError(
          .badInput, "The directory of the backup, \"\(directory)\", and \"\(place)\" overlap.",
          remedy: "Name a directory elsewhere, best on another disk.")
      }
    }
  }
}
