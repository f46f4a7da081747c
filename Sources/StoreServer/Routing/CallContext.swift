import Database
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Where a request came in.
struct CallContext: InitializableFromSource, Sendable {
  let channel: any Channel
  let logger: Logger
  /// What goes wrong on purpose.
  var chaos: String?

  init(source: ApplicationRequestContextSource) {
    channel = source.channel
    logger = source.logger
  }

  /// The word that the log has for this request.
  var requestID: String { logger[metadataKey: "hb.request.id"].map { "\($0)" } ?? FreshID.hexadecimal(32) }

  /// The far side's address, without its port.
  var peer: String { channel.remoteAddress?.ipAddress ?? "local" }

  /// The line of the access log.
  func log(
    _ method: HTTPRequest.Method, _ route: String, _ status: HTTPResponse.Status, caller: Caller?, milliseconds: Int
  ) {
    CallContext.log(
      logger, metadata: nil, peer: peer, method, route, status, caller: caller, milliseconds: milliseconds, chaos: chaos
    )
  }

  /// The line of the access log. Never the query, which may hold a token, and never a link's word.
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
