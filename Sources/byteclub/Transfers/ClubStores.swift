import Backends
import ClubServices
import Database
import FileStores
import Synchronization
import Transfers

/// Opens the stores of transfers, each by its own club's settings and sign-in. The config is read anew for each: a club
/// that was taken out of it, or is another store there now, is not opened.
final class ClubStores: TransferStores {
  private struct Key: Hashable {
    let club: String
    let store: String
  }

  private let base: TransferBase
  private let open = Mutex<[Key: any FileStore]>([:])

  /// Opens stores by the settings of `base`. The token of its variable counts for its own club alone.
  init(_ base: TransferBase) { self.base = base }

  /// The store of an order, opened once and kept. Without retries: the engine has them.
  func store(for order: TransferOrder) async throws(StoreError) -> any FileStore {
    if order.isUnreadable { throw .unreadableTransfer }
    let key = Key(club: order.club, store: order.store)
    if let known = open.withLock({ $0[key] }) { return known }
    let store = base.log.telling(try await base.pool.run { [self] () throws(StoreError) in try make(order) })
    return open.withLock { open in
      if let known = open[key] { return known }
      open[key] = store
      return store
    }
  }

  private func make(_ order: TransferOrder) throws(StoreError) -> any FileStore {
    if order.store.hasPrefix(StoreWord.directory) {
      let directory = String(order.store.dropFirst(StoreWord.directory.count))
      try look(for: directory, order)
      return try base.stores.open(base.stores.plainDirectory(directory), pool: base.pool)
    }
    let setup = try setup(of: order.club)
    guard StoreWord.of(setup) == order.store else {
      throw StoreError(
        .badInput, "The club \"\(order.club)\" has moved since the transfer of \"\(order.name)\" began.",
        remedy: "Begin the transfer again.", path: order.path)
    }
    if let directory = setup.choice.directory {
      try look(for: directory, order)
      return try setup.openStoreAlone()
    }
    // What was looked at is here.
    let paths = setup.paths
    return KeptPhotosStore(
      Club(
        name: order.club, place: setup.choice.place, memberName: MemberName(setup).find,
        store: try setup.openStoreAlone(),
        photosFolder: try setup.photosFolder()),
      photos: PhotoCache(
        directory: paths.cache, limitBytes: setup.config.cachedPhotosMebibytes << 20, pool: base.pool),
      contents: ThumbnailCache(
        directory: paths.cache, catalogue: CatalogueDatabase(openingLater: paths.catalogueFile), pool: base.pool))
  }

  private func look(for directory: String, _ order: TransferOrder) throws(StoreError) {
    guard LocalDirectory.exists(directory) else {
      throw StoreError(
        .notFound,
        "The directory of the club \"\(order.club)\", \(base.paths.abbreviating(directory)), does not exist.",
        remedy: "Bring it back, then retry the transfer.")
    }
  }

  private func setup(of club: String) throws(StoreError) -> ClubSetup {
    do throws(ConfigFault) {
      return try base.setup(of: club)
    } catch {
      throw StoreError(.badInput, error.description)
    }
  }
}
