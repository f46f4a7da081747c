import NIOCore
import Synchronization

/// Limits connections of strangers, which have not shown a member's token, cursor or link. Beyond the share of all
/// strangers, or of an address, the oldest is closed for the newest; a member's connection is safe.
final class ConnectionShares: Sendable {
  private struct Held {
    let number: UInt64
    let address: ClientAddress
    var isKnown = false
    var polls = 0
    let close: @Sendable () -> Void

    var isStranger: Bool { !isKnown && polls == 0 }
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
    guard !proxies.contains(channel.remoteAddress?.ipAddress ?? TrustedProxies.local) else { return }
    let id = ObjectIdentifier(channel)
    opened(id, from: ClientAddress(channel.remoteAddress)) { channel.close(promise: nil) }
    channel.closeFuture.whenComplete { _ in self.closed(id) }
  }

  /// Counts a stranger's connection, and closes others if a share is full.
  func opened(_ id: ObjectIdentifier, from address: ClientAddress, _ close: @escaping @Sendable () -> Void) {
    let victims = state.withLock { state -> [Held] in
      state.opened += 1
      state.held[id] = Held(number: state.opened, address: address, close: close)
      var victims: [Held] = []
      // More than one if long polls have ended in the meantime.
      while let oldest = surplus(of: state.held, newest: address), let victim = state.held.removeValue(forKey: oldest) {
        victims.append(victim)
      }
      return victims
    }
    for victim in victims { victim.close() }
  }

  func closed(_ id: ObjectIdentifier) { state.withLock { _ = $0.held.removeValue(forKey: id) } }

  func know(_ channel: any Channel) { know(ObjectIdentifier(channel)) }

  func know(_ id: ObjectIdentifier) { state.withLock { $0.held[id]?.isKnown = true } }

  /// Counts the long polls of a connection. It is no stranger's as long as one waits, and no longer: a cursor, which
  /// needs no token, holds no more connections than polls.
  func notePolls(_ id: ObjectIdentifier, _ change: Int) { state.withLock { $0.held[id]?.polls += change } }

  private func surplus(of held: [ObjectIdentifier: Held], newest: ClientAddress) -> ObjectIdentifier? {
    let strangers = held.filter { $0.value.isStranger }
    let own = strangers.filter { $0.value.address == newest }
    if own.count > mostOfAddress { return oldest(of: own) }
    guard strangers.count > mostStrangers else { return nil }
    let counts = strangers.values.reduce(into: [ClientAddress: Int]()) { $0[$1.address, default: 0] += 1 }
    let largest = counts.max { ($0.value, $1.key.isLong ? 0 : 1) < ($1.value, $0.key.isLong ? 0 : 1) }?.key
    return oldest(of: strangers.filter { $0.value.address == largest })
  }

  private func oldest(of held: [ObjectIdentifier: Held]) -> ObjectIdentifier? {
    held.min { $0.value.number < $1.value.number }?.key
  }
}
