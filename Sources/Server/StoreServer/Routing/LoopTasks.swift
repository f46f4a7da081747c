import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Runs a connection's tasks on its event loop's thread, which saves waking another thread for each part. Blocking work
/// belongs on the pool; here it would delay the loop's other connections.
final class LoopTasks: TaskExecutor {
  private let loop: any EventLoop

  init(_ loop: any EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

/// HTTP/1.1 with each connection's task on the thread of its event loop, and with shares of the connections.
struct LoopChannel: ServerChildChannel {
  typealias Value = HTTP1Channel.Value
  let base: HTTP1Channel
  var atHand: ClubResponder?
  let shares: ConnectionShares
  /// Called when a connection begins and ends.
  var opened: @Sendable () -> Void = {}
  var closed: @Sendable () -> Void = {}

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    shares.opened(channel)
    opened()
    channel.closeFuture.whenComplete { [closed] _ in closed() }
    return base.setup(channel: channel, logger: logger).flatMapThrowing { [atHand] value in
      let pipeline = channel.pipeline.syncOperations
      let codec = try pipeline.handler(type: HTTP1ToHTTPServerCodec.self)
      try pipeline.addHandler(OldFraming(), position: .before(codec))
      guard let atHand else { return value }
      // After the idle handler, which must see all traffic.
      let state = try pipeline.handler(type: HTTPConnectionStateHandler.self)
      try pipeline.addHandler(AtHandHandler(atHand, logger), position: .after(state))
      return value
    }
  }

  func handle(value: Value, logger: Logger) async {
    await withTaskExecutorPreference(LoopTasks(value.channel.eventLoop)) {
      await base.handle(value: value, logger: logger)
    }
  }
}
