import POSIX
import NIOCore
import Synchronization

/// Limits connections of strangers, which have not shown a member's token, cursor or link. Beyond the share of all
/// strangers, or of an address, the oldest is closed for the newest; a member's connection is safe.
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
  private let proxies: TrustedProxies
  private let state = Mutex(State())

  /// - Parameter all: the server's connection limit; strangers get three quarters.
  /// - Parameter perAddress: the limit of strangers from one address.
  /// - Parameter proxies: their connections carry many clients and are no strangers'.
  init(all: Int, perAddress: Int, proxies: TrustedProxies = .none) {
    self.proxies = proxies
    mostStrangers = max(1, all * 3 / 4)
    mostOfAddress = max(1, perAddress)
  }

  func opened(_ channel: any Channel) {
    guard !proxies.contains(channel.remoteAddress?.ipAddress ?? "") else { return }
    let id = ObjectIdentifier(channel)
    opened(id, from: ConnectionShares.address(of: channel.remoteAddress)) { channel.close(promise: nil) }
    channel.closeFuture.whenComplete { _ in self.closed(id) }
  }

  /// Counts a stranger's connection, and closes another one if a share is full.
  func opened(_ id: ObjectIdentifier, from address: [UInt8], _ close: @escaping @Sendable () -> Void) {
    let victim = state.withLock { state -> Held? in
      state.opened += 1
      state.held[id] = Held(number: state.opened, address: address, close: close)
      guard let surplus = surplus(of: state.held, newest: address) else { return nil }
      return state.held.removeValue(forKey: surplus)
    }
    victim?.close()
  }

  func closed(_ id: ObjectIdentifier) { state.withLock { _ = $0.held.removeValue(forKey: id) } }

  func know(_ channel: any Channel) { know(ObjectIdentifier(channel)) }

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

  /// The limited part of an address: all of IPv4, the first half of IPv6, because one host has all of the other half.
  static func address(of remote: SocketAddress?) -> [UInt8] {
    guard let text = remote?.ipAddress else { return [] }
    var bytes = [UInt8](repeating: 0, count: 16)
    if inet_pton(AF_INET, text, &bytes) == 1 { return Array(bytes.prefix(4)) }
    guard inet_pton(AF_INET6, text, &bytes) == 1 else { return Array(text.utf8) }
    // IPv4 on a dual-stack socket.
    let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
    return isMapped ? Array(bytes.suffix(4)) : Array(bytes.prefix(8))
  }
}

/// Limits long polls. Each holds a connection for minutes, and needs a cursor but no token.
final class LongPolls: Sendable {
  private let mostOfMember: Int
  private let most: Int
  private let running = Mutex<[String: Int]>([:])

  init(perMember: Int, all: Int) { (mostOfMember, most) = (perMember, all) }

  var waiting: Int { running.withLock { $0.values.reduce(0, +) } }

  /// - Throws: 429 if too many run; errors of `body`.
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
