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
    state.files.resize(height: frame.bodyHeight)
    let commands = list([state.files.list()])
    return (state, commands)
  }

  /// Ages are as of this moment.
  public static func clockRead(_ state: inout NotesState, secondsSince1970: Int64) {
    state.frame.now = secondsSince1970
  }

  /// What an event means to the topmost view; nil when nothing.
  public static func action(for event: InputEvent, in state: NotesState) -> NotesAction? { state.action(for: event) }

  /// Acts.
  public static func update(_ state: inout NotesState, _ action: NotesAction) -> [Command<NotesEffect, NotesAction>] {
    let commands = react(&state, action) + keepSending(&state, after: action)
    showWaiting(&state)
    return state.files.takeMoved() ? visibleDetails(state) + commands : commands
  }

  private static func react(_ state: inout NotesState, _ action: NotesAction) -> Commands {
    switch action {
    case .input(.command(let command)): return run(command, &state)
    case .input(.typed(let key)): return type(key, &state)
    case .input(.pasted(let bytes)): return paste(bytes, &state)
    case .input(.mouse(let mouse)): return point(mouse, &state)
    case .resized:
      state.files.resize(height: state.frame.bodyHeight)
      fit(&state)
      return []
    case .answered(let action):
      state.question = nil
      return action.map { react(&state, $0) } ?? []
    case .files(let action): return update(&state, action)
    case .asked(let path): return open(path, &state)
    case .reconnected: return []
    case .waitingAsked: return openWaiting(&state)
    case .foundWaiting, .waiting, .readWaiting, .sendAsked, .timeToSend, .sent, .sentAll, .keeping, .discarded:
      return keepingQuestion(&state) { happenToWaiting(&$0, action) }
    case .lookedOn: return lookOn(&state)
    case .historyTold, .historyFailed, .versionRead, .confirmedRestore, .restoredVersion, .restoreFailed:
      return keepingQuestion(&state) { happenToHistory(&$0, action) }
    default:
      return keepingQuestion(&state) { happen(&$0, action) }
    }
  }

  /// A question stays for as long as the view that it is about is the topmost.
  private static func keepingQuestion(
    _ state: inout NotesState, _ body: (inout NotesState) -> Commands
  ) -> Commands {
    let depth = state.views.count
    let commands = body(&state)
    if state.views.count != depth { state.question = nil }
    return commands
  }

  /// A view that nobody asked for just now comes up only when no key can be meant for something else.
  private static func showWaiting(_ state: inout NotesState) {
    guard !state.waiting.isEmpty, state.question == nil, !state.takesText else { return }
    switch state.views.last {
    case .conflict, .draft: return
    case .opening(let opening) where opening.problem == nil: return
    default:
      let view = state.waiting.removeFirst()
      state.views.append(view)
      // My text of a conflict comes back with the conflict.
      if case .conflict = view, case .editor(let editor) = state.waiting.first, editor.conflict != nil {
        state.views.append(state.waiting.removeFirst())
      }
      fit(&state)
    }
  }

  /// The list's commands as the tab's.
  static func list(_ commands: FileList.Commands) -> Commands {
    commands.map { $0.map(NotesEffect.files, NotesAction.files) }
  }

  /// Tells the views over the list the size that they are drawn on.
  static func fit(_ state: inout NotesState) {
    for index in state.views.indices {
      switch state.views[index] {
      case .reader(var reader):
        reader.resize(state.frame.viewSize)
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
      case .history(var history):
        history.resize(height: state.frame.bodyHeight)
        state.views[index] = .history(history)
      case .version(var version):
        version.reader.resize(state.frame.viewSize)
        state.views[index] = .version(version)
      case .waiting(var list):
        list.resize(height: state.frame.bodyHeight)
        state.views[index] = .waiting(list)
      case .opening, .draft: continue
      }
    }
  }
}
