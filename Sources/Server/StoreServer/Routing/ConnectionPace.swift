import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Cuts a connection whose client reads an answer too slowly, or keeps sending after its answer. Otherwise a slow
/// client could hold one of the few connections for ever.
/// Answers go out in pieces (`PieceSize`), each with a time limit; of an answer without a length each line is one.
/// `RequestBytes` refuses bodies that come too slowly, and the server's idle time ends stalled heads.
/// A close from elsewhere waits until all output is taken. A closed NIO channel drops output that the kernel does not
/// have yet, and Hummingbird closes right behind the last part of an answer when the server stops.
final class ConnectionPace: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let pieceTime: TimeAmount
  private let lingerTime: TimeAmount
  private var sent = 0
  private var taken = 0
  private var takenAtLastLook = 0
  private var look: Scheduled<Void>?
  private var isReceiving = false
  /// True for an answer whose head gives no length: its end may never come.
  private var isEndless = false
  private var linger: Scheduled<Void>?
  /// Closes that wait until all output is taken.
  private var closings: [(mode: CloseMode, promise: EventLoopPromise<Void>?)] = []
  /// True once the server stops waiting for the client; only then does it close the input.
  private var isGivenUp = false

  /// - Parameter pieceTime: the limit of one piece.
  /// - Parameter lingerTime: the time for which a client may keep sending after its answer.
  init(pieceTime: TimeAmount, lingerTime: TimeAmount) {
    self.pieceTime = pieceTime
    self.lingerTime = lingerTime
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head: isReceiving = true
    case .body: break
    case .end:
      isReceiving = false
      stop(&linger)
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    let isEnd: Bool
    switch unwrapOutboundIn(data) {
    case .end: isEnd = true
    case .body(let bytes) where isEndless || bytes.readableBytes >= PieceSize.smallest: isEnd = false
    case .head(let head):
      isEndless = head.headerFields[.contentLength] == nil
      context.write(data, promise: promise)
      return
    case .body:
      // A head and a small body are counted with the end of the answer.
      context.write(data, promise: promise)
      return
    }
    let promise = promise ?? context.eventLoop.makePromise()
    sent += 1
    promise.futureResult.assumeIsolated().whenComplete { _ in self.noteTaken(context) }
    context.write(data, promise: promise)
    if look == nil { scheduleLook(context) }
    if isEnd, isReceiving, linger == nil {
      linger = context.eventLoop.assumeIsolated().scheduleTask(in: lingerTime) { context.close(promise: nil) }
    }
  }

  func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
    if mode == .input {
      isGivenUp = true
      closeNow(context, .all)
    }
    guard !isGivenUp, sent > taken else { return context.close(mode: mode, promise: promise) }
    closings.append((mode, promise))
    context.flush()
  }

  func channelInactive(context: ChannelHandlerContext) {
    stopAll()
    context.fireChannelInactive()
  }

  func handlerRemoved(context: ChannelHandlerContext) { stopAll() }

  private func noteTaken(_ context: ChannelHandlerContext) {
    taken += 1
    if sent == taken { closeNow(context) }
  }

  private func closeNow(_ context: ChannelHandlerContext, _ mode: CloseMode? = nil) {
    let ready = closings
    closings = []
    for closing in ready { context.close(mode: mode ?? closing.mode, promise: closing.promise) }
  }

  private func scheduleLook(_ context: ChannelHandlerContext) {
    takenAtLastLook = taken
    look = context.eventLoop.assumeIsolated().scheduleTask(in: pieceTime) {
      self.look = nil
      guard self.sent > self.taken else { return }
      if self.taken == self.takenAtLastLook {
        context.close(promise: nil)
      } else {
        self.scheduleLook(context)
      }
    }
  }

  private func stop(_ task: inout Scheduled<Void>?) {
    task?.cancel()
    task = nil
  }

  private func stopAll() {
    stop(&look)
    stop(&linger)
  }
}
