public import TextUI

/// Where a club is, all clubs of this machine, and signing in.
public enum ClubsScreen: Screen {
  public typealias State = ClubsState
  public typealias Action = ClubsAction
  public typealias Effect = ClubsEffect
  public typealias Commands = [Command<ClubsEffect, Never, ClubsAction>]

  static let leastSize = Size(40, 12)
  /// The commands of `everywhere` that work here.
  private static let general: Set<CommandID> = [.help, .refresh, .redraw, .suspend, .close, .quit, .interrupt]

  static func works(_ command: CommandID, in view: any ClubsView) -> Bool {
    general.contains(command) || command == .find && view.finds
  }

  /// - Parameter current: the open club, to which Esc leads back; nil at the first start.
  /// - Parameter offersThisMachine: the club of this machine can be added; at the first start it always can.
  public static func start(
    _ frame: Frame, _ start: ClubsStart, forms: [PlaceForm], current: String?, offersThisMachine: Bool = false
  ) -> (ClubsState, Commands) {
    let view: any ClubsView =
      switch start {
      case .firstStart: PlacesView(forms: forms, isFirst: true)
      case .add: PlacesView(forms: forms, offersThisMachine: offersThisMachine)
      case .list: ClubsList(current: current)
      case .join(let line): InvitationView(line, joinsAtOnce: true)
      case .signIn(let club): SignInView(club)
      }
    var state = ClubsState(frame, forms: forms, current: current, offersThisMachine: offersThisMachine, view)
    let begun = follow(state.view.begin(), &state)
    let ask: Commands = frame.followsBackground ? [.askBackground] : []
    return (state, [.tell(.title("byteclub"))] + ask + begun)
  }

  /// Nothing here shows the time.
  public static func clockRead(_ state: inout ClubsState, secondsSince1970: Int64) {
    state.frame.now = secondsSince1970
  }

  public static func action(for event: InputEvent, in state: ClubsState) -> ClubsAction? {
    switch event {
    case .terminate: return .terminated
    case .resize(let size): return .resized(size)
    case .focus(let isFocused): return .focused(isFocused)
    case .background(let rgb): return .background(rgb)
    case .abilities(let abilities): return .abilities(abilities)
    case .resumed, .report: return nil
    case .key(let key): return action(for: key, in: state)
    case .paste(let bytes): return state.question == nil ? .input(.pasted(PastedLine.bytes(bytes))) : nil
    case .mouse(var mouse):
      guard state.question == nil else { return nil }
      let body = body(of: state.frame)
      guard state.help == nil else {
        switch mouse.kind {
        case .wheelUp: return .helpScrolled(by: -3)
        case .wheelDown: return .helpScrolled(by: 3)
        default: return nil
        }
      }
      guard body.contains(mouse.point) else { return nil }
      mouse.point.y -= body.y
      return .input(.mouse(mouse))
    }
  }

  /// A question comes first, then the help, then the view's own keys. A field takes all other keys except those for the
  /// terminal.
  private static func action(for key: Key, in state: ClubsState) -> ClubsAction {
    if let question = state.question {
      return question.answer(for: key).map { $0.action ?? .dismissedQuestion } ?? .keyWithoutMeaning
    }
    let (keys, view) = (state.frame.keys, state.view)
    let command = keys.command(for: key, in: [.everywhere]).flatMap { works($0, in: view) ? $0 : nil }
    let isForTerminal = command == .redraw || command == .suspend || command == .interrupt
    if state.help != nil {
      guard let command, isForTerminal, command != .interrupt else { return .helpKey(key) }
      return .input(.command(command))
    }
    if let own = keys.command(for: key, in: view.places) { return .input(.command(own)) }
    if view.takesText {
      guard let command, isForTerminal || command == .help && key.typed == nil else { return .input(.typed(key)) }
      return .input(.command(command))
    }
    if view.takesDigits, let typed = key.typed, ("1"..."9").contains(typed) { return .input(.typed(key)) }
    return command.map { .input(.command($0)) } ?? .unboundKey(key)
  }

  public static func update(_ state: inout ClubsState, _ action: ClubsAction) -> Commands {
    if isByMember(action) { state.frame.notice = nil }
    switch action {
    case .input(.command(let command)): return run(command, &state)
    case .input(let input):
      // Pasting closes the help, so the text is visible.
      if case .pasted = input { state.help = nil }
      return follow(state.view.take(input, state.frame), &state)
    case .helpKey(let key):
      switch state.help?.handle(key) {
      case .chose(let id):
        state.help = nil
        return CommandID(rawValue: id).map { run($0, &state) } ?? []
      case .closes: state.help = nil
      case .stays, nil: break
      }
    case .helpScrolled(let rows): state.help?.scroll(by: rows)
    case .unboundKey(let key):
      guard state.explainedKeys.insert(key).inserted else { return [] }
      state.frame.say("\(key) does nothing here. \(state.frame.keys.name(of: .help)) shows the keys.")
    case .keyWithoutMeaning: break
    case .agreed:
      state.question = nil
      return follow(state.view.agreed(), &state)
    case .dismissedQuestion: state.question = nil
    case .quitAgreed, .terminated: return end(.quit, &state)
    case .resized(let size):
      state.frame.size = size
      state.help?.resize(bodySize(of: state.frame))
    case .focused(let isFocused): state.frame.isWatched = isFocused
    case .background(let rgb): state.frame.take(background: rgb)
    case .abilities(let abilities): state.frame.abilities = abilities
    case .answered(let effect, let answer): return take(answer, to: effect, &state)
    case .failed(let effect, let error):
      if state.expects(effect, isLast: true) { state.view.failed(effect.call, error) }
    }
    return []
  }

  private static func isByMember(_ action: ClubsAction) -> Bool {
    switch action {
    case .input(.mouse): false
    case .input, .helpKey, .unboundKey, .keyWithoutMeaning, .agreed, .dismissedQuestion: true
    default: false
    }
  }
}
