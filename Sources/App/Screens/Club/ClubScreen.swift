public import ClubServices
public import FileStores
public import TextUI

/// Tabs on top, a tab's body, the transfer, the last notice, and the active keys.
public enum ClubScreen: Screen {
  public typealias State = ClubState
  public typealias Action = ClubAction
  public typealias Effect = ClubEffect
  public typealias Posting = ClubPosting
  public typealias Commands = [Command<ClubEffect, ClubPosting, ClubAction>]

  static let leastSize = Size(40, 12)

  /// `club` is the club's name. The terminal announces the end of transfers that took `notifyAfter` seconds. `order`
  /// returns the remembered order of a list, which is named by its plural, and `searches` its searches. `pins` (notes),
  /// `notesAreFlat`, `photosLayout`, `photosAreFlat`, `grid` and `copies` are the remembered ones. `utcOffset` is the
  /// seconds of local time from UTC. `clubs` are the names of this machine's clubs. `presence` says if the others are
  /// seen. `asksReader`: the server is asked if the member changes nothing. With `wall` the app begins with
  /// it, and leaving it quits.
  public static func start(
    _ frame: Frame, downloadDirectory: String, uploadDirectory: String = "", club: String, notifyAfter: Int = 20,
    added: [AddedTab] = [], order: (_ list: String) -> ListOrder = { _ in ListOrder() },
    searches: (_ list: String) -> [String] = { _ in [] }, pins: [StorePath] = [],
    scope: NoteScope = NoteScope(photosFolder: StorePath.root.descending(Array("photos".utf8)[...])),
    notesAreFlat: Bool = false, photosLayout: PhotosLayout = .auto, photosAreFlat: Bool = false,
    grid: GridChoice = GridChoice(),
    utcOffset: Int = 0, copies: [DiskCopy] = [], clubs: [String] = [], asksReader: Bool = false, wallSeconds: Int = 20,
    wall: WallStart? = nil, presence: PresenceChoice = .absent
  ) -> (ClubState, Commands) {
    var (notes, commands) = NotesScreen.start(frame, scope, isFlat: notesAreFlat)
    notes.files.order = order(notes.files.words.many)
    notes.files.searches = searches(notes.files.words.many)
    notes.files.pins = Set(pins)
    var photos = PhotosScreen.start(
      frame, downloadDirectory: downloadDirectory, uploadDirectory: uploadDirectory, layout: photosLayout,
      isFlat: photosAreFlat, grid: grid, utcOffset: utcOffset, copies: copies)
    photos.files.order = order(photos.files.words.many)
    photos.files.searches = searches(photos.files.words.many)
    let transfers = TransfersState(club: club, notifyAfter: Int64(clamping: notifyAfter))
    var state = ClubState(
      notes: notes, photos: photos, added: added.map(\.tab), frame: frame, transfers: transfers, clubs: clubs)
    state.wallSeconds = wall?.seconds ?? wallSeconds
    let shown = wall.map { openWall(&state, asks: $0.asks, endsApp: true) } ?? []
    let follow: Commands = frame.connection == nil ? [] : [.run(.followConnection, key: "club.connection")]
    let title: Commands = [.tell(.title("byteclub: \(club)"))]
    let ask: Commands = frame.followsBackground ? [.askBackground] : []
    let reader: Commands = asksReader ? [.run(.askReader, key: "club.reader")] : []
    state.presence = presence
    let others: Commands = if case .on = presence { [.run(.presence(.follow), key: "club.presence")] } else { [] }
    return (state, title + ask + follow + reader + others + ClubState.outer(commands) + shown)
  }

  /// For ages.
  public static func clockRead(_ state: inout ClubState, secondsSince1970: Int64) {
    state.frame.now = secondsSince1970
  }

  public static func eventsCame(_ state: inout ClubState, milliseconds: Int64) { state.eventTime = milliseconds }

