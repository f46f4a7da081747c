import Basics
import ClubServices
import FileStores
import POSIX
import Screens
import TextUI

/// The app on one terminal: a club or the screen of clubs, and what comes after it, until the member quits.
final class FullScreen {
  enum Club: Equatable {
    /// As the command line or the config has it.
    case first
    case named(String)
  }

  enum Place {
    /// `said` is a notice for it. With `asksSignIn` a club without a sign-in leads to the sign-in first.
    case club(Club, said: String? = nil, asksSignIn: Bool = true)
    case clubs(ClubsStart, fault: String? = nil)
    case demo
    case quit
  }

  private let options: StartOptions
  private let environment: Environment
  private let shared: SharedServices
  private let terminal: any Terminal
  /// The club that was shown last, or is shown after the sign-in.
  private var current: Club?
  private var currentName: String?
  /// What was typed with the choice of the next club or while it opened. It is for that club alone: in another screen its
  /// letters would be commands.
  private var typed: [InputEvent] = []
  /// Clubs that were left, with saves that may not have ended.
  private var left: [ShownClub] = []
  /// Keeps what was typed in the last of them.
  private var closing: Task<Void, Never>?

  private var base: TransferBase { shared.base }

  init(_ options: StartOptions, _ environment: Environment, _ shared: SharedServices, on terminal: any Terminal) {
    (self.options, self.environment, self.shared, self.terminal) = (options, environment, shared, terminal)
  }

  /// Runs until the member quits. `prepared` is the first club, if it is open.
  /// - Parameter close: gives the terminal back.
  /// - Returns: what the member has chosen in its place: nothing, or the demo.
  func run(from start: Place, _ prepared: PreparedClub? = nil, close: () -> Void = {}) -> Place {
    var place = start
    if let prepared { place = show(prepared, as: .first, close) }
    while true {
      switch place {
      case .club(let club, let said, let asksSignIn):
        switch open(club, asksSignIn: asksSignIn) {
        case .success(var opened):
          if let said, opened.notice?.isError != true { opened.notice = Notice(said) }
          place = show(opened, as: club, close)
        case .failure(let other): place = other.place
        }
      case .clubs(let start, let fault): place = list(start, fault)
      case .demo, .quit:
        close()
        return place
      }
    }
  }

  /// Waits for saves and other writes; five seconds allow for a busy disk. Returns false if some did not end.
  func settle() -> Bool { left.reduce(true) { $1.loop.settle(seconds: 5) && $0 } }

  /// The last work, after `settle`.
  var ending: @Sendable () async -> Void {
    let (closing, closings, transfers) = (closing, left.map(\.keep), shared.transfers)
    return {
      await closing?.value
      for keep in closings { await keep() }
      // Running transfers stop at a durable point, and a later byteclub continues them.
      await transfers.stop()
    }
  }

  // MARK: - A club

  private func show(_ prepared: PreparedClub, as club: Club, _ close: () -> Void) -> Place {
    remember(club, prepared.setup)
    terminal.invalidate()
    let shown = ShownClub(prepared, on: terminal, wall: left.isEmpty ? options.wall : nil)
    (shown.loop.pending, typed) = (typed, [])
    let next = shown.run()
    if next == nil {
      close()
      if let farewell = shown.loop.state.farewell { Output().notice(farewell) }
    }
    shown.loop.start(.photos(.stopPreparing))
    left.removeAll { $0.loop.settle(seconds: 0) }
    left.append(shown)
    if next != nil {
      // A save to a slow server goes on beside the next club.
      _ = shown.loop.settle(seconds: 1)
      closing = Task.detached(executorPreference: base.pool.tasks) { [keep = shown.keep] in await keep() }
    }
    switch next {
    case nil: return .quit
    case .club(let name)?:
      typed = shown.loop.pending
      return .club(.named(name))
    case .clubs(let start)?: return .clubs(start)
    }
  }

  /// By its name, which stays right when another club is added.
  private func remember(_ club: Club, _ setup: ClubSetup) {
    let name = setup.choice.name
    (current, currentName) = (options.folder == nil ? .named(name) : club, name)
  }

  private struct OtherPlace: Error {
    let place: Place
  }

