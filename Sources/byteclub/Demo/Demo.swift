import Backends
import FileStores
import Glibc
import JSON

/// A club to try things in: a server beside the app, another member, and one folder that all of it is in.
///
/// This process waits for the app, which is a process of its own: so the server ends and the folder goes also when the
/// app crashes.
enum Demo {
  /// Set for the app of a demo: all that it has goes when it ends.
  static let variable = "BYTECLUB_DEMO"

  /// Runs until the member quits.
  /// - Returns: the app's exit code.
  static func run() throws(StoreError) -> Int32 {
    guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
      throw StoreError(.unsupported, "The demo is full screen and needs a terminal.")
    }
    // What ends this process is waited for, so that there is always time to tidy up. Threads inherit this.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGCHLD] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    // Nothing here goes through a proxy.
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
      // A photo that could not be made is not worth a word.
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

  /// Waits for the app, and hands on to it what would end this process.
  private static func wait(for app: DemoProcess, _ signals: sigset_t) -> Int32 {
    var signals = signals
    while true {
      var number: Int32 = 0
      guard sigwait(&signals, &number) == 0 else { continue }
      switch number {
      case SIGTERM, SIGHUP: kill(app.id, number)
      case SIGCHLD:
        if let status = ProgramStart.ended(app.id) { return status }
      // Keys of the terminal, which the app has got itself.
      default: break
      }
    }
  }

  /// The other member.
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

  /// Nothing of the member's own club, config or files is in it.
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
    // So that transfers in the background have it, too, and it is on no command line.
    club.append(JSONMember("tokenCommand", .array([.string("cat"), .string(place.tokenFile)])))
    let config = JSONValue.members([
      // The account is called You, which makes no good name for a conflict copy.
      "member": .string(MemberName.system),
      "clubs": .members(["demo": .object(club)]),
      // Small pieces, so that the progress of a photo is lively on a slow line.
      "transfers": .members(["chunkMebibytes": .number(1)]),
    ])
    return Array(config.encoded.utf8)
  }

  /// Ends what the app has left running, such as transfers in the background: programs of ours that see this folder.
  private static func endOthers(_ place: DemoPlace) {
    let mark = Array("XDG_DATA_HOME=\(place.path)/".utf8)
    guard let own = link("/proc/self/exe"), let stream = opendir("/proc") else { return }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard let id = pid_t(name), id != getpid(), link("/proc/\(name)/exe") == own,
        variables(of: name).contains(where: { $0.starts(with: mark) })
      else { continue }
      kill(id, SIGKILL)
      // It is no child of ours: it is gone when it cannot be asked any more.
      for _ in 0..<200 where kill(id, 0) == 0 { usleep(5000) }
    }
  }

  private static func link(_ path: String) -> String? {
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
  }

  private static func variables(of process: String) -> [ArraySlice<UInt8>] {
    let descriptor = open("/proc/\(process)/environ", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 64 * 1024)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    return bytes.split(separator: 0)
  }
}
