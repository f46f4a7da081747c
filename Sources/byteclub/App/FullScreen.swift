import ClubServices
import CursesTerminal
import Database
import FileStores
import Glibc
import Screens
import TextUI

/// The full-screen app: puts screens, services and terminal together and runs the loop on the main thread.
enum FullScreen {
  /// Runs until the member quits.
  /// - Returns: the exit code.
  /// - Throws: `StoreError` when the club cannot be opened.
  static func run(_ setup: ClubSetup) throws -> Int32 {
    let welcome = setup.needsWelcome ? try makeFirstClub(setup) : nil
    let club = try OpenClub(setup)
    let terminal: CursesTerminal
    do throws(TerminalError) {
      terminal = try CursesTerminal(
        options: CursesOptions(mouse: setup.config.usesMouse, asciiOnly: setup.config.usesASCII))
    } catch {
      Output().alert("\(error)")
      return ExitStatus.failed.rawValue
    }
    defer { terminal.close() }
    let isSettled = show(setup, club, on: terminal, welcome: welcome) { terminal.close() }
    _ = MainThread.run(on: setup.pool.tasks) {
      await club.drafts.flush()
      // What still goes up or comes stops at what is durable, and goes on when a byteclub carries it on.
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

  /// Runs the app on a terminal until the member quits, and calls `close` when nothing is to be shown there any more.
  /// - Returns: whether all that was begun has come to its end.
  static func show(
    _ setup: ClubSetup, _ club: OpenClub, on terminal: any Terminal, welcome: String?, close: () -> Void = {}
  ) -> Bool {
    let name = setup.choice.name
    let frame = Frame(
      size: terminal.size, abilities: terminal.abilities, keys: setup.keyTable,
      club: "\(name): \(setup.choice.place)" + (setup.isReadableByOthers ? " (not encrypted)" : ""),
      connection: club.connection?.state,
      notice: welcome.map { Notice($0) } ?? warning(setup))
    let files = MemberFiles(
      home: setup.paths.home, memory: FolderMemory(state: setup.paths.state, club: setup.choice.place))
    let desktop = DesktopLauncher(directory: setup.choice.directory, pool: setup.pool)
    let editor = EditorProgram(setup.environment)
    let transfers = TransfersPerformer(
      control: club.transfers,
      leaving: AppTransfers(
        hub: club.transfers, base: TransferBase(setup), isThrowAway: setup.environment[Demo.variable] != nil),
      desktop: desktop)
    let performer = ClubPerformer(
      notes: NotesPerformer(
        service: club.notes, journal: club.drafts, editor: editor.program, desktop: desktop,
        connection: club.connection),
      photos: PhotosPerformer(
        service: club.photos, files: files, desktop: desktop, photosFolder: club.club.photosFolder,
        connection: club.connection),
      transfers: transfers, connection: club.connection)
    let (state, commands) = ClubScreen.start(
      frame, downloadDirectory: files.remembered(for: .download) ?? files.downloads,
      uploadDirectory: files.remembered(for: .upload) ?? "", club: name, notifyAfter: setup.config.notifyAfterSeconds)
    let loop = Loop<ClubScreen>(
      state, commands: commands, terminal: terminal, performer: performer, now: { Int64(time(nil)) },
      executor: setup.pool.tasks)
    setup.log.info("opened the club", ["place": setup.choice.place])
    loop.run()
    close()
    if let farewell = loop.state.farewell { Output().notice(farewell) }
    // What is looked at before it goes up does not begin any more.
    loop.start(.photos(.stopPreparing))
    // Saves and other writes go on to their end; five seconds are for a disk that is busy.
    return loop.settle(seconds: 5)
  }

  /// What is odd about the config, as the first notice.
  private static func warning(_ setup: ClubSetup) -> Notice? {
    if let warning = setup.plainWarning { return Notice(warning, isError: true) }
    return setup.report.warnings.first.map { Notice($0, isError: true) }
  }
}
