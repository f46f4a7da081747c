import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes

/// Answers in the connection's own pipeline what is at hand, so that a small file costs no task and no way to it and back.
/// All else goes on to the server.
///
/// Answers go out in the order of their requests: nothing is answered here as long as the server owes an answer.
final class AtHandHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let responder: ClubResponder
  private let logger: Logger
  private var date = DateField()
  private var peer: String?
  /// Whether a member's token has come here.
  private var isKnown = false
  /// The head of a request that may be answered here, until it has come to its end.
  private var held: HTTPRequest?
  /// Requests that went on and are not answered yet.
  private var passed = 0
  /// Whether the server closes after an answer that it owes, or has begun.
  private var isClosing = false

  init(_ responder: ClubResponder, _ logger: Logger) {
    self.responder = responder
    self.logger = logger
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head(let head):
      if passed == 0, !isClosing, AtHandHandler.isSimple(head) {
        held = head
      } else {
        pass(head, context)
      }
    case .body:
      passHeld(context)
      context.fireChannelRead(data)
    case .end:
      if let head = held, let answer = answer(head, context) {
        held = nil
        context.write(
          wrapOutboundOut(.head(HTTPResponse(status: answer.status, headerFields: answer.headers))), promise: nil)
        context.write(wrapOutboundOut(.body(context.channel.allocator.buffer(bytes: answer.bytes))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
      } else {
        passHeld(context)
        context.fireChannelRead(data)
      }
    }
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) { passed -= 1 }
    context.write(data, promise: promise)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // What is wrong with the request, the server answers.
    isClosing = true
    passHeld(context)
    context.fireErrorCaught(error)
  }

  private func answer(_ head: HTTPRequest, _ context: ChannelHandlerContext) -> AnswerAtHand? {
    let peer = peer ?? context.channel.remoteAddress?.ipAddress ?? "local"
    self.peer = peer
    guard var answer = responder.answerAtHand(head, peer: peer, logger: logger) else { return nil }
    if !isKnown {
      responder.club.shares.know(context.channel)
      isKnown = true
    }
    answer.headers[.date] = date.text(at: responder.club.index.now())
    return answer
  }

  private func passHeld(_ context: ChannelHandlerContext) {
    guard let head = held else { return }
    held = nil
    pass(head, context)
  }

  private func pass(_ head: HTTPRequest, _ context: ChannelHandlerContext) {
    passed += 1
    if head.headerFields[.connection] == "close" { isClosing = true }
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  /// Whether nothing is said of the connection, and no body comes.
  private static func isSimple(_ head: HTTPRequest) -> Bool {
    let fields = head.headerFields
    return (head.method == .get || head.method == .post) && fields[.connection] == nil && fields[.expect] == nil
      && fields[.transferEncoding] == nil && fields[.contentLength].map { $0 == "0" } ?? true
  }

  /// The field `Date`, made anew each second.
  private struct DateField {
    private var second: Int64 = -1
    private var text = ""

    mutating func text(at now: Int64) -> String {
      if now != second { (second, text) = (now, V1Time.text(now, zone: "GMT")) }
      return text
    }
  }
}
