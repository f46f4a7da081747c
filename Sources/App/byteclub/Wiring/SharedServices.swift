import ClubServices
import Database

/// What all clubs of a process share: the databases of this machine, and the transfers of all clubs.
struct SharedServices: Sendable {
  let base: TransferBase
  let outbox: OutboxDatabase
  let catalogue: CatalogueDatabase
  let transfers: TransferHub

  init(_ base: TransferBase) {
    self.base = base
    // The first use opens them, which puts the list on the screen sooner.
    outbox = OutboxDatabase(openingLater: base.paths.outboxFile)
    catalogue = CatalogueDatabase(openingLater: base.paths.catalogueFile)
    transfers = .of(base, outbox: outbox)
  }
}
