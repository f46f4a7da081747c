import Basics
import ClubServices
import Database
import FileStores
import Screens
import Transfers

/// Transfers belong to the account that ordered them. Those of other accounts wait here: they are other members' files, so
/// they are counted, and neither named, steered nor run. While the service has not named the own account, nobody knows
/// whose they are, and they wait until it has.
extension TransferBase {
  func own(_ transfers: [Transfer]) async -> [Transfer] { await own(transfers) { ($0.club, $0.store) } }

  func own(_ records: [TransferRecord]) async -> [TransferRecord] {
    await own(records) { ($0.order.club, $0.order.store) }
  }

  /// Asks nobody: false for an account's transfer of a club whose owner was not found yet.
  func isOwn(_ transfer: Transfer) -> Bool {
    guard let account = StoreWord.parts(transfer.store).account else { return true }
    guard let owner = owners.found(transfer.club) else { return false }
    return owner?.isAnothers(account) != true
  }

  /// The owner of a club, found once. Asks the service about a token that this machine does not know. nil for a club that
  /// the config does not have any more: nobody else can be signed in there.
  func owner(of club: String) async -> ClubOwner? {
    if let found = owners.found(club) { return found }
    let owner = await foundOwner(of: club)
    owners.keep(owner, of: club)
    return owner
  }

  /// The number of transfers that go on when their account, another one, signs in again: of one club, or of all.
  func othersCount(_ outbox: OutboxDatabase, club: String? = nil) async throws(StoreError) -> Int {
    try await heldCounts(outbox, club: club).others
  }

  /// Sentences about the transfers that wait for another account, or for the name of this one; nil if there are none.
  func heldBack(_ outbox: OutboxDatabase, club: String? = nil) async throws(StoreError) -> String? {
    let (others, undecided) = try await heldCounts(outbox, club: club)
    let sentences = [WaitingWords.others(others), WaitingWords.undecided(undecided)].compactMap { $0 }
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }

  /// `undecided` counts those that may be this account's, which the service has not named. Finds the owners of all
  /// transfers, which `isOwn` then knows.
  func heldCounts(
    _ outbox: OutboxDatabase, club: String? = nil
  ) async throws(StoreError) -> (others: Int, undecided: Int) {
    guard outbox.exists else { return (0, 0) }
    let all = try await OutboxTransferJournal(outbox, pool: pool).allRecords().records
      .filter { club == nil || $0.order.club == club }
    let own = Set(await own(all).map(\.id))
    let held = all.filter { !own.contains($0.id) && [.wanted, .finishing, .cancelling].contains($0.phase) }
    let undecided = held.count { owners.found($0.order.club)??.isUnnamed == true }
    return (held.count - undecided, undecided)
  }

  /// The longest time between two questions for an account that the service has not named.
  private static let askingInterval = Duration.seconds(60)

  /// Asks again, until the service has named the account of a club whose transfers wait for that.
  /// - Returns: the transfers that turn out to be this account's; nil if none wait, or if the task is cancelled.
  func lateRecords(
    _ outbox: OutboxDatabase, clock: any Clock<Duration> = TimerClock()
  ) async -> [TransferRecord]? {
    while case let clubs = owners.undecided, !clubs.isEmpty {
      do {
        try await clock.sleep(for: TransferBase.askingInterval)
      } catch {
        return nil
      }
      for club in clubs.sorted() {
        let before = await owner(of: club)
        let now = await foundOwner(of: club)
        if now?.isUnnamed == true { continue }
        do throws(StoreError) {
          let all = try await OutboxTransferJournal(outbox, pool: pool).allRecords().records
          owners.keep(now, of: club)
          return all.filter { record in
            let account = StoreWord.parts(record.order.store).account
            return record.order.club == club && before?.isAnothers(account) == true && now?.isAnothers(account) != true
          }
        } catch {
          log.error("the transfers that waited for the name of the account were not read", error)
        }
      }
    }
    return nil
  }

  private func own<Item: Sendable>(_ items: [Item], _ place: (Item) -> (club: String, store: String)) async -> [Item] {
    var own: [Item] = []
    for item in items {
      let (club, store) = place(item)
      guard let account = StoreWord.parts(store).account, let owner = await owner(of: club), owner.isAnothers(account)
      else {
        own.append(item)
        continue
      }
      if owner.isUnnamed { owners.noteUndecided(club) }
    }
    return own
  }

  private func foundOwner(of club: String) async -> ClubOwner? {
    do throws(ConfigFault) {
      return await ClubOwner.find(try setup(of: club))
    } catch {
      return nil
    }
  }
}

/// Passes on the events of this member's transfers: the process that runs them may have some of other accounts.
final class OwnEvents: TransferDelegate {
  private let delegate: any TransferDelegate
  private let isOwn: @Sendable (Transfer) -> Bool

  init(_ delegate: any TransferDelegate, isOwn: @escaping @Sendable (Transfer) -> Bool) {
    (self.delegate, self.isOwn) = (delegate, isOwn)
  }

  var isSeen: Bool { delegate.isSeen }

  func report(_ event: TransferEvent) {
    if let transfer = event.transfer, !isOwn(transfer) { return }
    delegate.report(event)
  }
}
