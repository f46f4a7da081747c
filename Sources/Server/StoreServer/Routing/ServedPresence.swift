import Basics
import Database
import FileStores
import NIOCore
import ServiceLifecycle
import Synchronization

/// The members who are in one club now. It is in memory alone, and ends with the server.
final class ServedPresence: Sendable {
  private struct State {
    var room = PresenceRoom()
    var watches: [ObjectIdentifier: WaitableState<PresenceTurn>] = [:]
    /// The time of the last beat. At a beat, all watches take what they do not know.
    var last: Int64?
    var isBeatDue = false
    /// The newest line, for each watch that knew the room at one count and hears of it at another.
    var line: (after: UInt64, at: UInt64, bytes: ByteBuffer)?
    var members: FileMark?

    var gap: Int64 { ServedPresence.gap(watches: watches.count) }
  }

  /// All watches together get at most so many lines a second.
  private static let mostLines: Int64 = 250
  /// The shortest time between two beats, in milliseconds. A crowd waits longer, so that it costs no more than a few members.
  static func gap(watches: Int) -> Int64 { max(PresenceRoom.gap, 1000 * Int64(watches) / mostLines) }

  private let state = Mutex(State())
  /// True while a task waits for the end of a sight.
  private let isSweeping = Atomic(false)
  private let began = ContinuousClock.now
  private let membersMayHaveChanged: @Sendable (inout FileMark?) -> Bool
  /// The time after which a watch gets an empty line.
  let rest: Duration

  init(rest: Duration, membersMayHaveChanged: @escaping @Sendable (inout FileMark?) -> Bool = { _ in true }) {
    (self.rest, self.membersMayHaveChanged) = (rest, membersMayHaveChanged)
  }

  private var now: Int64 { Int64((ContinuousClock.now - began) / .milliseconds(1)) }

  func show(_ sight: Sight?, of member: ServerMember) {
    change { _ = $0.show(sight, of: member.id, at: $1) }
  }

  /// False if the room is full.
  func enter(_ member: ServerMember) -> Bool {
    change { $0.enter(member.id, named: member.name, at: $1) }
  }

  func leave(_ member: ServerMember, isRemoved: Bool) {
    change { $0.leave(member.id, isRemoved: isRemoved, at: $1) }
    sweepLater()
  }

  func begin(_ watch: WaitableState<PresenceTurn>) {
    state.withLock { $0.watches[ObjectIdentifier(watch)] = watch }
  }

  func end(_ watch: WaitableState<PresenceTurn>) {
    state.withLock { state in
      state.watches[ObjectIdentifier(watch)] = nil
      if state.watches.isEmpty { state.line = nil }
    }
  }

  /// A line of what a watch does not know; nil if there is nothing.
  func line(for member: ServerMember, after known: inout PresenceRoom.Known) -> ByteBuffer? {
    let before = known
    let (line, after) = state.withLock { state -> (ByteBuffer?, PresenceRoom.Known) in
      let isCommon = state.room.isStill(member.id, since: before)
      if isCommon, let line = state.line, line.after == before.count, line.at == state.room.count {
        return (line.bytes, state.room.known)
      }
      var known = before
      let bytes = state.room.news(for: member.id, after: &known).map { ByteBuffer(string: $0.line + "\n") }
      if isCommon, let bytes { state.line = (before.count, known.count, bytes) }
      return (bytes, known)
    }
    known = after
    return line
  }

  /// Changes the room. The next beat is now, or soon after the last.
  @discardableResult
  private func change<Result: Sendable>(_ body: (inout PresenceRoom, Int64) -> Result) -> Result {
    let now = now
    let (result, beat) = state.withLock { state -> (Result, Int64?) in
      let count = state.room.count
      let result = body(&state.room, now)
      guard state.room.count != count, !state.isBeatDue else { return (result, nil) }
      state.isBeatDue = true
      return (result, state.last.map { $0 + state.gap } ?? now)
    }
    guard let beat else { return result }
    if beat <= now {
      self.beat()
    } else {
      Task {
        // Nothing cancels this task.
        try? await Task.sleep(for: .milliseconds(beat - now))
        self.beat()
      }
    }
    return result
  }

  private func beat() {
    let now = now
    let (watches, haveChanged) = state.withLock { state in
      (state.isBeatDue, state.last) = (false, now)
      return (Array(state.watches.values), membersMayHaveChanged(&state.members))
    }
    for watch in watches {
      watch.change { turn in
        turn.beats += 1
        if haveChanged { turn.checks += 1 }
      }
    }
  }

  /// One task removes all sights at their ends, however often members come and go.
  private func sweepLater() {
    guard !isSweeping.exchange(true, ordering: .acquiringAndReleasing) else { return }
    Task {
      while let end = state.withLock({ $0.room.nextEnd }) {
        // Nothing cancels this task.
        try? await Task.sleep(for: .milliseconds(max(1, end - now)))
        change { $0.sweep(at: $1) }
      }
      isSweeping.store(false, ordering: .sequentiallyConsistent)
      if state.withLock({ $0.room.nextEnd }) != nil { sweepLater() }
    }
  }
}

/// The wakes of a watch so far, by cause. A watch that has ended gets no more.
struct PresenceTurn: Sendable, Equatable {
  var beats = 0
  var rests = 0
  /// The member may be removed.
  var checks = 0
  /// The member is gone, or the client, or the server stops.
  var hasEnded = false
}

/// A member's place in the room, and among the watches, for the time of one watch. Both are left when the last reference
/// goes, whatever ends the watch.
final class PresencePlace: Sendable {
  let presence: ServedPresence
  let member: ServerMember
  let turns = WaitableState(PresenceTurn())
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
    presence.begin(turns)
  }

  deinit {
    leave(isRemoved: false)
    limit.end(member.id)
  }

  /// Leaves the room, once, although the connection may stay.
  func leave(isRemoved: Bool) {
    guard !hasLeft.exchange(true, ordering: .relaxed) else { return }
    presence.end(turns)
    presence.leave(member, isRemoved: isRemoved)
  }

  /// Wakes the watch now and then, until `hasEnded` is true: it has then left the room.
  /// - Throws: `CancellationError` when the server stops; errors of `hasEnded`.
  func keep(until hasEnded: @escaping @Sendable () async throws -> Bool) async throws {
    try await cancelWhenGracefulShutdown { [self] in
      while try await !hasEnded() {
        try await Task.sleep(for: presence.rest)
        turns.change { $0.rests += 1 }
      }
    }
    leave(isRemoved: true)
  }
}
