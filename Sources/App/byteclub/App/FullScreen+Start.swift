import Basics
import CursesTerminal
import FileStores
import POSIX
import Screens

extension FullScreen {
  /// Runs until the member quits, and returns the exit code.
  /// - Throws: `ConfigFault`, and `StoreError` if the club cannot be opened.
  static func run(_ options: StartOptions, environment: Environment = .process) throws -> Int32 {
    let isOnTerminal = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    let setup: ClubSetup
    do throws(ConfigFault) {
      setup = try ClubSetup(options, environment: environment)
    } catch {
      guard isOnTerminal, try needsList(options, environment) else { throw error }
      let shared = SharedServices(try TransferBase(options, environment: environment))
      return try run(options, environment, shared, from: .clubs(.list))
    }
    let shared = SharedServices(TransferBase(setup))
    if isOnTerminal {
      if setup.needsWelcome, setup.config.club == nil {
        return try run(options, environment, shared, from: .clubs(.firstStart))
      }
      if setup.canSignIn, !setup.hasSignIn { return try run(options, environment, shared, from: .club(.first)) }
    }
    let prepared = MainThread.run(on: setup.pool.tasks) {
      await Result.catching { () throws(StoreError) in
        try await PreparedClub.prepare(setup, shared: shared) { Output().notice($0) }
      }
    }
    return try run(options, environment, shared, from: .club(.first), prepared?.get())
  }

  /// True if the config is right, and only the choice of a club is open.
  private static func needsList(_ options: StartOptions, _ environment: Environment) throws(ConfigFault) -> Bool {
    let paths = try Paths(environment, config: options.config)
    let report = try ClubSetup.report(paths, options, environment)
    return report.faults.isEmpty && ClubChoice.undecided(report, options) != nil
  }

  private static func run(
    _ options: StartOptions, _ environment: Environment, _ shared: SharedServices, from place: Place,
    _ prepared: PreparedClub? = nil
  ) throws(StoreError) -> Int32 {
    let config = shared.base.config
    let terminal: CursesTerminal
    do throws(TerminalError) {
      terminal = try CursesTerminal(
        options: CursesOptions(
          mouse: config.usesMouse, asciiOnly: shared.base.usesASCII, graphics: config.graphics,
          descriptorsOfPrograms: DescriptorLimit.ofPrograms))
    } catch {
      Output().alert("\(error)")
      return ExitStatus.failed.rawValue
    }
    defer { terminal.close() }
    let app = FullScreen(options, environment, shared, on: terminal)
    let last = app.run(from: place, prepared) { terminal.close() }
    let isSettled = app.settle()
    _ = MainThread.run(on: shared.base.pool.tasks, app.ending)
    if !isSettled {
      Output().notice("byteclub: Some work did not finish. Your text is kept, and the next start offers it.")
    }
    if case .demo = last { throw Demo.become() }
    return ExitStatus.done.rawValue
  }
}
