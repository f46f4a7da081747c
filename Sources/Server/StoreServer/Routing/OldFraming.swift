import NIOCore
import NIOHTTP1

/// Marks requests of HTTP/1.0 that have a Transfer-Encoding. Their framing is faulty (RFC 9112, section 6.1): a proxy in
/// front may see their end elsewhere. They are refused, and their connection ends.
final class OldFraming: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart

  /// The transfer encoding of such a request from here on.
  static let mark = "http/1.0,chunked"

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    guard case .head(var head) = unwrapInboundIn(data), head.version != .http1_1,
      head.headers.contains(name: "Transfer-Encoding")
    else { return context.fireChannelRead(data) }
    head.headers.replaceOrAdd(name: "Transfer-Encoding", value: OldFraming.mark)
    head.headers.replaceOrAdd(name: "Connection", value: "close")
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }
}
