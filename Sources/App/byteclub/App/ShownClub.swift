import Backends
import Basics
import ClubServices
import FileStores
import POSIX
import QRCodes
import Screens
import TextUI
import Transfers

/// An open club on the terminal.
struct ShownClub {
  let loop: Loop<ClubScreen>
  /// Keeps all texts and all that was seen, after `run`, and lets go of the texts once no save runs. Transfers go on.
  let keep: @Sendable () async -> Void
  private let club: OpenClub
  private let pool: BlockingPool
  private let isMetered: Bool
  private let memory: PhotosMemory

  /// Paints the first frame, with `wall` that of the wall.
  init(_ prepared: PreparedClub, on terminal: any Terminal, wall: WallStart? = nil) {
    let (setup, club) = (prepared.setup, prepared.club)
    let name = setup.choice.name
    var frame = Frame(
      size: terminal.size, abilities: terminal.abilities, keys: setup.config.keyTable,
      club: "\(name): \(setup.choice.place)" + (setup.isReadableByOthers ? " (not encrypted)" : "")
        + (setup.serverTest?.mark.map { " (\($0))" } ?? ""),
      connection: club.connection?.state, notice: prepared.notice, theme: setup.config.theme,
      preview: setup.config.preview, reducedMotion: setup.config.reducesMotion, editorKeys: setup.config.editorKeys)
    frame.canSignIn = setup.canSignIn
    frame.localOffset = { $0.localOffset }
    let account = KeptAccount(setup, club.owner)
    frame.isReader = account.isReader
    var asksReader = false
    if case .tokens = setup.signIn { asksReader = account.isReader || !account.isFresh(at: ClubAccount.now) }
    let files = MemberFiles(
      home: setup.paths.home, memory: FolderMemory(state: setup.paths.state, club: setup.choice.place))
    let desktop = DesktopLauncher(directory: setup.choice.directory, pool: setup.pool)
    let editor = EditorProgram(setup.environment)
    let transfers = TransfersPerformer(
      control: club.transfers,
      leaving: AppTransfers(
        hub: club.transfers, base: club.transferBase, isThrowAway: setup.environment[Demo.variable] != nil),
      desktop: desktop,
      others: { () async throws(StoreError) in try await club.transferBase.othersCount(club.outbox) },
      isOwn: { club.transferBase.isOwn($0) })
    let orders = OrderMemory(state: setup.paths.state, club: setup.choice.place)
    let pool = setup.pool
    let pins = PinMemory(state: setup.paths.state, club: setup.choice.place)
    let searches = SearchMemory(state: setup.paths.state, club: setup.choice.place)
    let memory = PhotosMemory(state: setup.paths.state, club: setup.choice.place)
    let keepChoice: @Sendable (ListChoice, String) async -> Void = { choice, list in
      await pool.run {
        switch choice {
        case .order(let order): orders.remember(order, of: list)
        case .search(let text): searches.remember(text, of: list)
        case .flat(let isFlat) where list == "photos": memory.remember(isFlat: isFlat)
        case .flat(let isFlat): orders.remember(isFlat: isFlat, of: list)
        }
      }
    }
    let kinds = KindMemory(
      kind: { words in await pool.run { memory.kind(words) } },
      keep: { kind, words in await pool.run { memory.remember(kind, words) } })
    let presence = PresenceMemory(state: setup.paths.state, club: setup.choice.place)
    let added: [AddedTab] = []
    let input = InputTurns()
    let performer = ClubPerformer(
      notes: NotesPerformer(
        service: club.notes, journal: club.drafts, editor: editor.program, desktop: desktop,
        connection: club.connection, keep: keepChoice, news: club.news,
        day: setup.config.dayNote, keepPins: { paths in await pool.run { pins.remember(paths) } }, input: input),
      photos: PhotosPerformer(
        service: club.photos, files: files, desktop: desktop, photosFolder: club.club.photosFolder,
        connection: club.connection, keep: keepChoice, news: club.news, kinds: kinds,
        keepLayout: { layout in await pool.run { memory.remember(layout) } },
        keepGrid: { choice in await pool.run { memory.remember(choice) } },
        phones: { address in
          (await pool.run { QRBlocks.of(address) }, PhotoAsk.warnings(address, setup.choice.store))
        }, notes: club.notes),
      transfers: transfers, added: added, connection: club.connection,
      presence: PresencePerformer(
        club.presence, connection: club.connection, keepKnown: { await pool.run { presence.keepKnown() } }),
      isReader: { await KeptAccount.ask(setup) },
      today: {
        let now = Timestamp.now()
        return OnThisDay.day(of: now, offset: now.localOffset)
      })
    let (state, commands) = ClubScreen.start(
      frame, downloadDirectory: files.remembered(for: .download) ?? files.downloads,
      uploadDirectory: files.remembered(for: .upload) ?? "", club: name, notifyAfter: setup.config.notifyAfterSeconds,
      added: added, order: orders.order(of:), searches: searches.searches(of:), pins: pins.pins,
      scope: club.club.notes, notesAreFlat: orders.isFlat("notes"), photosLayout: memory.layout,
      photosAreFlat: memory.isFlat,
      grid: memory.grid, utcOffset: Timestamp.now().localOffset, copies: memory.copies, clubs: setup.config.clubNames,
      asksReader: asksReader, wallSeconds: setup.config.wallSeconds, wall: wall,
      presence: !club.presence.isThere
        ? .absent : setup.config.showsPresence ? .on(isKnown: presence.isKnown) : .off)
    loop = Loop<ClubScreen>(
      state, commands: commands, terminal: terminal, performer: performer,
      now: { Timestamp.now().nanoseconds / 1_000_000 },
      executor: setup.pool.tasks, input: input)
    setup.log.info("opened the club", ["place": setup.choice.place])
    (self.club, self.pool, self.memory, isMetered) = (club, pool, memory, setup.config.isMetered)
    keep = { [mailbox = loop.mailbox] in
      await transfers.detach()
      await club.drafts.flush()
      await club.news.finish()
      await club.notes.past?.finish()
      // A save that has not ended still owns its text.
      if !mailbox.hasEffects { await pool.run { club.drafts.letGo() } }
    }
  }

  /// Runs until the member leaves. Returns the next place; nil to quit.
  func run() -> Departure? {
    let readsAhead = !isMetered
    let copying = club.copy.map { copy in
      Task.detached(executorPreference: pool.tasks) { await copy.work(readsAhead: readsAhead) }
    }
    loop.run()
    memory.add(loop.state.copies)
    copying?.cancel()
    return loop.state.next
  }
}
