internal import ClubServices
internal import FileStores
internal import TextUI

/// Drafts of an earlier run or of a note, offered one after the other.
struct DraftOffer: NotesView {
  var drafts: [WaitingText]

  var places: [KeyCommand.Place] { [.draft] }
  var footer: [CommandID] { [.draftOpen, .draftDiscard, .help, .draftLater] }
  var staysOnTop: Bool { true }
  var closesForSearch: Bool { false }

  func handle(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    switch command {
    case .draftOpen: return drafts.first.map { NotesScreen.open($0, &state) } ?? []
    case .draftDiscard: if let draft = drafts.first { NotesScreen.askToDiscard(draft, &state, frame) }
    case .draftLater, .close: NotesScreen.dropOffer(&state)
    default: break
    }
    return []
  }

  func reason(against command: CommandID, _ frame: Frame) -> String? {
    guard command == .quit else { return nil }
    let (later, open) = (frame.keys.name(of: .draftLater), frame.keys.name(of: .draftOpen))
    return "\(later) decides later, \(open) goes on with the text."
  }

  func draw(_ state: NotesState, _ frame: Frame, on canvas: inout Canvas) {
    guard let draft = drafts.first else { return }
    let size = canvas.size
    canvas.text(" Draft of \(draft.shownName): typed, not saved", x: 0, y: 1, style: canvas[.title], width: size.width)
    let age = Age.text(of: Int(draft.changed.seconds), now: Int(frame.now))
    let more = drafts.count - 1
    let facts = " \(ByteCount.text(draft.bytes)), last change: \(age)." + (more > 0 ? " \(more) more after this." : "")
    canvas.text(facts, x: 0, y: 2, width: size.width)
    let later = frame.keys.name(of: .draftLater)
    let isLow = size.height < 12
    var y = isLow ? 3 : 4
    let lines = draft.beginning.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for line in lines.prefix(max(0, size.height - y - (isLow ? 1 : 2))) {
      canvas.text(line, x: 3, y: y, style: canvas[.dim], width: max(0, size.width - 4))
      y += 1
    }
    canvas.text(" \(later) keeps it. :waiting shows all that waits.", x: 0, y: size.height - 1, style: canvas[.dim])
  }
}

extension NotesScreen {
  /// Removes the first draft from the offer, and an empty offer from the screen.
  static func dropOffer(_ state: inout NotesState) {
    guard let index = state.views.lastIndex(where: { $0 is DraftOffer }),
      var offer = state.views[index] as? DraftOffer
    else { return }
    offer.drafts.removeFirst()
    if offer.drafts.isEmpty {
      state.views.remove(at: index)
    } else {
      state.views[index] = offer
    }
  }
}
