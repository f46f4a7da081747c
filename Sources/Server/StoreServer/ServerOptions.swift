public import FileStores
public import Logging
import POSIX
import NIOCore
public import NIOSSL

public struct ServerOptions: Sendable {
  public struct Security: Sendable {
    let certificate: String
    let key: String
    /// Makes both files, or renews the certificate, each time before they are read.
    private let own: OwnCertificate?

    public init(certificate: String, key: String) { (self.certificate, self.key, own) = (certificate, key, nil) }

    public init(own: OwnCertificate) {
      (certificate, key) = own.files
      self.own = own
    }

    /// Requires TLS 1.2 or later.
    /// - Returns: also the end of the certificate, in seconds since 1970.
    /// - Throws: `badInput`, with the file and its fault; the errors of `OwnCertificate`.
    public func configuration() throws(StoreError) -> (TLSConfiguration, end: Int64) {
      try own?.prepare()
      let (chain, key) = try ServerCertificate(certificate: certificate, key: key).read()
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
      configuration.minimumTLSVersion = .tlsv12
      // Forward secrecy in TLS 1.2, too (RFC 9325, section 4.1).
      configuration.cipherSuites = "ECDHE+AESGCM:ECDHE+CHACHA20"
      configuration.applicationProtocols = ["http/1.1"]
      // An idle client does not answer close_notify (RFC 8446, 6.1). A short limit keeps Ctrl-C fast.
      configuration.shutdownTimeout = .milliseconds(300)
      return (configuration, chain.first.map { Int64($0.notValidAfter) } ?? 0)
    }
  }

  /// One or more.
  public var listen: [ListenAddress]
  public var security: Security?
  /// The proxies in front of this server.
  public var proxies = TrustedProxies.none
  /// Allows plain HTTP beyond this machine.
  public var allowsPlain = false
  /// The most connections at once; more wait.
  public var connections = 512
  /// The most connections of strangers from one address; beyond it the oldest are closed.
  public var connectionsPerAddress = 64
  public var longPollsPerMember = 64
  /// The most programs of a member at once that watch who is in the club.
  var watchesPerMember = 8
  /// Closes an idle connection, or one whose request stalls.
  public var idleSeconds: Int64 = 60
  /// The limit for a client to accept a piece of an answer: 64 KiB at first, 16 KiB for a slow client.
  public var slowestPieceSeconds: Int64 = 60
  /// The time for which a client may keep sending after its answer.
  public var lingerSeconds: Int64 = 10
  /// A body slower than this, in bytes a second, is refused after `slowBodySeconds`.
  public var slowestBodyRate: Double = 256
  public var slowBodySeconds: Double = 30
  /// A stopping server waits this long for running requests.
  public var stopSeconds: Int64 = 30
  /// The most wrong tokens from one address before it must wait.
  public var failuresPerMinute = 60
  public var versions = VersionLimits()
  public var trash = TrashLimits()
  public var sessions = SessionLimits()
  /// Returns unused memory to the system; called when the server is quiet. May block.
  public var giveMemoryBack: @Sendable () -> Void = {}
  /// Free bytes on the disk of the server's own data; by default the disk is asked.
  var freeBytes: (@Sendable () -> UInt64?)?
  var archives = ArchiveLimits()
  /// The address of the listener for health checks and metrics, without TLS; nil for none.
  public var metrics: (host: String, port: Int)?
  /// In the metrics, and in answer to programs that ask for this server's capabilities.
  public var version = ""
  /// True if SIGHUP reads the certificate again; otherwise it ends the program, as by default.
  public var reloadsOnHangup = false
  /// Asked at SIGHUP; true if the signal came because the server's terminal was closed, which stops the server.
  public var hasLostTerminal: @Sendable () -> Bool = { false }
  /// Writes the access log: one call for each answered request, from any thread.
  public var writeAccess: @Sendable (AccessRecord, Logger) -> Void = AccessRecord.writeLine

  /// Reads the web for `save_url`; nil refuses that.
  public var web: WebReader?

  /// Lets members share files with anyone by links. Without it none is made, and none opens.
  public var sharesLinks = false

  /// Lets members ask people without an account for pictures, by pages. Without it none is made, and none opens.
  public var servesDropPages = false
  /// The longest time that a form of such a page may take to come.
  var slowestDropSeconds: Double = 3600

  /// Lets members read the club, leave remarks and bring photos in a browser. Without it no session begins, and none counts.
  public var servesPages = false

  /// Lets members see who is in the club, and where. It is in memory alone.
  public var servesPresence = true
  /// The time after which a watch without news gets an empty line: less than proxies wait.
  var presenceRest = Duration.seconds(20)

  /// The packages of byteclub that everybody gets from this server; nil for none.
  public var packages: PackageFolder?

  /// Gets what happens in the clubs; nil for none.
  public var hook: EventHook?

  public var chaos: Chaos?

  public init(host: String, port: Int, security: Security? = nil) {
    listen = [.port(host: host, number: port)]
    self.security = security
  }

  /// The first host at which others than this machine reach the server.
  public var openHost: String? { listen.first { !$0.isLoopback }?.host }

  func check() throws(StoreError) {
    if let metrics, !ListenAddress.port(host: metrics.host, number: metrics.port).isLoopback, !allowsPlain {
      throw StoreError(
        .notPermitted,
        "Everyone on the network of \(metrics.host) could read the metrics: the number of members and their calls.",
        remedy: "Let --listen-metrics listen at 127.0.0.1, or add --insecure if you trust the network.")
    }
    guard let host = openHost else { return }
    guard chaos == nil else {
      throw StoreError(
        .notPermitted, "A server that fails on purpose (--chaos) serves this machine only, not \(host).",
        remedy: "Listen at 127.0.0.1.")
    }
    guard security != nil || allowsPlain else {
      throw StoreError(
        .notPermitted,
        "Without TLS, everyone on the network of \(host) could read files and tokens.",
        remedy:
          "Add --tls-self, or --tls-cert and --tls-key, or listen at 127.0.0.1, or add --insecure if you trust the network."
      )
    }
  }

  static func now() -> Int64 { Int64(time(nil)) }
}
