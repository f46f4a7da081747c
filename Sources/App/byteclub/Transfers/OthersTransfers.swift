import ClubServices
import FileStores
import Transfers

extension TransferBase {
  /// The transfers, those of other accounts without names: they are other members' files.
  func hidingOthers(_ transfers: [Transfer]) async -> [Transfer] {
    var owners: [String: ClubOwner] = [:]
    var shown: [Transfer] = []
    for transfer in transfers {
      guard let account = StoreWord.parts(transfer.store).account else {
        shown.append(transfer)
        continue
      }
      if owners[transfer.club] == nil { owners[transfer.club] = await owner(of: transfer.club) }
      shown.append(owners[transfer.club]?.has(account) == false ? TransferBase.nameless(transfer) : transfer)
    }
    return shown
  }

  /// nil for a club that the config does not have any more: nobody else can be signed in there.
  private func owner(of club: String) async -> ClubOwner? {
    do throws(ConfigFault) {
      return await ClubOwner.known(try setup(of: club))
    } catch {
      return nil
    }
  }

  private static func nameless(_ transfer: Transfer) -> Transfer {
    var hidden = Transfer(
      id: transfer.id, direction: transfer.direction, name: "of another account", path: .root)
    (hidden.club, hidden.state, hidden.store) = (transfer.club, transfer.state, transfer.store)
    (hidden.sent, hidden.total) = (transfer.sent, transfer.total)
    (hidden.attempts, hidden.restarts, hidden.isTold) = (transfer.attempts, transfer.restarts, transfer.isTold)
    hidden.error = transfer.error.map { StoreError($0.kind, "It waits for its account.") }
    return hidden
  }
}
