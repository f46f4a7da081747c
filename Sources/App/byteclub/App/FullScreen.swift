import Accounts
import Backends
import Basics
import ClubServices
import CursesTerminal
import Database
import FileStores
import POSIX
import Screens
import TextUI
import Transfers

enum FullScreen {
  /// Runs until the member quits, and returns the exit code.
  /// - Throws: `StoreError` if the club cannot be opened.
  static func run(_ setup: ClubSetup) throws -> Int32 {
    let welcome = setup.needsWelcome ? try makeFirstClub(setup) : nil
    if let test = setup.serverTest, test.memory.kept() == nil { try testServer(setup, test) }
    // Asks the service only about a token that this machine does not know.
    let owner = MainThread.run(on: setup.pool.tasks) { await ClubOwner.find(setup) }
    let club = try OpenClub(setup, owner: owner, freshness: .atOnce)
    let held = owner?.isNew == true || owner?.isUnnamed == true ? heldBack(setup, club) : nil
    let terminal: CursesTerminal
    do throws(TerminalError) {
      terminal = try CursesTerminal(
        options: CursesOptions(
          mouse: setup.config.usesMouse, asciiOnly: setup.usesASCII, graphics: setup.config.graphics,
          descriptorsOfPrograms: DescriptorLimit.ofPrograms))
    } catch {
      Output().alert("\(error)")
      return ExitStatus.failed.rawValue
    }
    defer { terminal.close() }
    let isSettled = show(setup, club, on: terminal, welcome: welcome, held: held) { terminal.close() }
    _ = MainThread.run(on: setup.pool.tasks) {
      await club.drafts.flush()
      await club.news.finish()
      await club.notes.past?.finish()
      // Running transfers stop at a durable point, and a later byteclub continues them.
      await club.transfers.stop()
    }
    if !isSettled {
      Output().notice("byteclub: Some work did not finish. Your text is kept, and the next start offers it.")
    }
    return ExitStatus.done.rawValue
  }

  private static func makeFirstClub(_ setup: ClubSetup) throws -> String? {
    let made = MainThread.run(on: setup.pool.tasks) { () async -> Result<String?, StoreError> in
      do throws(StoreError) {
        return .success(try await setup.welcome())
      } catch {
        return .failure(error)
      }
    }
    return try made?.get() ?? nil
  }

  /// The first opening tests the server, because the title says if the club is read-only. A server that cannot be
  /// tested now is tested before the first save.
  private static func testServer(_ setup: ClubSetup, _ test: ServerTest) throws {
    Output().notice("Testing the server of \(setup.choice.place) ...")
    let failure = MainThread.run(on: setup.pool.tasks) { () async -> StoreError? in
      do throws(StoreError) {
        _ = try await test.run()
        return nil
      } catch {
        return error
      }
    }
    if let failure = failure ?? nil { setup.log.error("the server was not tested", failure) }
  }

  /// Runs until the member quits, then calls `close`. Returns true if all work has finished. `held` says what waits here
  /// for another account.
  static func show(
    _ setup: ClubSetup, _ club: OpenClub, on terminal: any Terminal, welcome: String?, held: String? = nil,
    close: () -> Void = {}
  ) -> Bool {
    let name = setup.choice.name
    let (mark, owner) = (ReaderMark(setup, club.owner), club.owner)
    var asksReader = false
    if case .tokens = setup.signIn { asksReader = !mark.isFresh(at: ClubAccount.now) }
    var frame = Frame(
      size: terminal.size, abilities: terminal.abilities, keys: setup.keyTable,
      club: "\(name): \(setup.choice.place)" + (setup.isReadableByOthers ? " (not encrypted)" : "")
        + (setup.serverTest?.mark.map { " (\($0))" } ?? ""),
      connection: club.connection?.state,
      notice: welcome.map { Notice($0) } ?? warning(setup, held), theme: setup.config.theme,
      preview: setup.config.preview, reducedMotion: setup.config.reducesMotion,
      editorKeys: setup.config.editorKeys)
    frame.isReader = mark.isReader
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
    let keepOrder: @Sendable (ListOrder, String) async -> Void = { order, list in
      await pool.run { orders.remember(order, of: list) }
    }
    let memory = PhotosMemory(state: setup.paths.state, club: setup.choice.place)
    let kinds = KindMemory(
      kind: { words in await pool.run { memory.kind(words) } },
      keep: { kind, words in await pool.run { memory.remember(kind, words) } })
    let added: [AddedTab] = []
    let performer = ClubPerformer(
      notes: NotesPerformer(
        service: club.notes, journal: club.drafts, editor: editor.program, desktop: desktop,
        connection: club.connection, keepOrder: keepOrder, news: club.news),
      photos: PhotosPerformer(
        service: club.photos, files: files, desktop: desktop, photosFolder: club.club.photosFolder,
        connection: club.connection, keepOrder: keepOrder, news: club.news, kinds: kinds,
        keepLayout: { layout in await pool.run { memory.remember(layout) } }),
      transfers: transfers, added: added, connection: club.connection,
      isReader: { await ReaderMark.ask(setup, owner) })
    let (state, commands) = ClubScreen.start(
      frame, downloadDirectory: files.remembered(for: .download) ?? files.downloads,
      uploadDirectory: files.remembered(for: .upload) ?? "", club: name, notifyAfter: setup.config.notifyAfterSeconds,
      added: added, order: orders.order(of:), photosLayout: memory.layout, asksReader: asksReader)
    let loop = Loop<ClubScreen>(
      state, commands: commands, terminal: terminal, performer: performer, now: { Int64(time(nil)) },
      executor: setup.pool.tasks)
    setup.log.info("opened the club", ["place": setup.choice.place])
    let copying = club.copy.map { copy in Task.detached(executorPreference: setup.pool.tasks) { await copy.work() } }
    loop.run()
    copying?.cancel()
    close()
    if let farewell = loop.state.farewell { Output().notice(farewell) }
    loop.start(.photos(.stopPreparing))
    // Saves and other writes finish; five seconds allow for a busy disk.
    return loop.settle(seconds: 5)
  }

  private static func heldBack(_ setup: ClubSetup, _ club: OpenClub) -> String? {
    MainThread.run(on: setup.pool.tasks) { () async -> String? in
      do throws(StoreError) {
        let sentences = try await club.heldBack(setup)
        return sentences.isEmpty ? nil : sentences.joined(separator: " ")
      } catch {
        return "\(error)"
      }
    } ?? nil
  }

  private static func warning(_ setup: ClubSetup, _ held: String?) -> Notice? {
    if let warning = setup.plainWarning { return Notice(warning, isError: true) }
    if let held { return Notice(held) }
    return setup.report.warnings.first.map { Notice($0, isError: true) }
  }
}
