import ArgumentParser
import Backends
import Basics
import CPlatform
import Decoding
import FileStores
import ManualPages
import POSIX
import Logging
import StoreServer

struct RunCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(commandName: "run", abstract: "Serve the folder (the default).")
  @OptionGroup var place: ServedOptions
  @Option(
    help: ArgumentHelp(
      "The address to listen at, as HOST:PORT, where port 0 takes any free port; or unix:PATH, a socket without TLS for a "
        + "proxy of this machine; repeatable.", valueName: "address"))
  var listen = ["127.0.0.1:8443"]
  @Option(
    help: ArgumentHelp(
      "The address by which members reach this server: https://HOST[:PORT]. It is remembered, and \"invite\" puts it into "
        + "its lines.", valueName: "url"))
  var address: String?
  @Option(name: .customLong("tls-cert"), help: "The certificate with its chain, in PEM.") var certificate: String?
  @Option(name: .customLong("tls-key"), help: "The certificate's private key, in PEM.") var key: String?
  @Flag(
    name: .customLong("tls-self"),
    help:
      "Use TLS with a key that the server makes at its first start. Members trust that key by its pin, and no authority."
  )
  var makesKey = false
  @Flag(help: "Listen beyond this machine without TLS, so that others on the network can read files and tokens.")
  var insecure = false
  @Option(
    help: ArgumentHelp(
      "Another address, as HOST:PORT, for health checks (/healthz) and Prometheus (/metrics), without TLS and without "
        + "tokens.", valueName: "address"))
  var listenMetrics: String?
  @Option(help: "The form of the log: text, or json with one object a line.") var logFormat = LogForm.text
  @Option(
    help: ArgumentHelp(
      "The most bytes of a club's files, such as 10G; of one club of several as NAME=SIZE; repeatable. Old versions and "
        + "unfinished uploads have limits of their own.", valueName: "size"))
  var quota: [QuotaOption] = []
  @Option(
    help: ArgumentHelp(
      "A proxy in front of this server, by IP address or network, or unix for those at sockets; repeatable. Of it alone, "
        + "X-Forwarded-For and X-Forwarded-Proto are believed: links and signatures are then right behind TLS that the "
        + "proxy ends, and wrong tokens count for the client's address.", valueName: "address"))
  var behindProxy: [String] = []
  @Option(help: ArgumentHelp(Chaos.help, valueName: "spec")) var chaos: String?
  @Option(
    help: "With --chaos: the same number gives the same faults for the same requests.")
  var seed: UInt64 = 1

  @OptionGroup(title: "Versions") var versions: VersionOptions
  @OptionGroup(title: "Trash and unfinished uploads") var retention: RetentionOptions
  @OptionGroup(title: "Events") var events: HookOptions
  @Option(
    help: "The most connections of one address that has shown no member's token; more behind a proxy.")
  var connectionsPerAddress = 64

  @Flag(
    name: .customLong("allow-save-url"),
    help: "Let members save files of the public web in the club (save_url). The server reads them.")
  var allowsSaveURL = false

  @Flag(
    name: .customLong("shared-links"),
    help: "Let members share a file or folder with anyone by a link for a browser. Links made before work, too.")
  var sharesLinks = false

  @Flag(
    name: .customLong("drop-pages"),
    help: "Let members ask people without an account for pictures, by a page for a browser.")
  var servesDropPages = false

  @Flag(
    name: .customLong("pages"),
    help: "Let members read the club, leave remarks and bring photos in a browser, at /join and /club/.")
  var servesPages = false

  @Flag(
    name: .customLong("no-presence"),
    help: "Do not tell members who else is in the club now, and where they look. It is in memory alone.")
  var hidesPresence = false

  @Option(
    name: .customLong("get"),
    help: ArgumentHelp(
      "Hand out the packages and tarballs of this folder, and its SHA256SUMS, to everybody, at /get/.", valueName: "dir"
    ))
  var packageFolder: String?

  @Flag(help: "Stop when standard input ends, such as when the starting program has ended.")
  var whileInput = false

  func validate() throws {
    guard (certificate == nil) == (key == nil) else {
      throw ValidationError("--tls-cert needs --tls-key, and --tls-key needs --tls-cert.")
    }
    guard !makesKey || certificate == nil else {
      throw ValidationError("--tls-self makes a key, and --tls-key names one. Use one of them.")
    }
    _ = try listen.map(ListenOption.address)
    _ = try publicAddress()
    _ = try metricsAddress()
    let names = try place.places().compactMap(\.name)
    if let wrong = quota.first(where: { $0.club.map { !names.contains($0) } ?? false })?.club {
      throw ValidationError("--quota names the club \"\(wrong)\", but no --club-root has that name.")
    }
    _ = try misbehaviour()
    _ = try proxies()
    _ = try packages()
    try versions.check()
    try retention.check()
    try events.check()
    guard (1...100_000).contains(connectionsPerAddress) else {
      throw ValidationError("--connections-per-address must be between 1 and 100000.")
    }
  }

  func run() async throws {
    cp_keep_memory_small_for_server()
    let descriptors = DescriptorLimit.raise()
    let roots = try place.places().map { try ServedRoot($0) }
    try ServedRoot.checkApart(roots)
    for root in roots { try root.checkUse() }
    let locks = try roots.map { try $0.lockServing() }
    defer { withExtendedLifetime(locks) {} }
    let lines = LogLines(logFormat)
    LoggingSystem.bootstrap { label in lines.handler(label) }
    defer { lines.flush() }
    let logger = Logger(label: "serve")
    let manager = ServiceManager(socket: getenv("NOTIFY_SOCKET").map { String(cString: $0) }) {
      logger.warning("\($0)")
    }
    for address in try listen.map(ListenOption.address) { try ListenOption.checkFree(address) }
    let own = try makesKey ? ownCertificate(roots.map(\.directory)) : nil
    let options = try options(descriptors, manager, lines, own)
    let pool = BlockingPool(threads: 8)
    let clubs = try roots.map { root in
      let members = try root.members()
      var source = try root.source(members, pool)
      source.quota = (quota.last { $0.club == root.name } ?? quota.last { $0.club == nil })?.bytes
      return source
    }
    let server = try StoreServer(
      clubs: clubs, options: options, pool: pool,
      decoder: WorkerPool { Logger(label: "thumbnails").warning("\($0)") }, logger: logger)
    for root in roots { try root.complain(of: try root.members(), isOnly: roots.count == 1) }
    if options.security == nil, options.openHost != nil {
      Output.complain("Serving without TLS: anyone on the network can read files and tokens.")
    }
    if servesPages, makesKey, behindProxy.isEmpty {
      Output.complain(
        "Browsers warn of the pages, because --tls-self has no authority's certificate. Without a warning: --tls-cert and "
          + "--tls-key with a certificate for your name, or a proxy with one (--behind-proxy). See docs/server.md.")
    }
    if chaos != nil { Output.complain("This server fails on purpose (--chaos, --seed \(seed)).") }
    if whileInput { RunCommand.endWithInput() }
    if !behindProxy.isEmpty, address == nil {
      Output.complain("Members use the address of the proxy in place of the one below.")
    }
    let pin = try own?.pin()
    // Behind a proxy that ends TLS, members see its certificate.
    let (address, hasOwnKey) = (try publicAddress(), makesKey && behindProxy.isEmpty)
    try await server.run { stage in
      if case .listening(let port, let metrics) = stage {
        // Not before: a server that cannot listen must not change the address in invitations.
        for root in roots {
          do throws(StoreError) { try root.remember(address, hasOwnKey: hasOwnKey) } catch {
            logger.warning("Invitations keep the address and the pin of the start before this one. \(error)")
          }
        }
        let host = options.listen.lazy.compactMap(\.host).first
        let own = host.map { RunCommand.ownAddress($0, port, isSecure: options.security != nil) }
        if let server = address?.origin ?? own {
          RunCommand.announce(server, hasOwnKey ? pin : nil)
        } else {
          Output.complain("Serving. Members use the address of the proxy, which --address names.")
        }
        if let metrics, let host = options.metrics?.host {
          let name = host.contains(":") ? "[\(host)]" : host
          Output.complain(
            "Health checks: http://\(name):\(metrics)/healthz. Metrics: http://\(name):\(metrics)/metrics.")
        }
      }
      manager.tell(stage)
    }
  }

  private func options(
    _ descriptors: UInt, _ manager: ServiceManager, _ lines: LogLines, _ own: OwnCertificate?
  ) throws -> ServerOptions {
    var options = ServerOptions(host: "", port: 0)
    options.listen = try listen.map(ListenOption.address)
    if let certificate, let key { options.security = ServerOptions.Security(certificate: certificate, key: key) }
    if let own { options.security = ServerOptions.Security(own: own) }
    options.allowsPlain = insecure
    options.proxies = try proxies()
    options.chaos = try misbehaviour()
    options.versions = versions.limits
    (options.trash, options.sessions) = (retention.trash, retention.sessions)
    options.connections = min(options.connections, ConnectionLimit.connections(within: descriptors))
    options.connectionsPerAddress = connectionsPerAddress
    options.giveMemoryBack = { cp_give_memory_back() }
    options.hook = try events.eventHook()
    (options.sharesLinks, options.servesDropPages) = (sharesLinks, servesDropPages)
    options.servesPages = servesPages
    options.servesPresence = !hidesPresence
    options.packages = try packages()
    if allowsSaveURL {
      let web = PublicWeb()
      options.web = { (url, receive) throws(StoreError) in try await web.read(url, receive) }
    }
    options.metrics = try metricsAddress()
    options.version = BuildVersion.number
    options.writeAccess = { record, _ in lines.add(record) }
    // Without a certificate and without a service manager there is nothing to reload, and the signal ends the program.
    options.reloadsOnHangup = options.security != nil || manager.isThere
    // nohup lets a program outlive its terminal.
    let endsWithTerminal = RunCommand.hasTerminal() && !cp_ignores_hangup()
    options.hasLostTerminal = { endsWithTerminal && !RunCommand.hasTerminal() }
    return options
  }

  private static func hasTerminal() -> Bool {
    let terminal = open("/dev/tty", O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
    guard terminal >= 0 else { return false }
    close(terminal)
    return true
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
    try validated { () throws(StoreError) in
      try chaos.map { (text) throws(StoreError) in try Chaos(text, seed: seed) }
    }
  }

  private func proxies() throws -> TrustedProxies {
    try validated { () throws(StoreError) in try TrustedProxies(behindProxy) }
  }

  /// A browser can check a certificate of an authority, here or at the proxy.
  private func packages() throws -> PackageFolder? {
    try validated { () throws(StoreError) in
      try packageFolder.map { (path) throws(StoreError) in
        try PackageFolder(path, isProven: certificate != nil || !behindProxy.isEmpty)
      }
    }
  }

  private func publicAddress() throws -> ServerAddress? {
    try validated { () throws(StoreError) in
      try address.map { (text) throws(StoreError) in try ServerAddress(text) }
    }
  }

  private func metricsAddress() throws -> (host: String, port: Int)? {
    try listenMetrics.map { try ListenOption.port($0, option: "--listen-metrics", example: "127.0.0.1:9443") }
  }

  private func ownCertificate(_ directories: [PrivateDirectory]) throws -> OwnCertificate? {
    let listening = try listen.map(ListenOption.address).compactMap(\.host)
    let all = [try publicAddress()?.host ?? ""] + listening + [RunCommand.machine() ?? "", "localhost"]
    let hosts = all.filter { $0 != "0.0.0.0" && $0 != "::" }
    return directories.first.map { OwnCertificate(in: $0, and: Array(directories.dropFirst()), hosts: hosts) }
  }

  /// The name of this machine.
  private static func machine() -> String? {
    var buffer = [CChar](repeating: 0, count: 256)
    guard gethostname(&buffer, buffer.count - 1) == 0 else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  private static func ownAddress(_ host: String, _ port: Int, isSecure: Bool) -> String {
    var name = host
    if host == "0.0.0.0" || host == "::" {
      name = machine() ?? host
    } else if host.contains(":") {
      name = "[\(host)]"
    }
    return "\(isSecure ? "https" : "http")://\(name):\(port)"
  }

  /// - Parameter server: the address by which members reach it.
  private static func announce(_ server: String, _ pin: KeyPin?) {
    Output.complain(
      "Serving. A member's config needs this under \"clubs\", with a name: \"clubs\": { \"NAME\": … }; and the member the "
        + "token from \"member add\":")
    let trust = pin.map { #", "pin": "\#($0.configText)""# } ?? ""
    let config = #"{ "store": "dropbox", "server": "\#(server)", "folder": "/"\#(trust) }"#
    // The server goes on without a standard output.
    do throws(StoreError) { try Output.say(config) } catch { Output.complain(config) }
  }
}

/// The errors of `body` as those of an option.
func validated<Value>(_ body: () throws(StoreError) -> Value) throws -> Value {
  do throws(StoreError) { return try body() } catch { throw ValidationError(error.description) }
}
