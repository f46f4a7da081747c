import Database
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes

/// Answers downloads of small remembered files in the connection's own pipeline, without a task: 1.7 times as many
/// small GETs a second (BENCHMARKS.md, "serve"). Passes on all other requests.
/// Answers keep the order of their requests: this handler answers nothing while the server owes an answer.
final class AtHandHandler: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let responder: ClubResponder
  private let logger: Logger
  private var peer: String?
  private var isKnown = false
  /// The head of a request that may be answered here, held until its end.
  private var held: HTTPRequest?
  private var passed = 0
  /// True if the server closes the connection after an answer owed or begun.
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
    isClosing = true
    passHeld(context)
    context.fireErrorCaught(error)
  }

  private func answer(_ head: HTTPRequest, _ context: ChannelHandlerContext) -> AnswerAtHand? {
    let peer = peer ?? context.channel.remoteAddress?.ipAddress ?? TrustedProxies.local
    self.peer = peer
    guard let answer = responder.answerAtHand(head, peer: peer, logger: logger) else { return nil }
    if !isKnown {
      responder.shared.shares.know(context.channel)
      isKnown = true
    }
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

  /// True if the request has no body and no connection options.
  private static func isSimple(_ head: HTTPRequest) -> Bool {
    let fields = head.headerFields
    return (head.method == .get || head.method == .post) && fields[.connection] == nil && fields[.expect] == nil
      && fields[.transferEncoding] == nil && head.authority?.isEmpty == false && fields[.secondHost] == nil
      && fields[.contentLength].map { $0 == "0" } ?? true
  }
}

struct AnswerAtHand {
  let status: HTTPResponse.Status
  var headers: HTTPFields
  let bytes: [UInt8]
}

extension ClubResponder {
  /// The answer to a request without a body whose token and data are in memory. Does not block; nil leaves the request,
  /// and any refusal, to `respond`.
  func answerAtHand(_ head: HTTPRequest, peer: String, logger: Logger) -> AnswerAtHand? {
    guard let path = head.path, !path.utf8.contains(UInt8(ascii: "?")), let route = table[path],
      let atHand = route.atHand, let (club, caller) = clubs.atHand(route, head), var answer = atHand(club, head)
    else { return nil }
    shared.activity.note()
    let id = RequestID().description
    ClubResponder.finish(&answer.headers, of: route, to: head, requestID: id)
    var record = AccessRecord(
      request: id, client: club.proxies.client(of: head, peer: peer, isSecure: club.isSecure).peer,
      method: head.method.rawValue, call: route.path, status: answer.status.code)
    (record.member, record.club, record.sent) = (caller.member?.name, club.name, UInt64(answer.bytes.count))
    monitor.note(record, logger)
    return answer
  }
}
