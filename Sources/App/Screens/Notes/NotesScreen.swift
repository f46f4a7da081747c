internal import ClubServices
internal import FileStores
internal import TextUI

/// The notes: a list, and over it a reader, an editor, a form for new notes and the questions about drafts and
/// conflicts.
enum NotesScreen {
  typealias Commands = [Command<NotesEffect, NotesPosting, NotesAction>]

  /// The first state and what to do at once.
  static func start(_ frame: Frame, _ scope: NoteScope, isFlat: Bool = false) -> (NotesState, Commands) {
    var state = NotesState(scope)
    if isFlat { state.files.open(nil) }
    state.files.resize(frame)
    let commands = list([state.files.list()])
    return (state, commands)
  }

  /// Changes the state by an action, and returns the commands.
  static func update(_ state: inout NotesState, _ action: NotesAction, _ frame: inout Frame) -> Commands {
    let (depth, opening) = (state.views.count, state.opening)
    state.files.clock = frame.queryClock
    var folder: [UInt8]?
    if case .files(let event) = action, event.keepsChoice, state.files.wanted == nil {
      folder = state.files.selectedAlbum?.path
    }
    var commands = step(&state, action, &frame)
    state.files.keepAlbum(folder)
    if state.views.count >= depth { commands += handle(typedFor: opening, &state, &frame) }
    commands += keepSending(&state, frame, after: action)
    forgetTags(&state)
    if state.views.count != depth { fit(&state, frame) }
    commands += state.lookBeside(frame)
    showWaiting(&state, frame)
    // The words of a long text are counted, and a search in it goes on, a part at a time.
    if state.views.count != depth { commands += looking(state) }
    return state.files.takeMoved() ? visibleDetails(state) + commands : commands
  }

  /// Takes an action; an editor that it opens has its keys at once.
  static func step(_ state: inout NotesState, _ action: NotesAction, _ frame: inout Frame) -> Commands {
    let commands = react(&state, action, &frame)
    if frame.editorKeys == .vi { useVi(&state) }
    return commands
  }

  private static func react(_ state: inout NotesState, _ action: NotesAction, _ frame: inout Frame) -> Commands {
    switch action {
    case .input(.command(.mergeShow)): return showMerge(&state, &frame)
    case .input(.command(let command)): return run(command, &state, &frame)
    case .input(.typed(let key)): return type(key, &state, &frame)
    case .input(.pasted(let bytes)): return paste(bytes, &state, &frame)
    case .input(.mouse(let mouse)): return point(mouse, &state, &frame)
    case .resized:
      state.files.resize(frame)
      fit(&state, frame)
      return []
    case .answered(let action):
      state.question = nil
      return action.map { react(&state, $0, &frame) } ?? []
    case .files(let action): return update(&state, action, &frame)
    case .asked(let path): return open(path, &state)
    case .writingAsked(let path): return open(path, &state, to: .write)
    case .opening(let path, let bytes, let head):
      guard var opening = state.opening, opening.path == path else { return [] }
      opening.read = bytes
      if let head { opening.head = TextReader(head) }
      state.replaceTop(opening)
      return []
    case .linkAsked(let link): return follow(LinkTarget(link), from: .root, &state, &frame)
    case .reconnected:
      mayBeBehind(&state)
      return []
    case .waitingAsked: return openWaiting(&state, frame)
    case .todayAsked: return [.run(.findToday, key: "notes.today")]
    case .tagsAsked: return openTags(&state, frame)
    case .picture(let action): return happen(action, &state, &frame)
    case .foundWaiting, .failed(.findWaiting, _), .waiting, .readWaiting, .sendAsked, .timeToSend, .sent, .nameSent,
      .sentAll, .keeping, .discarded:
      return keepingQuestion(&state) { happenToWaiting(&$0, action, &frame) }
    case .trashAsked, .trashListed, .failed(.lookTrash, _), .restoredFromTrash, .trashedRead,
      .failed(.lookAtTrashed, _):
      return keepingQuestion(&state) { happenToTrash(&$0, action, &frame) }
    case .lookedOn: return lookOn(&state, &frame)
    case .historyListed, .failed(.history, _), .versionRead, .differenceRead, .versionSeen, .failed(.lookAtVersion, _),
      .blamed, .failed(.blame, _),
      .confirmedRestore, .restoredVersion, .failed(.restoreVersion, _):
      return keepingQuestion(&state) { happenToHistory(&$0, action, &frame) }
    default:
      return keepingQuestion(&state) { happen(&$0, action, &frame) }
    }
  }

  /// Keeps a question only while its view stays on top.
  private static func keepingQuestion(
    _ state: inout NotesState, _ body: (inout NotesState) -> Commands
  ) -> Commands {
    let depth = state.views.count
    let commands = body(&state)
    if state.views.count != depth { state.question = nil }
    return commands
  }

  /// A view that nobody asked for just now comes up only when no key can be meant for something else.
  private static func showWaiting(_ state: inout NotesState, _ frame: Frame) {
    guard state.question == nil, !state.takesText else { return }
    guard state.views.last?.staysOnTop != true else { return }
    if state.asksRemoval { return askRemoval(&state) }
    if !state.questions.isEmpty {
      state.question = state.questions.removeFirst()
      return
    }
    guard !state.waiting.isEmpty else { return }
    state.views.append(state.waiting.removeFirst())
    fit(&state, frame)
  }

  static func list(_ commands: FileList.Commands) -> Commands {
    commands.map { $0.map(NotesEffect.files, NotesAction.files) }
  }

  /// Tells the topmost view the size that it is drawn on. A view below gets it when it is on top again.
  static func fit(_ state: inout NotesState, _ frame: Frame) {
    guard !state.views.isEmpty else { return }
    state.views[state.views.count - 1].resize(frame)
  }
}
