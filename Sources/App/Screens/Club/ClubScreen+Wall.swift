internal import ClubServices
internal import FileStores
internal import TextUI

/// The wall as the app's first view.
public struct WallStart: Sendable, Equatable {
  /// For each photo; nil for the config's.
  public let seconds: Int?
  /// A page for phones is asked for at once.
  public let asks: Bool

  public init(seconds: Int?, asks: Bool) { (self.seconds, self.asks) = (seconds, asks) }
}

/// The wall over all tabs: opening, leaving, its keys, and the changes of the photos' list that it follows.
extension ClubScreen {
  static func openWall(_ state: inout ClubState, asks: Bool, endsApp: Bool = false) -> Commands {
    guard state.wall == nil else { return [] }
    // Nothing moves below the wall.
    state.photos.viewer?.motion.rest()
    state.photos.film?.isRunning = false
    state.wall = WallState(seconds: state.wallSeconds, endsApp: endsApp)
    let commands = (state.wall?.explain(state.frame) ?? []) + listOnWall(&state)
    return outer(commands) + (asks ? askOnWall(&state) : [])
  }

  private static func closeWall(_ state: inout ClubState) -> Commands {
    guard let wall = state.wall else { return [] }
    state.wall = nil
    let cancels: Commands = ["read", "words", "turn", "tick", "hush"].map { .cancel(key: "wall.\($0)") }
    if wall.endsApp { return cancels + quit(&state) }
    guard let path = wall.viewer?.path, !state.photos.hasView else { return cancels }
    return cancels + ClubState.outer(PhotosScreen.choose(path, &state.photos, state.frame))
  }

  private static func outer(_ commands: WallState.Commands) -> Commands {
    commands.map { $0.map(ClubEffect.wall, ClubAction.wall) }
  }

  // MARK: Keys

  static func action(onWall key: Key, _ keys: KeyTable) -> ClubAction {
    switch keys.command(for: key, in: [.wall, .everywhere]) {
    case let command? where command == .redraw || command == .suspend: .command(command)
    case let command?: .wall(.input(.command(command)))
    case nil: .wall(.input(.typed(key)))
    }
  }

  static func wall(_ action: WallAction, _ state: inout ClubState) -> Commands {
    guard case .input(let input) = action else { return outer(state.wall?.update(action, state.frame) ?? []) }
    switch input {
    case .command(.wallPause): return outer(state.wall?.pause(state.frame) ?? [])
    case .command(.wallNext): return outer(state.wall?.step(isBack: false, state.frame) ?? [])
    case .command(.wallPrevious): return outer(state.wall?.step(isBack: true, state.frame) ?? [])
    case .command(.wallAsk): return askOnWall(&state)
    case .command(.close), .command(.quit), .command(.interrupt): return closeWall(&state)
    case .command, .typed, .pasted, .mouse: return outer(state.wall?.explain(state.frame) ?? [])
    }
  }

  /// A page that is there is hidden or shown again.
  private static func askOnWall(_ state: inout ClubState) -> Commands {
    if let wall = state.wall, wall.page != nil {
      state.wall?.showPage(!wall.showsPage, state.frame)
      return []
    }
    guard !state.frame.isReader else { return outer(state.wall?.say("\(StoreError.reader)", isFault: true) ?? []) }
    // A second request would make a second page.
    guard state.wall?.asksForPage == false else { return [] }
    state.wall?.asksForPage = true
    return [.run(.photos(.askForPhotos(giver: "")))]
  }

  // MARK: The photos' tab

  /// The answer for a page goes to the wall; nil for other actions.
  static func takeOnWall(_ action: PhotosAction, _ state: inout ClubState) -> Commands? {
    guard state.wall != nil else { return nil }
    switch action {
    case .dropPageMade(let made):
      state.wall?.asksForPage = false
      state.wall?.take(made, state.frame)
      return made.warnings.first.flatMap { state.wall?.say($0, isFault: true) }.map(outer) ?? []
    case .failed(.askForPhotos, let error):
      state.wall?.asksForPage = false
      return outer(state.wall?.say(state.frame.sentence(error), isFault: true) ?? [])
    default: return nil
    }
  }

  /// After each action: the wall follows the list of photos, the connection and the terminal.
  static func followWall(_ action: ClubAction, wasAway: Bool, _ state: inout ClubState) -> Commands {
    guard state.wall != nil else { return [] }
    switch action {
    case .photos(.files(.changed(let set))) where !set.mustRelist:
      return outer(state.wall?.change(set.changes, state.frame) ?? [])
    case .photos(.files(.listed)), .photos(.files(.renamed)), .photos(.files(.moved)), .photos(.files(.trashed)),
      .photos(.files(.undone)), .photos(.uploaded):
      return outer(listOnWall(&state))
    case .photos(.files(.remarks)):
      guard let wall = state.wall, let path = wall.viewer?.path else { return [] }
      return outer([.run(.words(path, member: wall.words.member), key: "wall.words")])
    case .connection: return outer(wasAway == state.frame.isAway ? [] : state.wall?.reconnect(state.frame) ?? [])
    case .resized, .abilities: state.wall?.resize(state.frame)
    default: break
    }
    return []
  }

  /// All photos of the list, whatever its filter and order are.
  private static func listOnWall(_ state: inout ClubState) -> WallState.Commands {
    guard var table = state.photos.files.table else { return [] }
    table.sort(.name)
    table.find("")
    table.open(nil)
    let photos = (0..<table.count).map { row in
      WallOrder.Photo(table.path(at: row), time: table.modified(at: row)?.nanoseconds)
    }
    return state.wall?.list(photos, state.frame) ?? []
  }
}