  /// Opens a club while a sentence is on the screen.
  private func open(_ club: Club, asksSignIn: Bool) -> Result<PreparedClub, OtherPlace> {
    func other(_ place: Place) -> Result<PreparedClub, OtherPlace> { .failure(OtherPlace(place: place)) }
    let ahead = typed
    typed = []
    let setup: ClubSetup
    do throws(ConfigFault) {
      setup = try self.setup(club)
    } catch {
      return other(.clubs(.list, fault: error.description))
    }
    /// From there Esc leads to this club.
    func signIn() -> Result<PreparedClub, OtherPlace> {
      remember(club, setup)
      return other(.clubs(.signIn(club: setup.choice.name)))
    }
    if asksSignIn, setup.canSignIn, !setup.hasSignIn { return signIn() }
    let theme = base.config.theme.firstTheme(
      colors: terminal.abilities.colors, background: terminal.abilities.background)
    let state = OpeningScreen.State(
      sentence: "Opening \(setup.choice.name) ...", theme: theme, isASCII: terminal.abilities.asciiOnly)
    let (closing, closings, shared) = (closing, left.map(\.keep), shared)
    let performer = OpeningPerformer { tell in
      // What was typed there is on disk, and nobody's, before the same club is read again.
      await closing?.value
      for keep in closings { await keep() }
      return await .catching { () throws(StoreError) in
        try await PreparedClub.prepare(setup, shared: shared, tell: tell)
      }
    }
    terminal.invalidate()
    // The club's first frame has its colours, if the answer is there by then.
    let ask: [Command<OpeningScreen.Effect, Never, OpeningScreen.Action>] =
      base.config.theme.base == nil && terminal.abilities.colors > .none ? [.askBackground] : []
    let loop = Loop<OpeningScreen>(
      state, commands: ask + [.run(.open, key: "open")], terminal: terminal, performer: performer,
      now: { Timestamp.now().nanoseconds / 1_000_000 }, executor: setup.pool.tasks)
    loop.pending = ahead
    loop.run()
    if loop.state.isTerminated { return other(.quit) }
    switch loop.state.result {
    case .success(let prepared)?:
      typed = loop.state.typed + loop.pending
      return .success(prepared)
    case .failure(let error)? where error.kind == .notSignedIn && asksSignIn && setup.canSignIn:
      return signIn()
    case .failure(let error)?: return other(.clubs(.list, fault: "\(error)"))
    case nil: return other(.clubs(.list))
    }
  }

  private func setup(_ club: Club) throws(ConfigFault) -> ClubSetup {
    switch club {
    case .first:
      let first = try ClubSetup(
        options, environment: environment, log: base.log, stores: base.stores, decoder: base.decoder)
      let name = first.choice.name
      // Another club may be the first one by now. The token of a variable is not for it.
      return environment.accessToken == nil || name == base.clubOfToken ? first : try base.setup(of: name)
    case .named(let name): return try base.setup(of: name)
    }
  }

  // MARK: - The screen of clubs

  private func list(_ start: ClubsStart, _ fault: String?) -> Place {
    let services = MemberClubs(shared, current: currentName)
    let config = base.config
    let frame = Frame(
      size: terminal.size, abilities: terminal.abilities, keys: config.keyTable, club: currentName ?? "",
      notice: fault.map { Notice($0, isError: true) }, theme: config.theme, reducedMotion: config.reducesMotion,
      editorKeys: config.editorKeys)
    let (state, commands) = ClubsScreen.start(
      frame, start, forms: services.forms, current: currentName, offersThisMachine: missingHome != nil)
    terminal.invalidate()
    let loop = Loop<ClubsScreen>(
      state, commands: commands, terminal: terminal, performer: ClubsPerformer(services),
      now: { Timestamp.now().nanoseconds / 1_000_000 },
      executor: base.pool.tasks)
    loop.run()
    switch loop.state.outcome {
    case .open(let club, let said)?:
      typed = loop.pending
      return .club(.named(club), said: said)
    case .thisMachine?: return thisMachine()
    case .demo?: return .demo
    // Whoever does not sign in sees the club as this machine knows it.
    case .back?: return current.map { .club($0, asksSignIn: false) } ?? .quit
    case .quit?, nil: return .quit
    }
  }

  /// The folder of the club "home", if it is missing and could be one: beside a config there is none.
  private var missingHome: String? {
    guard let home = base.paths.home, !LocalDirectory.holdsAnything(base.paths.configFile),
      !LocalDirectory.holdsAnything(home + "/ByteClub")
    else { return nil }
    return home + "/ByteClub"
  }

  /// The very first start makes the club with a note of welcome.
  private func thisMachine() -> Place {
    let isFirst: Bool
    do throws(ConfigFault) {
      isFirst = try setup(.first).needsWelcome
    } catch {
      // Several clubs and no default, or a fault that opening "home" tells.
      isFirst = false
    }
    return isFirst ? .club(.first) : makeHome()
  }

  private func makeHome() -> Place {
    guard let folder = missingHome else { return .club(.named("home")) }
    let name = base.paths.abbreviating(folder)
    let code = LocalDirectory.make(folder)
    guard code == 0 else { return .clubs(.list, fault: "\(name) could not be made: \(SystemError.text(code)).") }
    return .club(.named("home"), said: "Made the folder \(name) for the club of this machine.")
  }
}
