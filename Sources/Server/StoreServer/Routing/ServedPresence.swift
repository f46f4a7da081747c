import Basics
import Database
import FileStores
import ServiceLifecycle
import Synchronization

/// The members who are in one club now. It is in memory alone, and ends with the server.
final class ServedPresence: Sendable {
  private let room = WaitableState(PresenceRoom())
  /// True while a task waits for the end of a sight.
  private let isSweeping = WaitableState(false)
  private let began = ContinuousClock.now
  /// The time after which a watch without news gets an empty line.
  let rest: Duration

  init(rest: Duration) { self.rest = rest }

  private var now: Int64 { Int64((ContinuousClock.now - began) / .milliseconds(1)) }

  func show(_ sight: Sight?, of member: ServerMember) {
    let now = now
    room.change { _ = $0.show(sight, of: member.id, at: now) }
  }

  /// False if the room is full.
  func enter(_ member: ServerMember) -> Bool {
    let now = now
    return room.change { $0.enter(member.id, named: member.name, at: now) }
  }

  func leave(_ member: ServerMember, isRemoved: Bool) {
    let now = now
    room.change { $0.leave(member.id, isRemoved: isRemoved, at: now) }
    sweepLater()
  }

  func news(for member: ServerMember, after known: inout PresenceRoom.Known) -> PresenceRoom.News? {
    let before = known
    let (news, after) = room.read { room in
      var known = before
      return (room.news(for: member.id, after: &known), known)
    }
    known = after
    return news
  }

  /// Returns when there is something new, or after this time.
  /// - Throws: `CancellationError` when the server stops.
  func wait(atMost time: Duration, after known: PresenceRoom.Known) async throws {
    let room = room
    try await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await room.wait { $0.hasNews(after: known) } }
        // A cancelled sleep ends here, too: there is news, or nobody waits.
        group.addTask { try? await Task.sleep(for: max(.zero, time)) }
        await group.next()
        group.cancelAll()
      }
      try Task.checkCancellation()
    }
  }

  /// One task removes all sights at their ends, however often members come and go.
  private func sweepLater() {
    guard
      isSweeping.change({ isSweeping -> Bool in
        defer { isSweeping = true }
        return !isSweeping
      })
    else { return }
    Task {
      while let end = room.read({ $0.nextEnd }) {
        // Nothing cancels this task.
        try? await Task.sleep(for: .milliseconds(max(1, end - now)))
        let now = now
        room.change { $0.sweep(at: now) }
      }
      isSweeping.change { $0 = false }
      if room.read({ $0.nextEnd }) != nil { sweepLater() }
    }
  }
}

/// A member's place in the room, and among the watches, for the time of one watch. Both are left when the last reference
/// goes, whatever ends the watch.
final class PresencePlace: Sendable {
  let presence: ServedPresence
  let member: ServerMember
  private let limit: CallLimit
  private let hasLeft = Atomic(false)

  init(_ presence: ServedPresence, _ member: ServerMember, _ limit: CallLimit) throws(APIFailure) {
    try limit.begin(member.id)
    (self.presence, self.member, self.limit) = (presence, member, limit)
    guard presence.enter(member) else {
      hasLeft.store(true, ordering: .relaxed)
      // The call that has begun is ended by `deinit`.
      throw .tooMany(retryAfter: 60)
    }
  }

  deinit {
    leave(isRemoved: false)
    limit.end(member.id)
  }

  /// Leaves the room, once, although the connection may stay.
  func leave(isRemoved: Bool) {
    guard !hasLeft.exchange(true, ordering: .relaxed) else { return }
    presence.leave(member, isRemoved: isRemoved)
  }

  /// Leaves the room soon after `hasEnded` is true.
  /// - Throws: `CancellationError`; errors of `hasEnded`.
  func leave(once hasEnded: @Sendable () async throws -> Bool) async throws {
    while try await !hasEnded() { try await Task.sleep(for: presence.rest) }
    leave(isRemoved: true)
  }
}
