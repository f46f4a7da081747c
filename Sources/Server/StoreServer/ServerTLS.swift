import FileStores
import HummingbirdCore
import Logging
import NIOCore
import NIOSSL
import Synchronization

/// The certificate of new connections. It can be replaced while the server runs; a connection keeps the one that it
/// began with.
final class ServerTLS: Sendable {
  private let security: ServerOptions.Security
  private let current: Mutex<(context: NIOSSLContext, end: Int64)>

  /// Reads the files. Blocks.
  /// - Throws: `badInput`, with the file and its fault; the errors of `OwnCertificate`.
  init(_ security: ServerOptions.Security) throws(StoreError) {
    self.security = security
    current = Mutex(try ServerTLS.read(security))
  }

  /// Reads the files again. Blocks.
  /// - Throws: `badInput`, with the file and its fault; the old certificate then stays.
  func reload() throws(StoreError) {
    let new = try ServerTLS.read(security)
    current.withLock { $0 = new }
  }

  var context: NIOSSLContext { current.withLock { $0.context } }

  /// The end of the certificate, in seconds since 1970.
  var end: Int64 { current.withLock { $0.end } }

  private static func read(_ security: ServerOptions.Security) throws(StoreError) -> (NIOSSLContext, Int64) {
    let (configuration, end) = try security.configuration()
    do {
      return (try NIOSSLContext(configuration: configuration), end)
    } catch {
      throw StoreError(
        .badInput, "TLS cannot use the certificate in \"\(security.certificate)\": \(error).",
        remedy: "Give the certificate with --tls-cert and its key with --tls-key, both in PEM.")
    }
  }
}

/// Connections with TLS. Hummingbird's own channel keeps one certificate for ever.
struct TLSConnections<Base: ServerChildChannel>: ServerChildChannel {
  typealias Value = Base.Value
  let base: Base
  let tls: ServerTLS

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: tls.context))
    }.flatMap { base.setup(channel: channel, logger: logger) }
  }

  func handle(value: Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
