import ArgumentParser
import Backends
import CPlatform
import Database
import Decoding
import FileStores
import POSIX
import Logging
import StoreServer

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "run", abstract: "Serve the folder (the default).")
  @OptionGroup var place: ServedOptions
  @Option(help: "The address to listen at, as HOST:PORT; port 0 takes any free port.") var listen = "127.0.0.1:8443"
  @Option(name: .customLong("tls-cert"), help: "The certificate with its chain, in PEM.") var certificate: String?
  @Option(name: .customLong("tls-key"), help: "The certificate's private key, in PEM.") var key: String?
  @Flag(help: "Listen beyond this machine without TLS, so that others on the network can read files and tokens.")
  var insecure = false
  @Option(
    help: ArgumentHelp(
      "A proxy in front of this server, by IP address or network; repeatable. Of it alone, X-Forwarded-For and "
        + "X-Forwarded-Proto are believed: links and signatures are then right behind TLS that the proxy ends, and "
        + "wrong tokens count for the client's address.", valueName: "address"))
  var behindProxy: [String] = []
  @Option(help: ArgumentHelp(Chaos.help, valueName: "spec")) var chaos: String?
  @Option(
    help: "With --chaos: the same number gives the same faults for the same requests.")
  var seed: UInt64 = 1

  @OptionGroup(title: "Versions") var versions: VersionOptions
  @OptionGroup(title: "Trash and unfinished uploads") var retention: RetentionOptions
  @Option(
    help: "The most connections of one address that has shown no member's token; more behind a proxy.")
  var connectionsPerAddress = 64

  @Flag(
    name: .customLong("allow-save-url"),
    help: "Let members save files of the public web in the club (save_url). The server reads them.")
  var allowsSaveURL = false

  @Flag(
    name: .customLong("shared-links"),
    help: "Let members share a file with anyone by a link, which shows it in a browser. Links made before work, too.")
  var sharesLinks = false

  @Flag(help: "Stop when standard input ends, such as when the starting program has ended.")
  var whileInput = false

  func validate() throws {
    guard (certificate == nil) == (key == nil) else {
      throw ValidationError("--tls-cert needs --tls-key, and --tls-key needs --tls-cert.")
    }
    _ = try address()
    _ = try misbehaviour()
    _ = try proxies()
    try versions.check()
    try retention.check()
    guard (1...100_000).contains(connectionsPerAddress) else {
      throw ValidationError("--connections-per-address must be between 1 and 100000.")
    }
  }

  func run() async throws {
    cp_keep_memory_small_for_server()
    let descriptors = DescriptorLimit.raise()
    let served = try ServedRoot(place)
    var options = ServerOptions(host: try address().host, port: try address().port)
    if let certificate, let key { options.security = ServerOptions.Security(certificate: certificate, key: key) }
    options.allowsPlain = insecure
    options.proxies = try proxies()
    options.chaos = try misbehaviour()
    options.versions = versions.limits
    (options.trash, options.sessions) = (retention.trash, retention.sessions)
    options.connections = min(options.connections, ConnectionLimit.connections(within: descriptors))
    options.connectionsPerAddress = connectionsPerAddress
    options.giveMemoryBack = { cp_give_memory_back() }
    options.sharesLinks = sharesLinks
    if allowsSaveURL {
      let web = PublicWeb()
      options.web = { (url, receive) throws(StoreError) in try await web.read(url, receive) }
    }
    options.capacity = { served.capacity }
    let lines = LogLines()
    LoggingSystem.bootstrap { label in lines.handler(label) }
    defer { lines.flush() }
    let pool = BlockingPool(threads: 8)
    let members = try served.members()
    let server = try StoreServer(
      store: try served.store(pool), directory: served.directory, members: members, options: options, pool: pool,
      decoder: WorkerPool { Logger(label: "thumbnails").warning("\($0)") }, logger: Logger(label: "serve"))
    try served.complainOfDamage(members)
    if try members.members().isEmpty {
      Output.complain("This club has no members yet. Add one: byteclub serve member add NAME \(place.choice)")
    }
    if options.security == nil, !options.isLoopback {
      Output.complain("Serving without TLS: anyone on the network can read files and tokens.")
    }
    if chaos != nil { Output.complain("This server fails on purpose (--chaos, --seed \(seed)).") }
    if whileInput { RunCommand.endWithInput() }
    let host = options.host
    let isSecure = options.security != nil
    if !behindProxy.isEmpty {
      Output.complain("Members use the address of the proxy in place of the one below.")
    }
    try await server.run { port in RunCommand.announce(host: host, port: port, isSecure: isSecure) }
  }

  private static func endWithInput() {
    let pool = BlockingPool(threads: 1)
    Task {
      await pool.run {
        var byte: UInt8 = 0
        while true {
          let count = read(STDIN_FILENO, &byte, 1)
          if count == 0 || count < 0 && errno != EINTR { break }
        }
      }
      kill(getpid(), SIGTERM)
    }
  }

  private func misbehaviour() throws -> Chaos? {
    do throws(StoreError) {
      return try chaos.map { (text) throws(StoreError) in try Chaos(text, seed: seed) }
    } catch {
      throw ValidationError(error.description)
    }
  }

  private func proxies() throws -> TrustedProxies {
    do throws(StoreError) {
      return try TrustedProxies(behindProxy)
    } catch {
      throw ValidationError(error.description)
    }
  }

  private func address() throws -> (host: String, port: Int) {
    guard let colon = listen.lastIndex(of: ":"), let port = Int(listen[listen.index(after: colon)...]),
      (0...65_535).contains(port)
    else { throw ValidationError("--listen needs HOST:PORT, such as 127.0.0.1:8443 or 0.0.0.0:8443.") }
    var host = String(listen[..<colon])
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    guard !host.isEmpty else { throw ValidationError("--listen needs a host before the colon, such as 127.0.0.1.") }
    return (host, port)
  }

  private static func announce(host: String, port: Int, isSecure: Bool) {
    var name = host
    if host == "0.0.0.0" || host == "::" {
      var buffer = [CChar](repeating: 0, count: 256)
      if gethostname(&buffer, buffer.count - 1) == 0 {
        name = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      }
    } else if host.contains(":") {
      name = "[\(host)]"
    }
    Output.complain("Serving. A member's config needs this club, and the member the token from \"member add\":")
    Output.say(
      #"{ "store": "dropbox", "server": "\#(isSecure ? "https" : "http")://\#(name):\#(port)", "folder": "/" }"#)
  }
}
