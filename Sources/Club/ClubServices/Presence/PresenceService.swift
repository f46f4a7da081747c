public import Basics
public import FileStores

/// Tells the other members where this one is, and this one where they are. One request waits for them; nothing polls, and
/// no timer runs while nothing happens.
public final class PresenceService: Sendable {
  private let store: any FileStore
  private let clock: any Clock<Duration>
  private let turns = WaitableState(SightTurns())

  public init(store: any FileStore, clock: any Clock<Duration> = TimerClock()) {
    (self.store, self.clock) = (store, clock)
  }

  /// False for a store that is known to have none.
  public var isThere: Bool { store.capabilities.presence != nil }

  /// The member's sight from now on. Does not block, and sends nothing without a watch.
  public func look(at sight: Sight) { turns.change { $0.look(at: sight) } }

  /// Hands out the others, now and after each change, until the task is cancelled. At most one call at a time.
  /// - Throws: `unsupported` if the store has no presence, or nothing comes through; the last error of a store that does not
  ///   answer.
  public func follow(_ receive: @escaping @Sendable ([PresentMember]) -> Void) async throws(StoreError) {
    guard let presence = store.capabilities.presence else {
      throw StoreError(.unsupported, "This club's store does not tell who is there.")
    }
    let turns = turns
    let failure = await withTaskGroup(of: StoreError?.self) { group -> StoreError? in
      group.addTask {
        do throws(StoreError) {
          try await presence.watch { members in
            turns.change { $0.see(Set(members.map(\.name))) }
            receive(members)
          }
          return nil
        } catch {
          return error
        }
      }
      group.addTask {
        await self.send(to: presence)
        return nil
      }
      let failure = await group.next() ?? nil
      group.cancelAll()
      return failure
    }
    turns.change { $0.end() }
    if let failure { throw failure }
  }

  private func send(to presence: any StorePresence) async {
    let elapsed = clock.stopwatch()
    while !Task.isCancelled {
      switch turns.change({ $0.next(at: elapsed()) }) {
      case .rest: await turns.wait { !$0.rests }
      case .wait(let time):
        do { try await clock.sleep(for: time) } catch { return }
      case .send(let sight):
        do throws(StoreError) {
          try await presence.show(sight)
        } catch {
          // The watch tells of a broken line, and a newer sight follows.
        }
        turns.change { $0.noteSent() }
      }
    }
  }
}
