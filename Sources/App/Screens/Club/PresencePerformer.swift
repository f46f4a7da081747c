public import Basics
public import ClubServices
internal import FileStores
internal import TextUI

public struct PresencePerformer: Sendable {
  let service: PresenceService
  private let connection: StoreConnection?
  private let clock: any Clock<Duration>
  private let keepKnown: @Sendable () async -> Void

  /// The time for which a member's pointing is seen.
  private static let pointing = Duration.seconds(2)

  /// `keepKnown` remembers for the next start that the member knows that others see them.
  public init(
    _ service: PresenceService, connection: StoreConnection?, clock: any Clock<Duration> = TimerClock(),
    keepKnown: @escaping @Sendable () async -> Void
  ) {
    (self.service, self.connection, self.clock, self.keepKnown) = (service, connection, clock, keepKnown)
  }

  func perform(_ effect: PresenceEffect, _ sender: Sender<PresenceAction>) async {
    switch effect {
    case .follow:
      let tries = NextTries(connection: connection, clock: clock)
      await tries.run { error in
        // The top line tells that a store does not answer.
        if !error.isTemporary { sender.send(.ended(error)) }
      } _: { () async throws(StoreError) in
        try await service.follow { sender.send(.seen($0), replacing: "presence") }
      }
    case .keepKnown: await keepKnown()
    case .fade(let name):
      do { try await clock.sleep(for: Self.pointing) } catch { return }
      sender.send(.faded(name))
    case .rest:
      do { try await clock.sleep(for: .seconds(5)) } catch { return }
      sender.send(.rested)
    }
  }
}
