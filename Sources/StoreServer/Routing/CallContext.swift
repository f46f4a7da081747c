import Hummingbird
import Logging
import NIOCore

/// Where a request came in.
struct CallContext: InitializableFromSource, Sendable {
  let channel: any Channel
  let logger: Logger

  init(source: ApplicationRequestContextSource) {
    channel = source.channel
    logger = source.logger
  }

  /// The far side's address, without its port.
  var peer: String { channel.remoteAddress?.ipAddress ?? "local" }
}
