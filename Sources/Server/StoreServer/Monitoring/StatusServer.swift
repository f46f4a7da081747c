import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import ServiceLifecycle

/// The listener for health checks and Prometheus, without TLS.
struct StatusServer: Service, CustomStringConvertible {
  let host: String
  let port: Int
  let responder: StatusResponder
  let ready: @Sendable (Int) -> Void
  let logger: Logger
  /// The most connections; the oldest one is closed for the newest, so that idle ones keep no health check out.
  private static let connections = 16

  var description: String { "StatusServer" }

  func run() async throws {
    let most = StatusServer.connections
    let shares = ConnectionShares(all: most * 4 / 3, perAddress: most)
    var quiet = logger
    quiet.logLevel = max(logger.logLevel, .notice)
    let application = Application(
      responder: responder,
      server: HTTPServerBuilder { respond in
        LoopChannel(
          base: HTTP1Channel(
            responder: respond,
            configuration: HTTP1Channel.Configuration(
              additionalChannelHandlers: [ConnectionPace(pieceTime: .seconds(10), lingerTime: .seconds(1))],
              idleTimeout: .seconds(60))), shares: shares)
      },
      configuration: ApplicationConfiguration(
        address: .hostname(host, port: port),
        availableConnectionsDelegate: AvailableConnections(most: 2 * StatusServer.connections)),
      onServerRunning: { channel in ready(channel.localAddress?.port ?? port) }, logger: quiet)
    do {
      try await application.run()
    } catch {
      throw ListenFault.error(error, host: host, port: port, option: "--listen-metrics") ?? error
    }
  }
}
