import FileStores
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Sets the `Date` header of each answer when it goes out. Hummingbird's is up to a second old, and so could be before the
/// `server_modified` of a file in the same answer: dbxfs takes such a file for one that came after the listing, and leaves
/// it out with all that follow.
final class AnswerDate: ChannelOutboundHandler, RemovableChannelHandler {
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  /// Seconds since 1970.
  private let now: () -> Int64
  /// Formatted once a second.
  private var second: Int64?
  private var text = ""

  init(now: @escaping () -> Int64 = { Timestamp.now().seconds }) { self.now = now }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    guard case .head(var head) = unwrapOutboundIn(data), head.status.kind != .informational else {
      return context.write(data, promise: promise)
    }
    let now = now()
    if now != second { (second, text) = (now, V1Time.text(now, zone: "GMT")) }
    head.headerFields[.date] = text
    context.write(wrapOutboundOut(.head(head)), promise: promise)
  }
}
