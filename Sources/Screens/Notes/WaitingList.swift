internal import ClubServices
internal import FileStores
internal import TextUI

/// All texts that are not in the club, one a row; one of them is chosen.
struct WaitingList: Sendable {
  private(set) var texts: [WaitingText]
  var rows = ListState()

  init(_ texts: [WaitingText], height: Int) {
    self.texts = texts
    rows.setCount(texts.count)
    resize(height: height)
  }

  /// The chosen text.
  var chosen: WaitingText? {
    rows.selected.flatMap { $0 < texts.count ? texts[$0] : nil }
  }

  /// Takes in what waits now; the choice stays on its text.
  mutating func tell(_ texts: [WaitingText]) {
    let before = chosen?.id
    self.texts = texts
    rows.setCount(texts.count)
    if let before, let row = texts.firstIndex(where: { $0.id == before }) { rows.select(row) }
  }

  /// The list is drawn below a heading.
  mutating func resize(height: Int) { rows.resize(height: max(1, height - 1)) }
}

extension WaitingText {
  /// What the member calls it.
  var shownName: String { title.isEmpty ? "a new note" : "\"\(title)\"" }

  /// Whether a place in the club is known for it.
  func isOf(_ path: StorePath) -> Bool { self.path == path && kind != .discarded }

  /// Whether the member saved it, and the club does not have it.
  var isSaved: Bool { kind == .toSend || kind == .conflict }
}

extension WaitingText {
  /// A draft of which no text has been read.
  init(_ draft: Draft) {
    self.init(
      id: .draft(draft.id), kind: .draft, path: draft.path, title: draft.title, base: draft.base,
      changed: draft.changed, bytes: draft.bytes, beginning: [])
  }
}
