import FileStores
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

  var description: String { "StatusServer" }

  func run() async throws {
    let port = port
    let ready = ready
    var quiet = logger
    quiet.logLevel = max(logger.logLevel, .notice)
    let application = Application(
      responder: responder,
      server: .http1(configuration: HTTP1Channel.Configuration(idleTimeout: .seconds(60))),
      configuration: ApplicationConfiguration(
        address: .hostname(host, port: port), availableConnectionsDelegate: AvailableConnections(most: 16)),
      onServerRunning: { channel in ready(channel.localAddress?.port ?? port) }, logger: quiet)
    do {
      try await application.run()
    } catch {
      throw ListenFault.error(error, host: host, port: port, option: "--listen-metrics") ?? error
    }
  }
}
