import NIOCore
import NIOHTTPTypes
import Synchronization

/// Tells which clients have gone, so that nobody works for them. A client that only ends its sending counts as gone, too:
/// a browser that leaves does just that, and none does it while it waits.
final class Visitors: Sendable {
  private struct State {
    var gone: Set<ObjectIdentifier> = []
    var working: [ObjectIdentifier: [Int: @Sendable () -> Void]] = [:]
    var last = 0
  }

  private let state = Mutex(State())

  /// Cancels `body` when the client of the channel goes.
  func whileThere<Value: Sendable>(
    _ channel: any Channel, _ body: @escaping @Sendable () async throws -> Value
  ) async throws -> Value {
    let id = ObjectIdentifier(channel)
    guard channel.isActive, state.withLock({ !$0.gone.contains(id) }) else { throw CancellationError() }
    let work = Task { try await body() }
    let number = begin(id) { work.cancel() }
    defer { end(id, number) }
    if !channel.isActive { work.cancel() }
    return try await withTaskCancellationHandler {
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }

  private func begin(_ id: ObjectIdentifier, _ cancel: @escaping @Sendable () -> Void) -> Int {
    let (number, isGone) = state.withLock { state in
      state.last += 1
      state.working[id, default: [:]][state.last] = cancel
      return (state.last, state.gone.contains(id))
    }
    if isGone { cancel() }
    return number
  }

  private func end(_ id: ObjectIdentifier, _ number: Int) {
    state.withLock { state in
      state.working[id]?[number] = nil
      if state.working[id]?.isEmpty == true { state.working[id] = nil }
    }
  }

  /// The client sends no more.
  func left(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    let cancels = state.withLock { state in
      state.gone.insert(id)
      return Array((state.working[id] ?? [:]).values)
    }
    for cancel in cancels { cancel() }
  }

  /// The connection has ended.
  func closed(_ channel: any Channel) {
    left(channel)
    state.withLock { _ = $0.gone.remove(ObjectIdentifier(channel)) }
  }
}

/// Notices that a client goes.
final class VisitorHandler: ChannelInboundHandler, RemovableChannelHandler, Sendable {
  typealias InboundIn = HTTPRequestPart

  private let visitors: Visitors

  init(_ visitors: Visitors) { self.visitors = visitors }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    if case ChannelEvent.inputClosed? = event as? ChannelEvent { visitors.left(context.channel) }
    context.fireUserInboundEventTriggered(event)
  }

  func channelInactive(context: ChannelHandlerContext) {
    visitors.closed(context.channel)
    context.fireChannelInactive()
  }
}
