internal import ClubServices
internal import FileStores
public import TextUI

/// The notes: a list, and over it a reader, an editor, a form for new notes and the questions about drafts and
/// conflicts.
public enum NotesScreen: Screen {
  /// The tab.
  public typealias State = NotesState
  /// What happens to it.
  public typealias Action = NotesAction
  /// What it asks to be done.
  public typealias Effect = NotesEffect
  typealias Commands = [Command<NotesEffect, NotesAction>]

  /// The first state and what to do at once.
  public static func start(_ frame: Frame) -> (NotesState, [Command<NotesEffect, NotesAction>]) {
    var state = NotesState(frame: frame)
    state.isListing = true
    fit(&state)
    return (state, [.run(.list, key: "notes.list")])
  }

  /// Ages are as of this moment.
  public static func clockRead(_ state: inout NotesState, secondsSince1970: Int64) {
    state.frame.now = secondsSince1970
  }

  /// What an event means to the topmost view; nil when nothing.
  public static func action(for event: InputEvent, in state: NotesState) -> NotesAction? {
    switch event {
    case .key(let key):
      if let question = state.question { return question.answer(for: key).map { $0.action ?? .dismissedQuestion } }
      if let command = state.frame.keys.command(for: key, in: places(state)) { return .command(command) }
      return takesText(state) ? .typed(key) : nil
    case .paste(let bytes): return takesText(state) ? .pasted(bytes) : nil
    case .mouse(let mouse): return state.question == nil ? .mouse(mouse) : nil
    case .resize: return .resized
    case .terminate, .resumed: return nil
    }
  }

  /// Whether keys that type something go into a text now.
  public static func takesText(_ state: NotesState) -> Bool {
    switch state.views.last {
    case .editor, .form, .rename: true
    case nil: state.find.isTyping
    default: false
    }
  }

  /// Whether a view or a question lies over the list.
  public static func isCovered(_ state: NotesState) -> Bool { !state.views.isEmpty || state.question != nil }

  /// Where keys are looked up now, the nearest first.
  public static func places(_ state: NotesState) -> [KeyCommand.Place] {
    switch state.views.last {
    case nil: state.find.isTyping ? [] : [.notes, .lists]
    case .opening: []
    case .reader: [.reader]
    case .editor: [.editor]
    case .form: [.form]
    case .conflict: [.conflict, .reader]
    case .draft: [.draft]
    case .rename: [.path]
    }
  }

  /// The commands for the footer.
  public static func footer(_ state: NotesState) -> [CommandID] {
    switch state.views.last {
    case nil:
      state.find.isTyping
        ? []
        : [.listOpen, .notesNew, .find, .notesExternal, .refresh, .help, .notesTrash, .notesRename, .listSort, .quit]
    case .opening: [.quit]
    case .reader(let reader):
      reader.note.content == .text
        ? [.readerEdit, .readerExternal, .readerPageDown, .help, .quit] : [.readerPageDown, .help, .quit]
    case .editor: [.editorDone, .editorCancel, .editorUndo]
    case .form: [.formDone, .formNext, .formCancel]
    case .conflict: [.conflictMine, .conflictTheirs, .conflictBoth, .conflictEdit, .conflictLater]
    case .draft(let offer):
      offer.drafts.isEmpty ? [.draftOpen, .draftLater] : [.draftOpen, .draftDiscard, .draftLater]
    case .rename: [.pathAccept, .pathCancel]
    }
  }

  /// Acts.
  public static func update(_ state: inout NotesState, _ action: NotesAction) -> [Command<NotesEffect, NotesAction>] {
    let commands = react(&state, action)
    showWaiting(&state)
    return commands
  }

  private static func react(_ state: inout NotesState, _ action: NotesAction) -> Commands {
    switch action {
    case .command(let command): return run(command, &state)
    case .typed(let key): return type(key, &state)
    case .pasted(let bytes): return paste(bytes, &state)
    case .mouse(let mouse): return point(mouse, &state)
    case .dismissedQuestion:
      state.question = nil
      return []
    case .resized:
      fit(&state)
      return visibleDetails(state)
    case .listed, .detailed, .allDetailed, .changed, .listFailed, .watchEnded: return fill(&state, action)
    case .confirmedTrash, .confirmedCancel, .confirmedDiscard, .confirmedTheirs:
      state.question = nil
      return happen(&state, action)
    default:
      let depth = state.views.count
      let commands = happen(&state, action)
      // A question stays for as long as the view that it is about is the topmost.
      if state.views.count != depth { state.question = nil }
      return commands
    }
  }

  /// A view that nobody asked for just now comes up only when no key can be meant for something else.
  private static func showWaiting(_ state: inout NotesState) {
    guard !state.waiting.isEmpty, state.question == nil, !takesText(state) else { return }
    switch state.views.last {
    case .opening, .conflict, .draft: return
    default:
      state.views.append(state.waiting.removeFirst())
      fit(&state)
    }
  }

  /// Tells all views the size that they are drawn on.
  static func fit(_ state: inout NotesState) {
    state.list.resize(height: state.frame.bodyHeight)
    for index in state.views.indices {
      switch state.views[index] {
      case .reader(var reader):
        reader.text.resize(state.frame.viewSize)
        state.views[index] = .reader(reader)
      case .editor(var editor):
        editor.text.resize(state.frame.viewSize)
        state.views[index] = .editor(editor)
      case .form(var form):
        form.text.resize(Size(state.frame.size.width, max(1, state.frame.bodyHeight - 2)))
        state.views[index] = .form(form)
      case .conflict(var view):
        view.resize(state.frame)
        state.views[index] = .conflict(view)
      case .opening, .draft, .rename: continue
      }
    }
  }
}
