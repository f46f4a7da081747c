internal import ClubServices
internal import FileStores
internal import TextUI

/// When what waits is sent again.
struct Resending: Sendable {
  /// A round is under way.
  var isSending = false
  /// A round was asked for by the member, who is told why something could not be sent.
  var isAsked = false
  /// When the last round began that nobody asked for.
  var triedAt: Int64?
  /// The timer for the next round runs.
  var isTimed = false

  /// Between two rounds that nobody asked for: a store may answer many times a second and still refuse a text.
  static let seconds: Int64 = 10
}

/// What waits to be sent is sent again: when the store has answered anything, when the member asks for it, and every
/// minute.
extension NotesScreen {
  /// After an action: begins a round when the action shows that the store is there, and keeps the timer for as long as
  /// something waits.
  static func keepSending(_ state: inout NotesState, after action: NotesAction) -> Commands {
    var commands: Commands = []
    if case .reconnected = action, state.hasToSend { commands += send(&state, conflicts: false) }
    if isAnswer(action), state.hasToSend,
      state.resending.triedAt.map({ state.frame.now - $0 >= Resending.seconds }) ?? true
    {
      commands += send(&state, conflicts: false)
    }
    if state.hasToSend, !state.resending.isTimed {
      state.resending.isTimed = true
      commands.append(.run(.awaitSending, key: "notes.resend"))
    } else if !state.hasToSend, state.resending.isTimed {
      state.resending.isTimed = false
      commands.append(.cancel(key: "notes.resend"))
    }
    return commands
  }

  /// The member asks for it.
  static func sendNow(_ state: inout NotesState) -> Commands {
    guard state.hasToSend else { return [] }
    state.resending.isAsked = true
    return send(&state, conflicts: false)
  }

  /// Sends all that waits, unless that is being done.
  static func send(_ state: inout NotesState, conflicts: Bool) -> Commands {
    guard !state.resending.isSending else { return [] }
    state.resending.isSending = true
    state.resending.triedAt = state.frame.now
    return [.run(.sendAll(conflicts: conflicts))]
  }

  /// A round has ended, with this as the last failure.
  static func sendingEnded(_ failure: StoreError?, _ state: inout NotesState) {
    if state.resending.isAsked, let failure {
      state.frame.complain("Some texts were not sent. \(failure)")
    }
    state.resending.isSending = false
    state.resending.isAsked = false
  }

  /// What waits is known anew: new notes among it have a row in the list, as if they were in the club.
  static func tell(_ texts: [WaitingText], _ state: inout NotesState) {
    state.texts = texts.filter { !$0.isElsewhere }
    for index in state.views.indices {
      guard case .waiting(var list) = state.views[index] else { continue }
      list.tell(texts)
      state.views[index] = .waiting(list)
    }
    showNew(&state)
  }

  /// Sees to the rows of notes that the store does not have yet.
  static func showNew(_ state: inout NotesState) {
    guard let table = state.files.table else { return }
    let new = state.texts.filter { $0.isSaved && $0.base == nil }
    let paths = Set(new.compactMap(\.path))
    let gone = state.newRows.subtracting(paths)
    if !gone.isEmpty { state.files.remove(Array(gone)) }
    state.newRows = state.newRows.intersection(paths)
    for text in new {
      guard let path = text.path, !table.contains(path) else { continue }
      state.newRows.insert(path)
      state.files.add(
        FileEntry(path: path, kind: .file, size: UInt64(text.bytes), modified: text.changed, revision: nil),
        isChosen: false)
    }
  }

  /// Whether it came from the store: then a text may be taken now.
  private static func isAnswer(_ action: NotesAction) -> Bool {
    switch action {
    case .files(.listed), .files(.detailed), .files(.changed), .files(.renamed), .files(.trashed), .files(.undone),
      .opened, .historyTold, .versionRead, .restoredVersion:
      true
    case .saved(_, .saved, _), .saved(_, .conflict, _): true
    default: false
    }
  }
}