  /// A question comes first, then the tab's own keys, then the global ones.
  public static func action(for event: InputEvent, in state: ClubState) -> ClubAction? {
    switch event {
    case .terminate: return .terminated
    case .resize(let size): return .resized(size)
    case .focus(let isFocused): return .focused(isFocused)
    case .resumed: return nil
    case .background(let rgb): return .background(rgb)
    case .report: return nil
    case .abilities(let abilities): return .abilities(abilities)
    case .key(let key) where state.wall != nil: return action(onWall: key, state.frame.keys)
    case .key(let key): return action(for: key, in: state)
    case .paste where state.wall != nil, .mouse where state.wall != nil: return nil
    case .paste(let bytes): return state.line != nil ? .line(.pasted(bytes)) : inView(event, state)
    case .mouse(let mouse) where mouse.kind == .press && mouse.point.y == state.frame.size.height - 1:
      return footerKey(at: mouse.point.x, state).map { action(for: $0, in: state) }
    case .mouse(var mouse):
      guard state.question == nil, state.line == nil, state.captionField == nil else { return nil }
      if state.help != nil { return scrolled(by: mouse) }
      if mouse.point.y == 0 { return mouse.kind == .press ? .topLine(x: mouse.point.x) : nil }
      if isOverPreview(mouse, state) {
        switch mouse.kind {
        case .wheelUp: return .previewScrolled(by: -3)
        case .wheelDown: return .previewScrolled(by: 3)
        default: return nil
        }
      }
      mouse.point.y -= 1
      return inView(.mouse(mouse), state)
    }
  }

  /// The key of the footer at a column; nil where a question lies over it.
  private static func footerKey(at x: Int, _ state: ClubState) -> Key? {
    guard state.question == nil, !state.isAsking else { return nil }
    let footer = ClubFooter.of(state).line(state.frame.keys)
    return footer.item(at: x, width: state.frame.size.width).flatMap { Key($0.key) }
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
    // A typed text takes all keys except those for the terminal.
    let isForTerminal = command == .redraw || command == .suspend || command == .interrupt
    if state.line == nil, state.isLoading { return action(whileLoading: key, state.frame.keys) }
    if state.line != nil {
      if let command, isForTerminal { return .command(command) }
      return .line(state.frame.keys.command(for: key, in: [.path]).map { .command($0) } ?? .typed(key))
    }
    if state.captionField != nil, !state.isAsking, let action = action(inCaption: key) { return action }
    if let action = inView(.key(key), state) {
      // F1 types nothing: it opens the help over the text, until the next key.
      let isHelp = command == .help && key.typed == nil
      guard isTyped(action), isForTerminal || isHelp, let command else { return action }
      return .command(command)
    }
    if state.isAsking { return .keyWithoutMeaning }
    return command.map { .command($0) } ?? tab(key, state) ?? .unboundKey(key)
  }

  /// While a view loads, keys close it, ask for help or for a command, or begin a text for the view that comes. The
  /// others are ignored.
  private static func action(whileLoading key: Key, _ keys: KeyTable) -> ClubAction {
    switch keys.command(for: key, in: [.openNote, .reader, .everywhere]) {
    case let command? where TypeAhead.begins(with: command): .command(command)
    case let command?
    where [.close, .quit, .redraw, .suspend, .interrupt, .commandLine, .help].contains(command): .command(command)
    default: .keyWithoutMeaning
    }
  }

  /// The editor's keys, except those that a field has no lines for.
  private static func action(inCaption key: Key) -> ClubAction? {
    switch key {
    case Key(.enter): .notes(.input(.command(.editorDone)))
    case Key(.up), Key(.down), Key(.pageUp), Key(.pageDown): .keyWithoutMeaning
    default: nil
    }
  }

  /// Tabs beside notes and photos have the next number keys.
  private static func tab(_ key: Key, _ state: ClubState) -> ClubAction? {
    guard let number = key.typed.flatMap({ Int(String($0)) }), number > 2, number <= state.tabs.count else {
      return nil
    }
    return .tab(number - 1)
  }

  private static func scrolled(by mouse: InputEvent.Mouse) -> ClubAction? {
    switch mouse.kind {
    case .wheelUp: .helpScrolled(by: -3)
    case .wheelDown: .helpScrolled(by: 3)
    default: nil
    }
  }

  private static func isTyped(_ action: ClubAction) -> Bool {
    if case .typed = action.memberInput { true } else { false }
  }

  private static func inView(_ event: InputEvent, _ state: ClubState) -> ClubAction? {
    if let talk = state.talk { return talk.action(for: event, state.frame.keys).map(ClubAction.talk) }
    if let news = state.news { return news.action(for: event, state.frame.keys).map(ClubAction.news) }
    if state.transfers.isOpen {
      return TransfersScreen.action(for: event, in: state.transfers, state.frame.keys).map(ClubAction.transfers)
    }
    return state.action(for: event)
  }

