import HummingbirdCore
import Logging
import NIOCore
import NIOHTTPTypes

/// Runs tasks on the thread of an event loop, so that a connection's task need not wake another thread for each part of
/// a request that comes and each that goes. What blocks is done on the pool; here it would hold up the loop's other
/// connections.
final class LoopTasks: TaskExecutor {
  private let loop: any EventLoop

  init(_ loop: any EventLoop) { self.loop = loop }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    loop.execute { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
  }
}

/// HTTP/1.1, with each connection's task on the thread of its event loop.
struct LoopChannel: ServerChildChannel {
  typealias Value = HTTP1Channel.Value
  let base: HTTP1Channel
  /// Who answers what is at hand; nil when all goes the usual way.
  let atHand: ClubResponder?
  let shares: ConnectionShares

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    shares.opened(channel)
    let ready = base.setup(channel: channel, logger: logger)
    guard let atHand else { return ready }
    return ready.flatMapThrowing { value in
      // Behind what looks after idle connections, which has to see all that comes and goes.
      let pipeline = channel.pipeline.syncOperations
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
