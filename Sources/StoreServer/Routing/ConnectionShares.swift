import Glibc
import NIOCore
import Synchronization

/// How the server's connections are shared: strangers, who have not shown that a member let them in, have a part of them,
/// and each address has a part of that. When a part is full, its oldest connection is closed for the newest: a member's
/// new connection always gets in, and is safe once it has shown a token.
final class ConnectionShares: Sendable {
  private struct Held {
    let number: UInt64
    let address: [UInt8]
    var isKnown = false
    let close: @Sendable () -> Void
  }

  private struct State {
    var held: [ObjectIdentifier: Held] = [:]
    var opened: UInt64 = 0
  }

  private let mostStrangers: Int
  private let mostOfAddress: Int
  private let state = Mutex(State())

  /// - Parameters:
  ///   - all: the connections that the server takes. Strangers get three quarters of them.
  ///   - perAddress: the most connections of strangers from one address.
  init(all: Int, perAddress: Int) {
    mostStrangers = max(1, all * 3 / 4)
    mostOfAddress = max(1, perAddress)
  }

  /// Notes a connection until it is closed.
  func opened(_ channel: any Channel) {
    let id = ObjectIdentifier(channel)
    opened(id, from: ConnectionShares.address(of: channel.remoteAddress)) { channel.close(promise: nil) }
    channel.closeFuture.whenComplete { _ in self.closed(id) }
  }

  /// Notes a connection of a stranger, and closes another one when a share is full.
  func opened(_ id: ObjectIdentifier, from address: [UInt8], _ close: @escaping @Sendable () -> Void) {
    let victim = state.withLock { state -> Held? in
      state.opened += 1
      state.held[id] = Held(number: state.opened, address: address, close: close)
      guard let surplus = surplus(of: state.held, newest: address) else { return nil }
      return state.held.removeValue(forKey: surplus)
    }
    victim?.close()
  }

  /// Notes that a connection is gone.
  func closed(_ id: ObjectIdentifier) { state.withLock { _ = $0.held.removeValue(forKey: id) } }

  /// Notes that a connection has shown a member's token, cursor or link.
  func know(_ channel: any Channel) { know(ObjectIdentifier(channel)) }

  /// The same, by the connection's id.
  func know(_ id: ObjectIdentifier) { state.withLock { $0.held[id]?.isKnown = true } }

  private func surplus(of held: [ObjectIdentifier: Held], newest: [UInt8]) -> ObjectIdentifier? {
    let strangers = held.filter { !$0.value.isKnown }
    let own = strangers.filter { $0.value.address == newest }
    if own.count > mostOfAddress { return oldest(of: own) }
    guard strangers.count > mostStrangers else { return nil }
    let counts = strangers.values.reduce(into: [[UInt8]: Int]()) { $0[$1.address, default: 0] += 1 }
    let largest = counts.max { ($0.value, $1.key.count) < ($1.value, $0.key.count) }?.key
    return oldest(of: strangers.filter { $0.value.address == largest })
  }

  private func oldest(of held: [ObjectIdentifier: Held]) -> ObjectIdentifier? {
    held.min { $0.value.number < $1.value.number }?.key
  }

  /// What counts as one address: of IPv6 the first half, as a host has all of the other.
  static func address(of remote: SocketAddress?) -> [UInt8] {
    guard let text = remote?.ipAddress else { return [] }
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes.prefix(4)) }
    guard inet_pton(AF_INET6, text, &bytes) == 1 else { return Array(text.utf8) }
    // IPv4 at a socket for both.
    let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
    return isMapped ? Array(bytes.suffix(4)) : Array(bytes.prefix(8))
  }
}

/// How many long polls there are: each holds a connection for minutes, and needs a cursor but no token.
final class LongPolls: Sendable {
  private let mostOfMember: Int
  private let most: Int
  private let running = Mutex<[String: Int]>([:])

  init(perMember: Int, all: Int) { (mostOfMember, most) = (perMember, all) }

  /// Waits for a member.
  /// - Throws: 429 when there are too many already, and what `body` throws.
  func with<Value>(_ member: String, _ body: () async throws -> Value) async throws -> Value {
    let mayWait = running.withLock { running in
      let count = running[member, default: 0]
      guard count < mostOfMember, running.values.reduce(0, +) < most else { return false }
      running[member] = count + 1
      return true
    }
    guard mayWait else { throw APIFailure.tooMany(retryAfter: 30) }
    defer {
      running.withLock { running in
        let rest = running[member, default: 1] - 1
        running[member] = rest > 0 ? rest : nil
      }
    }
    return try await body()
  }
}
