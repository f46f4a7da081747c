import Database
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

struct CallContext: InitializableFromSource, Sendable {
  let channel: any Channel
  let logger: Logger
  var chaos: String?

  init(source: ApplicationRequestContextSource) {
    channel = source.channel
    logger = source.logger
  }

  var requestID: String { logger[metadataKey: "hb.request.id"].map { "\($0)" } ?? FreshID.hexadecimal(32) }

  var peer: String { channel.remoteAddress?.ipAddress ?? TrustedProxies.local }
}
