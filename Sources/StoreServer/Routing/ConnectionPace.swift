import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Cuts a connection whose client takes what it is sent too slowly, or goes on sending after it was answered. Without it
/// a client that dawdles on purpose would hold one of the few connections for ever.
///
/// What is sent goes out in pieces (`PieceSize`); each must be taken within a time. What a client sends too slowly
/// while it is being read is refused where it is read (`RequestBytes`), and a request that does not come to its head's
/// end is closed by the server's idle time.
///
/// Whoever else closes the connection waits until what was sent is taken. A channel of NIO drops what it has not given to
/// the kernel when it is closed, also when only its output is and the client has ended its own; and Hummingbird closes
/// right behind the last part of an answer when the server stops.
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
  private var linger: Scheduled<Void>?
  /// Who wants to close, once all is taken.
  private var closings: [(mode: CloseMode, promise: EventLoopPromise<Void>?)] = []
  /// Whether the server waits for nobody any more: only then does it close the input.
  private var isGivenUp = false

  /// - Parameters:
  ///   - pieceTime: the longest that one piece may take.
  ///   - lingerTime: how long a client may go on sending what nobody reads any more.
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
    // A head and a small body are taken with the end of the answer.
    case .body(let bytes) where bytes.readableBytes >= PieceSize.smallest: isEnd = false
    case .head, .body:
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

  /// Closes for all who wait, each as it wants to, or in one way.
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
