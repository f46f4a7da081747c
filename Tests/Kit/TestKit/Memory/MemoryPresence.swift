internal import Backends
internal import Basics
public import FileStores

/// Presence in memory, for tests and experiments: each member has a place of their own.
public final class MemoryPresence: Sendable {
  fileprivate let room = WaitableState(PresenceRoom())

  public init() {}

  public func place(of member: String) -> any StorePresence { Place(presence: self, member: member) }

  private struct Place: StorePresence {
    let presence: MemoryPresence
    let member: String

    func show(_ sight: Sight?) async throws(StoreError) {
      try StoreError.checkCancelled("The sight")
      presence.room.change { _ = $0.show(sight, of: member, at: 0) }
    }

    func watch(_ receive: ([PresentMember]) async -> Void) async throws(StoreError) {
      guard presence.room.change({ $0.enter(member, named: member, at: 0) }) else {
        throw StoreError(.rateLimited, "Too many members are there.")
      }
      defer { presence.room.change { $0.leave(member, isRemoved: true, at: 0) } }
      var present: [String: PresentMember] = [:]
      var known = PresenceRoom.Known()
      while !Task.isCancelled {
        let (seen, member) = (known, member)
        let (news, now) = presence.room.read { room in
          var known = seen
          return (room.news(for: member, after: &known), known)
        }
        known = now
        if let news {
          for name in news.gone { present[name] = nil }
          for other in news.present { present[other.name] = other }
          await receive(present.values.sorted { $0.name < $1.name })
        }
        await presence.room.wait { $0.count != now.count }
      }
      throw .cancelled("The watch")
    }
  }
}
