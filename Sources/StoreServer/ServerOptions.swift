public import FileStores
import Glibc
import NIOCore
public import NIOSSL

/// How a server listens, and what it allows.
public struct ServerOptions: Sendable {
  /// A certificate and its key, in PEM files.
  public struct Security: Sendable {
    let certificate: String
    let key: String

    /// Names the files.
    public init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }

    /// Reads the files: TLS 1.2 at least.
    /// - Throws: `badInput`, naming the file and what is wrong with it.
    public func configuration() throws(StoreError) -> TLSConfiguration {
      let (chain, key) = try ServerCertificate(certificate: certificate, key: key).read()
      var configuration = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
      configuration.minimumTLSVersion = .tlsv12
      configuration.applicationProtocols = ["http/1.1"]
      // A client need not answer our goodbye (RFC 8446, 6.1), and an idle one does not: nobody's Ctrl-C waits for it.
      configuration.shutdownTimeout = .milliseconds(300)
      return configuration
    }
  }

  /// The name or address to listen at.
  public var host: String
  /// The port; 0 for any that is free.
  public var port: Int
  /// The certificate; nil for plain HTTP.
  public var security: Security?
  /// Whether plain HTTP may be spoken beyond this machine.
  public var allowsPlain = false
  /// The most connections at once; more wait.
  public var connections = 512
  /// The most connections of one address from which no member's token has come; of more, the oldest are closed.
  public var connectionsPerAddress = 64
  /// The most long polls of one member at once.
  public var longPollsPerMember = 64
  /// A connection on which nothing is asked for so long, or whose request does not come on, is closed.
  public var idleSeconds: Int64 = 60
  /// A client that in so long does not take one piece of what it is sent (64 KiB at first, 16 KiB when it is slow) is cut
  /// off.
  public var slowestPieceSeconds: Int64 = 60
  /// A client that still sends so long after it was answered is cut off.
  public var lingerSeconds: Int64 = 10
  /// A body that comes slower than this, in bytes a second, is refused...
  public var slowestBodyRate: Double = 256
  /// ...after so long.
  public var slowBodySeconds: Double = 30
  /// So long a server that is told to stop waits for what is under way.
  public var stopSeconds: Int64 = 30
  /// The most wrong tokens a minute from one address before it is told to wait.
  public var failuresPerMinute = 60
  /// How much of old versions is kept.
  public var versions = VersionLimits()
  /// How much of the trash is kept.
  public var trash = TrashLimits()
  /// How much of unfinished uploads is kept.
  public var sessions = SessionLimits()
  /// Gives memory that is not used back to the system; called when the server has become quiet. May block.
  public var giveMemoryBack: @Sendable () -> Void = {}
  /// Bytes that are free on the disk of the server's own data; nil to ask the disk.
  var freeBytes: (@Sendable () -> UInt64?)?
  /// How much of a folder goes into one archive.
  var archives = ArchiveLimits()
  /// The bytes that the club may have; nil where nobody knows.
  public var capacity: @Sendable () -> UInt64? = { nil }

  /// What goes wrong on purpose; nil for nothing.
  public var chaos: Chaos?

  /// Makes options.
  public init(host: String, port: Int, security: Security? = nil) {
    self.host = host
    self.port = port
    self.security = security
  }

  /// True for an address that only this machine can reach.
  public var isLoopback: Bool {
    host == "localhost" || host == "::1" || (host.hasPrefix("127.") && host.split(separator: ".").count == 4)
  }

  func check() throws(StoreError) {
    _ = try security?.configuration()
    guard chaos == nil || isLoopback else {
      throw StoreError(
        .notPermitted, "A server that fails on purpose (--chaos) serves this machine only, not \(host).",
        remedy: "Listen at 127.0.0.1.")
    }
    guard security != nil || isLoopback || allowsPlain else {
      throw StoreError(
        .notPermitted,
        "Without TLS, everyone on the network of \(host) could read files and tokens.",
        remedy:
          "Add --tls-cert and --tls-key, or listen at 127.0.0.1, or add --insecure if you trust the network.")
    }
  }

  static func now() -> Int64 { Int64(time(nil)) }
}
