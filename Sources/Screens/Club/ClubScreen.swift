public import TextUI

/// The app: tabs on top, a tab's body, the transfer, the last notice, and the keys that work now.
public enum ClubScreen: Screen {
  /// The whole app.
  public typealias State = ClubState
  /// What happens to it.
  public typealias Action = ClubAction
  /// What it asks to be done.
  public typealias Effect = ClubEffect
  typealias Commands = [Command<ClubEffect, ClubAction>]

  /// The least size that is drawn.
  static let leastSize = Size(40, 12)

  /// The first state and what to do at once. The directories are proposed for downloads and uploads; `club` is the name
  /// of the club, `notifyAfter` the seconds that a transfer must have taken for its end to be told by the terminal.
  public static func start(
    _ frame: Frame, downloadDirectory: String, uploadDirectory: String = "", club: String, notifyAfter: Int = 20
  ) -> (ClubState, [Command<ClubEffect, ClubAction>]) {
    let (notes, commands) = NotesScreen.start(frame)
    let photos = PhotosScreen.start(
      frame, downloadDirectory: downloadDirectory, uploadDirectory: uploadDirectory)
    let transfers = TransfersState(club: club, notifyAfter: Int64(clamping: notifyAfter))
    let state = ClubState(notes: notes, photos: photos, frame: frame, transfers: transfers)
    let follow: Commands = frame.connection == nil ? [] : [.run(.followConnection, key: "club.connection")]
    return (state, follow + commands.map { $0.map(ClubEffect.notes, ClubAction.notes) })
  }

  /// Ages are as of this moment.
  public static func clockRead(_ state: inout ClubState, secondsSince1970: Int64) {
    state.frame.now = secondsSince1970
    NotesScreen.clockRead(&state.notes, secondsSince1970: secondsSince1970)
    PhotosScreen.clockRead(&state.photos, secondsSince1970: secondsSince1970)
  }

  /// A question comes first, then the tab's own keys, then those that work everywhere.
  public static func action(for event: InputEvent, in state: ClubState) -> ClubAction? {
    switch event {
    case .terminate: return .terminated
    case .resize(let size): return .resized(size)
    case .focus(let isFocused): return .focused(isFocused)
    case .resumed: return nil
    case .key(let key): return action(for: key, in: state)
    case .paste(let bytes): return state.line != nil ? .line(.pasted(bytes)) : inView(event, state)
    case .mouse(var mouse):
      guard state.question == nil, state.line == nil else { return nil }
      if state.help != nil { return scrolled(by: mouse) }
      if mouse.point.y == 0 { return mouse.kind == .press ? .topLine(x: mouse.point.x) : nil }
      mouse.point.y -= 1
      return inView(.mouse(mouse), state)
    }
  }

  private static func action(for key: Key, in state: ClubState) -> ClubAction {
    if let question = state.question {
      return question.answer(for: key).map { $0.action ?? .dismissedQuestion } ?? .keyWithoutMeaning
    }
    if state.leaving?.isWaiting == true, key == Key(.escape), state.help == nil, state.line == nil, !state.isCovered {
      return .dismissedQuestion
    }
    let command = state.frame.keys.command(for: key, in: [.everywhere])
    if state.help != nil {
      return command == .suspend || command == .redraw ? .command(command ?? .redraw) : .helpKey(key)
    }
    // A text being typed takes all keys but those that are for the terminal itself.
    let isForTerminal = command == .redraw || command == .suspend || command == .interrupt
    if state.line == nil, state.isLoading {
      guard let command, isForTerminal || command == .close || command == .quit else { return .keyWithoutMeaning }
      return .command(command)
    }
    if state.line != nil {
      if let command, isForTerminal { return .command(command) }
      return .line(state.frame.keys.command(for: key, in: [.path]).map { .command($0) } ?? .typed(key))
    }
    if let action = inView(.key(key), state) {
      // F1 types nothing: the help is over the text until the next key.
      let isHelp = command == .help && key.typed == nil
      guard isTyped(action), isForTerminal || isHelp, let command else { return action }
      return .command(command)
    }
    if state.isAsking { return .keyWithoutMeaning }
    return command.map { .command($0) } ?? .unboundKey(key)
  }

  private static func scrolled(by mouse: InputEvent.Mouse) -> ClubAction? {
    switch mouse.kind {
    case .wheelUp: .helpScrolled(by: -3)
    case .wheelDown: .helpScrolled(by: 3)
    default: nil
    }
  }

  private static func isTyped(_ action: ClubAction) -> Bool {
    switch action {
    case .notes(.input(.typed)), .photos(.input(.typed)): true
    default: false
    }
  }

