internal import FileStores
internal import Merge
internal import TextUI

/// A note's versions, newest first, with a selection.
struct NoteHistory: NotesListView {
  let places: [KeyCommand.Place] = [.history, .moves, .lists]
  let sentences = (row: "version", unread: "The history is not read yet.", empty: "The note has no versions.")
  let own: [CommandID] = [.listOpen, .historyDifference, .historyRestore]
  let refreshes = true
  let path: StorePath
  var list: SideList<FileEntry>
  /// Seconds of the member's time from UTC at each version.
  private var offsets: [Int] = []
  /// The error of the last try, if temporary.
  var problem: Problem?
  /// The words that versions added and removed, as far as they were looked at.
  private var words: [Revision: (added: Int, removed: Int)] = [:]
  /// The version that was asked for last, for the preview.
  private(set) var asked: Revision?
  private var seen: SeenVersion?
  private var failure: String?

  init(_ path: StorePath, height: Int) { (self.path, list) = (path, SideList(height: height)) }

  /// Nil until the store has answered.
  var versions: [FileEntry]? { list.items }

  /// The selected version.
  var chosen: FileEntry? { list.chosen }

  /// The version before it that was kept.
  var before: FileEntry? {
    list.rows.selected.flatMap { row in versions?.dropFirst(row + 1).first(where: \.isKept) }
  }

  /// The chosen version, once, if its difference is to be asked for.
  mutating func wantedVersion() -> FileEntry? {
    guard let chosen, chosen.isKept, let revision = chosen.revision, revision != asked else { return nil }
    (asked, failure) = (revision, nil)
    return chosen
  }

  mutating func take(_ seen: SeenVersion) {
    guard let revision = seen.difference.version?.revision else { return }
    words[revision] = seen.words
    if revision == asked { self.seen = seen }
  }

  mutating func fail(_ version: FileEntry, _ sentence: String) { if version.revision == asked { failure = sentence } }

  /// The newest revision that the member has seen: restoring requires it.
  var newest: Revision? { versions?.first?.revision }

  /// Takes the store's answer.
  mutating func tell(_ versions: [FileEntry], _ offsets: [Int]) {
    (self.offsets, problem) = (offsets, nil)
    list.take(versions) { $0.revision != nil && $0.revision == $1.revision }
  }

  var footer: [CommandID] {
    versions == nil ? [.refresh, .help, .quit] : [.listOpen, .historyDifference, .historyRestore, .help, .quit]
  }

  func reason(against command: CommandID, _ frame: Frame) -> String? {
    KeyCommand.named(command)?.place == .lists && command != .listOpen
      ? frame.onlyOfFiles(command) : reason(inRows: command)
  }

  func draw(_ state: NotesState, _ frame: Frame, on canvas: inout Canvas) {
    let hasPreview = SideFace.listWidth(canvas.size.width) != nil
    let face = SideFace(
      title: "\(path): history", facts: versions.map { "\($0.count.grouped)" } ?? "",
      columns: [
        SideColumn("Age", 8), SideColumn("Time", 16), SideColumn("By", least: 48),
        SideColumn("Words", 9, isRight: true, least: hasPreview ? 0 : .max),
        SideColumn("Size", 8, isRight: true, least: hasPreview ? 70 : 0),
      ], empty: sentences.empty, problem: problem.map { ($0, "byteclub could not read the history.") })
    list.draw(face, frame, on: &canvas) { version, part in
      drawPreview(version, on: &part)
    } row: { row, version in
      let age = version.modified.map { Age.text(of: Int($0.seconds), now: Int(frame.now)) } ?? ""
      // The time has the date, too.
      let first = row == 0 ? "current" : age.contains("-") ? "" : age
      let who = [version.member ?? "", version.isKept ? "" : "not kept"].filter { !$0.isEmpty }
      return SideRow(cells: [
        SideCell(first, row == 0 ? .accent : .text), SideCell(time(ofRow: row, version) ?? "unknown"),
        SideCell(who.joined(separator: "  "), .dim), SideCell(changedWords(of: version), .dim),
        SideCell(version.size.map { ByteCount.short(Int(clamping: $0)).string } ?? "", .dim),
      ])
    }
  }

  /// `+12 -3`; empty while unknown.
  private func changedWords(of version: FileEntry) -> String {
    version.revision.flatMap { words[$0] }.map { "+\($0.added) -\($0.removed)" } ?? ""
  }

  /// The difference to the version before.
  private func drawPreview(_ version: FileEntry, on canvas: inout Canvas) {
    let title = before == nil ? "The first version" : "Changed words"
    canvas.text(title, x: 0, y: 0, style: canvas[.title])
    if let sentence = version.isKept ? failure : NotesScreen.notKept {
      canvas.paragraph(sentence, x: 0, y: 2)
      return
    }
    guard let seen, seen.difference.version?.revision == version.revision else {
      canvas.text("Loading.", x: 0, y: 2, style: canvas[.dim])
      return
    }
    canvas.inside(Rect(0, 2, canvas.size.width, max(0, canvas.size.height - 2))) { part in
      let rows = DifferenceRows(seen.difference.diff, width: part.size.width)
      if rows.rows.isEmpty { part.text("No line differs.", x: 0, y: 0, style: part[.dim]) }
      rows.draw(from: 0, on: &part)
    }
  }

  /// `2026-03-01 14:05` by the member's clock; nil if unknown.
  private func time(ofRow row: Int, _ version: FileEntry) -> String? {
    version.modified.map {
      Age.time(of: Int($0.seconds), offset: offsets.indices.contains(row) ? offsets[row] : 0)
    }
  }
}

/// A version compared with the one before it, for the preview beside the history.
public struct SeenVersion: Sendable {
  let difference: NoteDifference
  let words: (added: Int, removed: Int)

  init(_ difference: NoteDifference) { (self.difference, words) = (difference, difference.diff.changedWords) }
}

extension TextDiff {
  /// The words that only one of the texts has.
  fileprivate var changedWords: (added: Int, removed: Int) {
    func count(_ text: ArraySlice<UInt8>, _ ranges: [Range<Int>]) -> Int {
      let text = Array(text)
      return ranges.reduce(0) { $0 + text[$1].split { $0 <= 0x20 }.count }
    }
    return blocks.filter { !$0.isSame }.reduce(into: (added: 0, removed: 0)) { counts, block in
      let (old, new) = (oldText(of: block.old), newText(of: block.new))
      let words = TextDiff.words(from: old, to: new)
      counts.added += count(new, words.added)
      counts.removed += count(old, words.removed)
    }
  }
}
