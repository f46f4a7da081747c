import ClubServices
import Database
import FileStores
import Screens
import Transfers

/// Transfers belong to the account that ordered them. Those of other accounts wait here: they are other members' files, so
/// they are counted, and neither named, steered nor run.
extension TransferBase {
  func own(_ transfers: [Transfer]) async -> [Transfer] {
    await own(transfers, asks: false) { ($0.club, $0.store) }
  }

  /// With `asks`, the service is asked about a token that this machine does not know.
  func own(_ records: [TransferRecord], asks: Bool) async -> [TransferRecord] {
    await own(records, asks: asks) { ($0.order.club, $0.order.store) }
  }

  /// The number of transfers that go on when their account, another one, signs in again: of one club, or of all.
  func othersCount(_ outbox: OutboxDatabase, club: String? = nil) async throws(StoreError) -> Int {
    guard outbox.exists else { return 0 }
    let unfinished = try await OutboxTransferJournal(outbox, pool: pool).allRecords().records
      .filter { (club == nil || $0.order.club == club) && [.wanted, .finishing, .cancelling].contains($0.phase) }
    return unfinished.count - (await own(unfinished, asks: false)).count
  }

  /// A sentence about the transfers that `othersCount` counts; nil if there are none.
  func heldBack(_ outbox: OutboxDatabase, club: String? = nil) async throws(StoreError) -> String? {
    WaitingWords.others(try await othersCount(outbox, club: club))
  }

  private func own<Item: Sendable>(
    _ items: [Item], asks: Bool, _ place: (Item) -> (club: String, store: String)
  ) async -> [Item] {
    var owners: [String: ClubOwner] = [:]
    var asked: Set<String> = []
    var own: [Item] = []
    for item in items {
      let (club, store) = place(item)
      guard let account = StoreWord.parts(store).account else {
        own.append(item)
        continue
      }
      if owners[club] == nil { owners[club] = await owner(of: club, asks: false) }
      if asks, owners[club]?.isAnothers(account) == true, asked.insert(club).inserted {
        owners[club] = await owner(of: club, asks: true)
      }
      if owners[club]?.isAnothers(account) != true { own.append(item) }
    }
    return own
  }

  /// nil for a club that the config does not have any more: nobody else can be signed in there.
  private func owner(of club: String, asks: Bool) async -> ClubOwner? {
    do throws(ConfigFault) {
      let setup = try setup(of: club)
      return asks ? await ClubOwner.find(setup) : await ClubOwner.known(setup)
    } catch {
      return nil
    }
  }
}
