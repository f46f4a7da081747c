internal import ClubServices
internal import FileStores
internal import Merge
internal import TextUI

/// A text compared with the one before it.
public struct NoteDifference: Sendable {
  let path: StorePath
  /// The newer text's version; nil for a merge.
  let version: FileEntry?
  let before: FileEntry?
  let diff: TextDiff
  let merged: MergedNote?

  init(_ path: StorePath, version: FileEntry, before: FileEntry?, diff: TextDiff) {
    (self.path, self.version, self.before, self.diff, merged) = (path, version, before, diff, nil)
  }

  /// The lines that a merge added to the member's own text.
  init(_ merged: MergedNote) {
    (path, version, before, self.merged) = (merged.entry.path, nil, nil, merged)
    diff = TextDiff(from: merged.sides.mine, to: merged.text)
  }
}

/// The lines that differ, with the differing words marked.
struct DifferenceView: NotesView {
  let difference: NoteDifference
  /// The note's newest revision when the history was loaded.
  let newest: Revision?
  private var rows: DifferenceRows
  private(set) var top = 0
  private var size: Size

  init(_ difference: NoteDifference, newest: Revision? = nil, frame: Frame) {
    (self.difference, self.newest, size) = (difference, newest, frame.viewSize)
    rows = DifferenceRows(difference.diff, width: size.width - 1)
    resize(frame)
  }

  var path: StorePath { difference.path }
  var isMerge: Bool { difference.merged != nil }
  private var height: Int { max(1, size.height - 1) }

  mutating func resize(_ frame: Frame) {
    let isSame = frame.viewSize.width == size.width
    size = frame.viewSize
    if !isSame { rows = DifferenceRows(difference.diff, width: size.width - 1) }
    scroll(by: 0)
  }

  mutating func scroll(by distance: Int) { top = max(0, min(top + distance, rows.rows.count - height)) }

  mutating func scroll(_ command: CommandID) {
    guard let way = TextReader.scroll(command) else { return }
    scroll(by: way.rows(height: height) ?? (way == .top ? -top : rows.rows.count))
  }

  var places: [KeyCommand.Place] { isMerge ? [.reader] : [.history, .scrub, .reader] }
  var footer: [CommandID] {
    isMerge
      ? [.undo, .readerPageDown, .help, .quit]
      : [.scrubOlder, .scrubNewer, .historyRestore, .readerPageDown, .help, .quit]
  }

  func handle(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    switch command {
    case .scrubOlder, .scrubNewer:
      return NotesScreen.scrub(command, from: path, toDifference: true, &state, &frame)
    case .historyDifference:
      guard let revision = difference.version?.revision else { return [] }
      state.views.removeLast()
      return NotesScreen.begin(
        OpeningText(path: path, effect: .version(path, revision), key: "notes.history", newest: newest), &state)
    case .historyRestore:
      guard let version = difference.version else { return [] }
      return NotesScreen.askToRestore(version, of: path, over: newest, &state, &frame)
    case .readerEdit, .readerExternal: frame.say("This is a difference: read-only.")
    case .close, .quit: state.views.removeLast()
    default:
      var view = self
      view.scroll(command)
      state.replaceTop(view)
    }
    return []
  }

  func reason(against command: CommandID, _ frame: Frame) -> String? {
    if command == .readerFindNext || command == .readerFindPrevious { return "Find works in lists and notes." }
    var moved = self
    moved.scroll(command)
    return TextReader.end(of: command, isAtTop: moved.top == top, isAtEnd: moved.top == top)
  }

  func draw(_ state: NotesState, _ frame: Frame, on canvas: inout Canvas) {
    let width = canvas.size.width
    let counts = "+\(difference.diff.addedLines) -\(difference.diff.removedLines) lines"
    let left = max(0, width - counts.utf8.count - 2)
    let title = isMerge ? "\(path): merged" : "\(path): difference"
    canvas.text(title, x: 1, y: 0, style: canvas[.title], width: max(0, left - 1))
    canvas.text(counts, x: left + 1, y: 0, style: canvas[.dim])
    canvas.text(sentence(frame), x: 1, y: 1, style: canvas[.dim], width: max(0, width - 2))
    guard !rows.rows.isEmpty else {
      canvas.text("No line differs.", x: 1, y: 3, style: canvas[.dim], width: max(0, width - 2))
      return
    }
    canvas.inside(Rect(1, 2, width - 1, canvas.size.height - 2)) { rows.draw(from: top, on: &$0) }
  }

  private func sentence(_ frame: Frame) -> String {
    if let merged = difference.merged { return "Your text, with the lines of \(merged.whose)." }
    let age = NotesScreen.age(of: difference.version, frame)
    let who = difference.version?.member.map { "\($0), \(age)" } ?? age
    guard let before = difference.before else { return "\(who): the first version" }
    return "\(who), compared with the version of \(NotesScreen.age(of: before, frame))"
  }
}

extension NotesScreen {
  /// `2 h ago`, or a date.
  static func age(of entry: FileEntry?, _ frame: Frame) -> String {
    guard let modified = entry?.modified else { return "an unknown time" }
    let age = Age.text(of: Int(modified.seconds), now: Int(frame.now))
    return age == "now" ? "just now" : age.contains(" ") ? "\(age) ago" : age
  }

  /// Shows the last merge.
  static func showMerge(_ state: inout NotesState, _ frame: inout Frame) -> Commands {
    guard let merged = state.merged else {
      frame.say("Nothing was merged since the start.")
      return []
    }
    if let view = state.views.last as? DifferenceView, view.isMerge { return [] }
    state.views.append(DifferenceView(NoteDifference(merged), frame: frame))
    return []
  }

  /// Opens the version before or after the chosen one of the history.
  static func scrub(
    _ command: CommandID, from path: StorePath, toDifference: Bool, _ state: inout NotesState, _ frame: inout Frame
  ) -> Commands {
    guard let index = historyIndex(of: path, state), var history = state.views[index] as? NoteHistory,
      let versions = history.versions, let row = history.list.rows.selected
    else { return [] }
    let next = command == .scrubOlder ? row + 1 : row - 1
    guard versions.indices.contains(next) else {
      frame.say(command == .scrubOlder ? "This is the oldest version." : "This is the newest version.")
      return []
    }
    history.list.rows.select(next)
    state.views[index] = history
    let commands = toDifference ? openDifference(history, &state, &frame) : openVersion(history, &state, &frame)
    // The view that is scrubbed stays below, if the next one cannot be opened.
    if !commands.isEmpty { state.views.remove(at: state.views.count - 2) }
    return commands
  }

  /// Opens the chosen version's difference to the one before it that was kept.
  static func openDifference(_ history: NoteHistory, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    guard let version = history.chosen else { return [] }
    guard version.isKept else {
      frame.complain(notKept)
      return []
    }
    return begin(
      OpeningText(
        path: history.path, effect: .difference(history.path, version, before: history.before), key: "notes.history",
        newest: history.newest), &state)
  }
}

extension NotesPerformer {
  /// - Throws: as `NotesService.version`.
  func difference(
    of path: StorePath, _ version: FileEntry, _ before: FileEntry?
  ) async throws(StoreError) -> NoteDifference {
    var texts: [[UInt8]] = []
    for entry in [before, version] {
      guard let revision = entry?.revision else {
        texts.append([])
        continue
      }
      texts.append(try await service.version(revision, of: path).bytes)
    }
    return NoteDifference(path, version: version, before: before, diff: TextDiff(from: texts[0], to: texts[1]))
  }
}
