import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import Testing

@testable import StoreServer

/// Cutting a client that takes nothing, and closing a connection whose client has not yet taken all that it was sent.
@Suite struct ConnectionPaceTests {
  /// A kernel without room: what is written waits until the client takes it. It remembers how it was closed.
  private final class FullKernel: ChannelOutboundHandler {
    typealias OutboundIn = ConnectionPace.OutboundOut
    private var waiting: [EventLoopPromise<Void>?] = []
    private(set) var closed: [CloseMode] = []

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
      waiting.append(promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
      closed.append(mode)
      context.close(mode: mode, promise: promise)
    }

    func takeOne() { waiting.removeFirst()?.succeed(()) }
  }

  private let kernel = FullKernel()
  private let channel: EmbeddedChannel

  init() throws {
    let pace = ConnectionPace(pieceTime: .seconds(60), lingerTime: .seconds(10))
    channel = EmbeddedChannel(handlers: [kernel, pace])
    try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
  }

  private func send(_ part: ConnectionPace.OutboundIn) { channel.writeAndFlush(part, promise: nil) }

  private var body: ConnectionPace.OutboundIn {
    .body(ByteBuffer(repeating: 0, count: PieceSize.smallest))
  }

  // NIO drops what is not sent yet in both: the second, when the client has ended its own output.
  @Test(arguments: [CloseMode.all, .output])
  func `it is closed when all is taken`(_ mode: CloseMode) {
    send(body)
    send(.end(nil))
    channel.close(mode: mode, promise: nil)
    kernel.takeOne()
    #expect(channel.isActive)
    kernel.takeOne()
    #expect(!channel.isActive && kernel.closed == [mode])
  }

  @Test(arguments: [false, true])
  func `a server that gives up waits for nobody`(_ isLate: Bool) {
    send(.end(nil))
    if isLate { channel.close(mode: .output, promise: nil) }
    channel.close(mode: .input, promise: nil)
    if !isLate { channel.close(promise: nil) }
    #expect(kernel.closed.contains(.all))
    kernel.takeOne()
  }

  @Test func `with nothing on its way it is closed at once`() {
    send(.end(nil))
    kernel.takeOne()
    channel.close(promise: nil)
    #expect(!channel.isActive)
  }

  @Test func `a client that takes a piece now and then gets all of them, however long that takes`() {
    let pieces = 10
    for _ in 0..<pieces { send(body) }
    send(.end(nil))
    for _ in 0..<pieces {
      channel.embeddedEventLoop.advanceTime(by: .seconds(59))
      kernel.takeOne()
      #expect(channel.isActive)
    }
    kernel.takeOne()
    channel.embeddedEventLoop.advanceTime(by: .seconds(120))
    #expect(channel.isActive && kernel.closed.isEmpty)
  }

  @Test func `a client that stops taking pieces is cut within the time of two`() {
    for _ in 0..<3 { send(body) }
    channel.embeddedEventLoop.advanceTime(by: .seconds(59))
    kernel.takeOne()
    channel.embeddedEventLoop.advanceTime(by: .seconds(60))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive)
    for _ in 0..<2 { kernel.takeOne() }
  }

  @Test func `one that takes nothing is cut all the same`() {
    send(.end(nil))
    channel.close(promise: nil)
    channel.embeddedEventLoop.advanceTime(by: .seconds(59))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive)
    kernel.takeOne()
  }

  // The head of such an answer gives no length, and a line is smaller than any piece.
  @Test func `one that takes no lines of an answer without an end is cut, and one that does is kept for hours`() {
    send(.head(HTTPResponse(status: .ok)))
    kernel.takeOne()
    for _ in 0..<1000 {
      send(.body(ByteBuffer(string: "\n")))
      channel.embeddedEventLoop.advanceTime(by: .seconds(20))
      kernel.takeOne()
      channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    }
    channel.embeddedEventLoop.advanceTime(by: .hours(1))
    #expect(channel.isActive)
    send(.body(ByteBuffer(string: "\n")))
    channel.embeddedEventLoop.advanceTime(by: .seconds(59))
    #expect(channel.isActive)
    channel.embeddedEventLoop.advanceTime(by: .seconds(1))
    #expect(!channel.isActive)
    kernel.takeOne()
  }

  @Test func `a small body of a known length is counted with its end`() {
    send(.head(HTTPResponse(status: .ok, headerFields: [.contentLength: "1"])))
    send(.body(ByteBuffer(string: "x")))
    for _ in 0..<2 { kernel.takeOne() }
    channel.close(promise: nil)
    #expect(!channel.isActive)
  }
}
