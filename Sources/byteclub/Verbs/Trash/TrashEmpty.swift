import ArgumentParser
import ClubServices
import FileStores
import Glibc
import TextUI

/// `byteclub trash empty`.
struct TrashEmpty: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "empty", abstract: "Delete the files in the trash.",
    discussion: Examples.text([
      "byteclub trash empty": "asks first",
      "byteclub trash empty --older-than 30d --yes": "for scripts: only files removed more than 30 days ago",
    ])
      + "\n\nThe history of a name still has what was emptied from the trash: byteclub note history NAME. A folder "
      + "club keeps files of up to 4 MiB there, not larger ones. Dropbox keeps deleted files for 30 days or longer.")

  @Flag(help: "Do not ask. Needed without a terminal, and with --json.") var yes = false
  @Option(
    help: ArgumentHelp(
      "Only files removed longer ago than this: a number of days (30d), weeks (2w) or hours (12h).",
      valueName: "age"), transform: TrashAge.init)
  var olderThan: TrashAge?
  @OptionGroup var shared: SharedOptions

  func validate() throws {
    guard yes || (!shared.json && StandardInput.isTerminal && isatty(STDERR_FILENO) == 1) else {
      throw ValidationError("byteclub asks before it empties the trash, and cannot ask here. Add --yes.")
    }
  }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    let all = try await notes.trashed()
    let end = olderThan.map { Timestamp.now().nanoseconds - $0.nanoseconds }
    let files = all.filter { file in end.map { file.discarded.nanoseconds < $0 } ?? true }
    guard let oldest = files.last else {
      return Answer([], notice: all.isEmpty ? "The trash is empty." : "The trash has no file that old.")
    }
    if !yes {
      let (count, time) = (TrashEmpty.count(files), RFC3339.text(Timestamp(seconds: oldest.discarded.seconds)))
      let fate = TrashEmpty.fate(session.open.club.store.revisions)
      session.notice("Delete \(count)? The oldest, \"\(oldest.origin)\", was removed at \(time). \(fate) [y/N]")
      let answer = try await StandardInput.readLine(session.setup.pool) ?? ""
      guard ["y", "yes"].contains(answer.lowercased()) else { return Answer([], notice: "Nothing was deleted.") }
    }
    var answer = Answer()
    // What came into the trash since it was listed stays.
    if try await notes.trashed().map(\.id) == files.map(\.id) {
      _ = try await notes.emptyTrash()
      answer.records = files.map(TrashEmpty.record)
    } else {
      answer = try await Several.perform(files) { file throws(StoreError) in
        try await notes.delete(trashed: file.id)
        return TrashEmpty.record(file)
      }
    }
    answer.notices.append("Deleted \(TrashEmpty.count(files.prefix(answer.records.count))).")
    return answer
  }

  /// What becomes of deleted files, as a sentence.
  static func fate(_ history: (any RevisionHistory)?) -> String {
    guard let history else { return "This cannot be undone." }
    let rest = "stay in the history of their names: byteclub note history NAME."
    guard let largest = history.largestKept else { return "Deleted files \(rest)" }
    return "Files of up to \(ByteCount.text(largest)) \(rest) Larger ones cannot be restored."
  }

  private static func count(_ files: some Collection<TrashedFile>) -> String {
    files.count == 1 ? "one file" : "\(files.count) files"
  }

  private static func record(_ file: TrashedFile) -> Record { Record(.trashed(file), line: file.origin.bytes) }
}

/// How long ago, as `--older-than` says it.
struct TrashAge: Sendable, Equatable {
  let nanoseconds: Int64

  /// - Throws: `ValidationError` for what is no age.
  init(_ text: String) throws {
    let hours: [Character: Int64] = ["h": 1, "d": 24, "w": 7 * 24]
    guard let unit = text.last.flatMap({ hours[$0] }), let number = Int64(text.dropLast()), (0...100_000) ~= number
    else { throw ValidationError("\"\(text)\" is not an age. Write a number with d, w or h, such as 30d.") }
    nanoseconds = number * unit * 3_600_000_000_000
  }
}