  /// One second for countdowns, pauses before retries, and silent transfers. An outage's age changes less often.
  public static func tick(_ state: ClubState) -> Int? {
    // The wall has no clock.
    if state.wall?.viewer != nil { return nil }
    let counts = state.transfers.ticks || state.problem?.countsDown(state.frame) == true
    return counts ? 1 : ClubLine.tick(state.frame)
  }

  public static func update(_ state: inout ClubState, _ action: ClubAction) -> Commands {
    // `flatMap(state.reason)` would copy the whole state.
    let reason: String? = if let command = action.command { state.reason(against: command) } else { nil }
    if isByMember(action) {
      // The wall has no room for a notice; it is seen below.
      if state.wall == nil { state.frame.notice = nil }
      if state.photos.hasView { rest(&state.photos) }
    }
    let (known, wasAway) = (newCount(state), state.frame.isAway)
    let couldGoBack = isEscape(action) && state.canGoBack
    defer {
      if couldGoBack, !state.canGoBack {
        state.wentBack = state.eventTime
      } else if isByMember(action) {
        state.wentBack = nil
      }
    }
    if let reason {
      state.frame.say(reason)
      if isByMember(action) { state.photos.film?.isRunning = false }
    }
    let heard = rereadTalk(action, state)
    let reaction = heard + (reason == nil ? react(&state, action) : [])
    PhotosScreen.record(&state.photos, atMilliseconds: state.eventTime)
    // The answer of a preview moves no selection.
    let isPreview = if case .preview = action { true } else { false }
    let commands =
      reaction + followWall(action, wasAway: wasAway, &state) + tellNews(action, known: known, &state)
      + showLinkedPhoto(&state) + returnToNote(&state)
      + showWantedTalk(&state)
      + followCaption(action, &state)
      + undo(&state) + (isPreview ? [] : followSelection(&state)) + countNames(action, state)
      + listPhotos(&state) + askForPicture(&state) + showSight(&state) + askForNewer(&state)
    // Waits until the first list is visible.
    if !state.transfers.isAttached, state.notes.files.hasBegun {
      state.transfers.isAttached = true
      return commands + [.run(.transfers(.attach))]
    }
    return commands + followLeaving(&state)
  }

  /// The member's input ends a glide and the following of another's gaze.
  private static func rest(_ photos: inout PhotosState) {
    if photos.viewer?.motion.isSwinging == true { photos.viewer?.motion.rest() }
    if photos.viewer?.followsOn == true { photos.viewer?.followsOn = false }
  }

  /// Lists the photos once the notes are visible, because their tab counts them and what is new.
  private static func listPhotos(_ state: inout ClubState) -> Commands {
    guard state.notes.files.table != nil, !state.photos.files.isAsked else { return [] }
    return ClubState.outer(state.photos.list([state.photos.files.list()]))
  }

  /// Another member's save waits while something lies over the text that is edited.
  private static func askForNewer(_ state: inout ClubState) -> Commands {
    let isBelow = state.help != nil || state.line != nil || state.question != nil || state.tab != .notes
    state.notes.isBelow = isBelow || state.hasOverlay || state.transfers.isOpen
    return ClubState.outer(NotesScreen.askForNewer(&state.notes))
  }

