import ArgumentParser
import Backends
import Basics
import FileStores
import POSIX
import JSON

/// A club for trying byteclub: a server, another member, and one folder that holds everything.
/// This process waits for the app, a separate process. The server therefore ends and the folder is removed even if the
/// app crashes.
enum Demo {
  /// Marks the app of a demo; all its data is removed when it ends.
  static let variable = "BYTECLUB_DEMO"

  /// Runs until the member quits, and returns the app's exit code.
  static func run() throws(StoreError) -> Int32 {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw StoreError(.unsupported, "The demo is full screen and needs a terminal.")
    }
    // This process waits for the signals that would end it, so it always cleans up. New threads inherit the mask.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGCHLD] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    // The demo's requests avoid proxies.
    for name in ["no_proxy", "NO_PROXY"] { setenv(name, "127.0.0.1", 1) }
    let place = try DemoPlace()
    defer { place.remove() }
    let environment = environment(place)
    for (name, text) in DemoNotes.all { try place.write(Array(text.utf8), to: place.club + "/" + name) }
    try DemoPhotos.makeFirst(in: place)
    let server = try DemoServer(in: place, environment: environment)
    defer { server.stop() }
    try place.write(Array(server.tokens.member.utf8), to: place.tokenFile)
    try place.write(config(server, place), to: place.configFile)
    let visitor = try bot(server, place)
    let work = Task.detached(executorPreference: visitor.pool.tasks) {
      // A missing photo is not worth a message.
      async let photos: Void = visitor.pool.run { try? DemoPhotos.makeRest(in: place) }
      await visitor.bot.run()
      await photos
    }
    defer { work.cancel() }
    let app = try DemoProcess.start(self: ["byteclub"], environment: environment)
    let code = wait(for: app, signals)
    endOthers(place)
    return code
  }

  /// Replaces this program by `byteclub demo`. Returns the error if that fails.
  static func become() -> StoreError {
    let words = ["byteclub", "demo"]
    var texts: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
    defer { for text in texts { free(text) } }
    execv(ProgramStart.itself, &texts)
    return StoreError(
      .notPermitted, "The demo did not start: \(SystemError.text(errno)).", remedy: "Try: byteclub demo")
  }

  private static func wait(for app: DemoProcess, _ signals: sigset_t) -> Int32 {
    var signals = signals
    while true {
      var number: Int32 = 0
      guard sigwait(&signals, &number) == 0 else { continue }
      switch number {
      case SIGTERM, SIGHUP: kill(app.id, number)
      case SIGCHLD:
        if let status = ProgramStart.ended(app.id) { return status }
      // The app receives signals of terminal keys itself.
      default: break
      }
    }
  }

  private static func bot(_ server: DemoServer, _ place: DemoPlace) throws(StoreError) -> (
    bot: DemoBot, pool: BlockingPool
  ) {
    let pool = BlockingPool(threads: 2)
    let club = StoreRegistry.standard.served(at: server.origin)
    guard let transport = try StoreRegistry.standard.transport(for: club) else {
      throw StoreError(.unsupported, "byteclub cannot reach the demo's server.")
    }
    let store = try StoreRegistry.standard.open(
      club, pool: pool, network: StoreNetwork(transport: transport, tokens: StaticToken(server.tokens.robin)))
    return (DemoBot(store: RetryingStore(store), place: place), pool)
  }

  /// Without the member's own club, config and files.
  private static func environment(_ place: DemoPlace) -> [String: String] {
    var variables: [String: String] = [:]
    var at = environ
    while let text = at.pointee {
      let parts = String(cString: text).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      if parts.count == 2, !parts[0].hasPrefix("BYTECLUB_") { variables[String(parts[0])] = String(parts[1]) }
      at = at.advanced(by: 1)
    }
    variables[Demo.variable] = "1"
    return variables.merging(place.directories) { _, ours in ours }
  }

  private static func config(_ server: DemoServer, _ place: DemoPlace) -> [UInt8] {
    let store = StoreRegistry.standard.served(at: server.origin)
    var club = [JSONMember("store", .string(store.kind))]
    club += store.options.sorted { $0.key < $1.key }.map { JSONMember($0.key, .string($0.value)) }
    // A file keeps the token off the command line and lets background transfers read it.
    club.append(JSONMember("tokenCommand", .array([.string("cat"), .string(place.tokenFile)])))
    let config = JSONValue.members([
      // The account's name, You, would be a poor name for a conflict copy.
      "member": .string(MemberName.system),
      "clubs": .members(["demo": .object(club)]),
      // Small pieces make a photo's progress visible.
      "transfers": .members(["chunkMebibytes": .number(1)]),
    ])
    return Array(config.encoded.utf8)
  }

  /// Kills byteclub processes that the app left running here, such as background transfers.
  private static func endOthers(_ place: DemoPlace) {
    let mark = Array("XDG_DATA_HOME=\(place.path)/".utf8)
    guard let own = OtherProcesses.program(of: 0) else { return }
    for id in OtherProcesses.ids() where OtherProcesses.program(of: id) == own {
      guard OtherProcesses.variables(of: id).contains(where: { $0.starts(with: mark) }) else { continue }
      kill(id, SIGKILL)
      // It is no child of this process; it is gone once `kill` fails.
      for _ in 0..<200 where kill(id, 0) == 0 { usleep(5000) }
    }
  }

}

struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "Try byteclub: a throw-away club with notes, photos, another member and a slow server on this machine.",
    discussion:
      "The demo changes none of your files, sends nothing from this machine, and leaves nothing when you quit.")

  @OptionGroup var shared: SharedOptions

  func validate() throws {
    if shared.json { throw ValidationError("The demo is full screen and prints no results. Leave out --json.") }
    if shared.start != StartOptions() {
      throw ValidationError("The demo has its own club and config. Leave out --club, --folder and --config.")
    }
  }

  func run() throws {
    let ended: Result<Int32, StoreError>
    do throws(StoreError) {
      ended = .success(try Demo.run())
    } catch {
      ended = .failure(error)
    }
    switch ended {
    case .success(ExitStatus.done.rawValue): return
    case .success(let code): throw ExitCode(code)
    case .failure(let error):
      try CommandEnd.finish(.failure(error), name: "demo", output: Output(), asJSON: false, log: nil)
    }
  }
}
