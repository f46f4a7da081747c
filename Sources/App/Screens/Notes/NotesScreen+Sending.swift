internal import ClubServices
internal import FileStores
internal import TextUI

/// The state of automatic sending.
struct Resending: Sendable {
  /// True during a round.
  var isSending = false
  /// True if the member requested the round and sees its errors.
  var isAsked = false
  /// The time of the last round, in seconds since 1970.
  var triedAt: Int64?
  /// The texts that the present round has sent as they were, each a note, and the changes of names.
  var sent: [(noun: String, name: String, words: String)] = []
  /// True while the timer for the next round runs.
  var isTimed = false

  /// The least seconds between two automatic rounds: a store may answer many times a second and still refuse a text.
  static let seconds: Int64 = 10

  /// The notice of a round; nil for a single text, which has its own.
  var words: String? {
    let names = sent.filter { $0.noun != "note" }
    guard sent.count > 1 else { return names.first.map { "Sent: \"\($0.name)\" \($0.words)." } }
    guard !names.isEmpty else { return "Saved \(ShortName.list(sent.map { $0.name }))." }
    let parts = ["note", "rename", "removal", "restoration"].compactMap { noun in
      let count = sent.count { $0.noun == noun }
      return count == 0 ? nil : "\(count) \(noun)\(count == 1 ? "" : "s")"
    }
    return "Sent \(sent.count) changes: \(parts.joined(separator: ", "))."
  }
}

/// Waiting saves are sent again when the store has answered any request, when the member asks for it, and every minute.
extension NotesScreen {
  /// After an action: begins a round when the action shows that the store is there, and keeps the timer for as long as
  /// something waits.
  static func keepSending(_ state: inout NotesState, _ frame: Frame, after action: NotesAction) -> Commands {
    var commands: Commands = []
    // Another byteclub on this machine may have left something, too.
    if case .reconnected = action { commands += send(&state, frame, conflicts: false) }
    if isAnswer(action), state.hasToSend,
      state.resending.triedAt.map({ frame.now - $0 >= Resending.seconds }) ?? true
    {
      commands += send(&state, frame, conflicts: false)
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

  /// A removal of many files may be a fault of the server: the member decides, when no key can be meant for something
  /// else, and at each refresh until then.
  static func hold(_ paths: [StorePath], _ state: inout NotesState) {
    let held = Set(paths)
    if !held.isSubset(of: state.held) { state.asksRemoval = true }
    if held.isEmpty { state.asksRemoval = false }
    state.held = held
  }

  static func askRemoval(_ state: inout NotesState) {
    state.asksRemoval = false
    let count = state.held.count
    state.question = Question(
      "The server no longer has \(count) \(count == 1 ? "file" : "files") of this club. Remove them here, too?",
      answers: [.init("y", "remove them", .confirmedRemoval(count)), .init("n", "keep them here", nil)])
  }

  /// The member asks for it.
  static func sendNow(_ state: inout NotesState, _ frame: Frame) -> Commands {
    guard state.hasToSend else { return [] }
    state.resending.isAsked = true
    return send(&state, frame, conflicts: false)
  }

  /// Sends all that waits, unless that is being done.
  static func send(_ state: inout NotesState, _ frame: Frame, conflicts: Bool) -> Commands {
    guard !state.resending.isSending else { return [] }
    (state.resending.isSending, state.resending.sent) = (true, [])
    state.resending.triedAt = frame.now
    return [.run(.sendAll(conflicts: conflicts, isAsked: state.resending.isAsked))]
  }

  /// A round has ended, with this as the last failure.
  static func sendingEnded(_ failure: StoreError?, _ state: inout NotesState, _ frame: inout Frame) {
    if state.resending.isAsked, let failure {
      frame.complain("Some texts were not sent. \(failure)")
    } else if let words = state.resending.words {
      frame.say(words)
    }
    state.resending.isSending = false
    state.resending.isAsked = false
  }

  /// Takes the present list of waiting texts. Notes among them that the store does not have get a row in the list.
  static func tell(_ texts: [WaitingText], _ state: inout NotesState) {
    state.texts = texts.filter { !$0.isElsewhere }
    for index in state.views.indices {
      guard var list = state.views[index] as? WaitingList else { continue }
      list.tell(texts)
      state.views[index] = list
    }
    showNew(&state)
  }

  /// Updates the rows of notes that the store does not have: new ones, and those that someone else deleted.
  static func showNew(_ state: inout NotesState) {
    guard let table = state.files.table else { return }
    let new = state.texts.filter { $0.isSaved && !$0.isName }
    let paths = Set(new.compactMap(\.path))
    let gone = state.newRows.subtracting(paths)
    if !gone.isEmpty { state.files.remove(Array(gone)) }
    state.newRows = state.newRows.intersection(paths)
    for text in new {
      guard let path = text.path, state.scope.isNote(path), !table.contains(path) else { continue }
      state.newRows.insert(path)
      state.files.add(
        FileEntry(path: path, kind: .file, size: UInt64(text.bytes), modified: text.changed, revision: nil),
        isChosen: path == state.files.wanted)
    }
  }

  /// True if the store has answered, so that it may accept a text now.
  private static func isAnswer(_ action: NotesAction) -> Bool {
    switch action {
    case .files(.listed), .files(.detailed), .files(.changed), .files(.renamed), .files(.trashed), .files(.undone),
      .opened, .historyListed, .versionRead, .restoredVersion:
      true
    case .saved(_, .saved, _), .saved(_, .merged, _), .saved(_, .conflict, _): true
    default: false
    }
  }
}