  private static func inView(_ event: InputEvent, _ state: ClubState) -> ClubAction? {
    if state.transfers.isOpen {
      return TransfersScreen.action(for: event, in: state.transfers, state.frame.keys).map(ClubAction.transfers)
    }
    return switch state.tab {
    case .notes: NotesScreen.action(for: event, in: state.notes).map(ClubAction.notes)
    case .photos: PhotosScreen.action(for: event, in: state.photos).map(ClubAction.photos)
    }
  }

  /// Countdowns, pauses before something is tried again, transfers of which nothing is heard, and the age of an outage change by time alone.
  public static func tick(_ state: ClubState) -> Int? {
    let counts = state.transfers.ticks || state.shown.problem?.countsDown(state.frame) == true
    return counts ? 1 : ClubLine.tick(state.frame)
  }

  /// Acts, or hands on to a tab.
  public static func update(_ state: inout ClubState, _ action: ClubAction) -> [Command<ClubEffect, ClubAction>] {
    if isByMember(action) { state.frame.notice = nil }
    let commands = react(&state, action) + undo(&state)
    // What can wait until the first list is on the screen.
    if !state.transfers.isAttached, state.notes.files.hasBegun {
      state.transfers.isAttached = true
      return commands + [.run(.transfers(.attach))]
    }
    return commands + followLeaving(&state)
  }

  private static func react(_ state: inout ClubState, _ action: ClubAction) -> Commands {
    switch action {
    case .notes(let action):
      // What is pasted below the help is to be seen.
      if case .input(.pasted) = action { state.help = nil }
      return notes(action, &state)
    case .photos(let action):
      if case .input(.pasted) = action { state.help = nil }
      if case .prepared(let id?) = action { state.transfers.expect(id) }
      return photos(action, &state)
    case .transfers(let action): return transfers(action, &state)
    case .command(let command): return run(command, &state)
    case .topLine(let x):
      guard !state.isCovered, let tab = tabBar(state).tab(at: x).flatMap(ClubState.Tab.init) else { return [] }
      return show(tab, &state)
    case .helpKey(let key):
      if state.help?.table.handle(key) != true { state.help = nil }
      return []
    case .helpScrolled(let rows):
      state.help?.table.scroll(by: rows)
      return []
    case .line(let input): return type(input, &state)
    case .resized(let size):
      state.frame.size = size
      state.help?.table.resize(state.frame.viewSize)
      TransfersScreen.fit(&state.transfers, state.frame)
      return notes(.resized, &state) + photos(.resized, &state)
    case .focused(let isFocused):
      state.frame.isWatched = isFocused
      return []
    case .keyWithoutMeaning: return []
    case .unboundKey(let key):
      guard state.toldKeys.insert(key).inserted else { return [] }
      state.frame.say("\(key) does nothing here. \(state.frame.keys.name(of: .help)) shows the keys.")
      return []
    case .dismissedQuestion:
      if state.leaving?.isWaiting == true { state.frame.say("byteclub stays open.") }
      (state.question, state.leavingQuestion, state.leaving) = (nil, nil, nil)
      return []
    case .connection(let connection): return take(connection, &state)
    case .leave(let leaving): return leave(leaving, &state)
    case .leaveTexts:
      state.question = nil
      return quit(&state, isSure: true)
    case .sendTexts:
      state.question = nil
      return notes(.sendAsked, &state)
    case .terminated: return [.quit]
    }
  }

  /// Whether the member did it: then the last notice has been seen.
  private static func isByMember(_ action: ClubAction) -> Bool {
    switch action {
    case .command, .topLine, .helpKey, .line, .keyWithoutMeaning, .unboundKey, .dismissedQuestion, .sendTexts: true
    case .notes(.input(.mouse)), .photos(.input(.mouse)), .transfers(.input(.mouse)): false
    case .notes(.input), .photos(.input), .transfers(.input): true
    default: false
    }
  }

  static func notes(_ action: NotesAction, _ state: inout ClubState) -> Commands {
    state.notes.frame = state.frame
    let commands = NotesScreen.update(&state.notes, action)
    state.frame = state.notes.frame
    return commands.map { $0.map(ClubEffect.notes, ClubAction.notes) }
  }

  static func photos(_ action: PhotosAction, _ state: inout ClubState) -> Commands {
    state.photos.frame = state.frame
    let commands = PhotosScreen.update(&state.photos, action)
    state.frame = state.photos.frame
    return commands.map { $0.map(ClubEffect.photos, ClubAction.photos) }
  }
}
