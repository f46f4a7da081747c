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

  var peer: String { channel.remoteAddress?.ipAddress ?? "local" }

  func log(
    _ peer: String, _ method: HTTPRequest.Method, _ route: String, _ status: HTTPResponse.Status, caller: Caller?,
    milliseconds: Int
  ) {
    CallContext.log(
      logger, metadata: nil, peer: peer, method, route, status, caller: caller, milliseconds: milliseconds, chaos: chaos
    )
  }

  /// The access log omits the query, which may hold a token, and the secret part of a link.
  static func log(
    _ logger: Logger, metadata: Logger.Metadata?, peer: String, _ method: HTTPRequest.Method, _ route: String,
    _ status: HTTPResponse.Status, caller: Caller?, milliseconds: Int, chaos: String? = nil
  ) {
    let member = caller?.member?.name ?? "-"
    let fault = chaos.map { ", chaos: \($0)" } ?? ""
    logger.info(
      "\(peer) \(member) \(method.rawValue) \(route) \(status.code) \(milliseconds) ms\(fault)", metadata: metadata)
  }
}