  private static func react(_ state: inout ClubState, _ action: ClubAction) -> Commands {
    // Pasting closes the help, so the text is visible.
    if case .pasted = action.memberInput { state.help = nil }
    if case .command(let command) = action.memberInput, let commands = runPreview(command, &state) { return commands }
    if case .command(.photosWalks) = action.memberInput { return openNews(&state, walksOnly: true) }
    if case .command(.photosWall) = action.memberInput { return openWall(&state, asks: false) }
    if case .command(.listNextNew) = action.memberInput, let commands = showOtherNews(&state) { return commands }
    switch action {
    case .preview(.shown(let request, let content)) where request.isBare:
      state.notes.take(content.picture, for: request.path)
      return []
    case .preview(let action):
      state.preview.take(action)
      return []
    case .previewScrolled(let lines):
      state.preview.scroll(by: lines)
      return []
    case .notes(let action): return notes(action, &state)
    case .added(let place, let action): return state.added[place].update(action, &state.frame, as: place)
    case .photos(let action):
      if case .prepared(let id?) = action { state.transfers.expect(id) }
      if let commands = takeOnWall(action, &state) { return commands }
      return photos(action, &state)
    case .transfers(let action): return transfers(action, &state)
    case .talk(let action): return talk(action, &state)
    case .news(let action): return news(action, &state)
    case .wall(let action): return wall(action, &state)
    case .presence(let action): return presence(action, &state)
    case .command(let command): return run(command, &state)
    case .tab(let place): return show(state.tabs[place], &state)
    case .topLine(let x):
      let bar = tabBar(state)
      if !state.isAsking, bar.isTrailing(at: x, width: state.frame.size.width) {
        return leave(to: .clubs(.list), &state)
      }
      guard !state.isAsking, !state.takesText, let place = bar.tab(at: x) else { return [] }
      return show(state.tabs[place], &state)
    case .helpKey(let key):
      switch state.help?.table.handle(key) {
      case .chose(let id): return runFromHelp(id, &state)
      case .closes: state.help = nil
      case .stays, nil: break
      }
      return []
    case .helpScrolled(let rows):
      state.help?.table.scroll(by: rows)
      return []
    case .line(let input): return type(input, &state)
    case .resized(let size):
      state.frame.size = size
      state.help?.table.resize(state.frame.viewSize)
      state.news?.resize(height: state.frame.bodyHeight)
      TransfersScreen.fit(&state.transfers, state.frame)
      return state.tellAll(.resized)
    case .focused(let isFocused):
      state.frame.isWatched = isFocused
      return []
    case .background(let rgb):
      state.frame.take(background: rgb)
      return []
    case .abilities(let abilities):
      state.frame.abilities = abilities
      return state.tellAll(.resized)
    case .keyWithoutMeaning: return []
    case .unboundKey(let key):
      guard state.explainedKeys.insert(key).inserted else { return [] }
      state.frame.say("\(key) does nothing here. \(state.frame.keys.name(of: .help)) shows the keys.")
      return []
    case .dismissedQuestion:
      if state.leaving?.isWaiting == true { state.frame.say("byteclub stays open.") }
      (state.question, state.leavingQuestion, state.leaving, state.next) = (nil, nil, nil, nil)
      return []
    case .connection(let connection): return take(connection, &state)
    case .readerKnown(let isReader):
      state.frame.isReader = isReader
      return []
    case .leave(let leaving): return leave(leaving, &state)
    case .leaveTexts:
      state.question = nil
      return leave(to: state.next, &state, isSure: true)
    case .sendTexts:
      (state.question, state.next) = (nil, nil)
      return notes(.sendAsked, &state)
    case .terminated:
      state.next = nil
      return [.quit]
    }
  }

  /// Esc leads back everywhere; the quit key does so in a view.
  private static func isEscape(_ action: ClubAction) -> Bool {
    switch action {
    case .helpKey(let key): key == Key(.escape)
    case .command(let command): command == .close
    default:
      switch action.memberInput {
      case .command(let command): command == .close
      case .typed(let key): key == Key(.escape)
      default: false
      }
    }
  }

  /// The member has then seen the last notice.
  private static func isByMember(_ action: ClubAction) -> Bool {
    switch action {
    case .command, .tab, .topLine, .helpKey, .line, .keyWithoutMeaning, .unboundKey, .dismissedQuestion, .sendTexts:
      true
    default:
      switch action.memberInput {
      case nil, .mouse: false
      case .command, .typed, .pasted: true
      }
    }
  }

  static func notes(_ action: NotesAction, _ state: inout ClubState) -> Commands {
    state.notes.photos = state.notes.hasText ? state.photos.files.table : nil
    return ClubState.outer(NotesScreen.update(&state.notes, action, &state.frame))
  }

  /// Shows the photo of a link that the member has followed.
  private static func showLinkedPhoto(_ state: inout ClubState) -> Commands {
    guard let wanted = state.notes.wantedPhoto else { return [] }
    state.notes.wantedPhoto = nil
    guard let photo = picture(wanted.words, from: wanted.note, state.photos.files, state.notes.files) else {
      state.frame.complain("\"\(wanted.words.path)\" is not a path of the club.")
      return []
    }
    let commands = show(.photos, &state) + photos(.asked(photo), &state)
    state.returnsToNote = true
    return commands
  }

  static func photos(_ action: PhotosAction, _ state: inout ClubState) -> Commands {
    ClubState.outer(PhotosScreen.update(&state.photos, action, &state.frame))
  }

  /// Shows the note again whose link led to a photo, once the member has closed the photo.
  private static func returnToNote(_ state: inout ClubState) -> Commands {
    state.returnsToNote && state.tab == .photos && !state.photos.hasView && state.photos.door == nil
      ? show(.notes, &state) : []
  }
}
