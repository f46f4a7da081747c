import Backends
import Basics
import ClubServices
import Database
import FileStores
import Synchronization
import Transfers

/// Opens stores with their clubs' settings and sign-ins. Reads the config for each; a club that is missing from it or
/// now has another store is not opened.
final class ClubStores: TransferStores {
  private struct Key: Hashable {
    let club: String
    let store: String
    /// The club's store now: a club can move.
    let now: String?
  }

  private let base: TransferBase
  private let open = Mutex<[Key: any FileStore]>([:])

  /// A variable's token is used for its own club only.
  init(_ base: TransferBase) { self.base = base }

  /// Opened once for each account and place, and kept. It does not retry, because the engine does.
  func store(for order: TransferOrder) async throws(StoreError) -> any FileStore {
    if order.isUnreadable { throw .unreadableTransfer }
    let setup = order.store.hasPrefix(StoreWord.directory) ? nil : try self.setup(of: order.club)
    let key = Key(club: order.club, store: order.store, now: setup.map { StoreWord.of($0) })
    if let known = open.withLock({ $0[key] }) {
      // Another account may have signed in since it was opened.
      if let now = base.owners.found(order.club), let now, now.isAnothers(StoreWord.parts(order.store).account) {
        throw isOthers(order)
      }
      return known
    }
    var owner: ClubOwner?
    if let setup { owner = await ClubOwner.find(setup) }
    if let owner, !owner.has(StoreWord.parts(order.store).account) {
      throw owner.isUnnamed ? isUnnamed(order) : isOthers(order)
    }
    let store = base.log.telling(
      try await base.pool.run { [self, owner] () throws(StoreError) in try make(order, setup, owner) })
    return open.withLock { open in
      if let known = open[key] { return known }
      open[key] = store
      return store
    }
  }

  /// Another process may be signed in to another account than this one.
  func check(_ orders: [TransferOrder]) async throws(StoreError) {
    var owners: [String: ClubOwner] = [:]
    for order in orders where !order.store.hasPrefix(StoreWord.directory) {
      guard let account = StoreWord.parts(order.store).account else { continue }
      if owners[order.club] == nil { owners[order.club] = await ClubOwner.find(try setup(of: order.club)) }
      guard let owner = owners[order.club] else { continue }
      if base.owners.found(order.club) == nil { base.owners.keep(owner, of: order.club) }
      guard owner.isAnothers(account) else { continue }
      if owner.isUnnamed { throw isUnnamed(order) }
      throw StoreError(
        .notSignedIn,
        "Another byteclub runs the transfers, and it is signed in to another account of the club \"\(order.club)\".",
        remedy: "Close that byteclub, then try again.")
    }
  }

  /// Temporary: the order may be this account's.
  private func isUnnamed(_ order: TransferOrder) -> StoreError {
    StoreError(
      .offline, "The service has not named your account of the club \"\(order.club)\".",
      remedy: "Try again when the network is back.")
  }

  /// Names no file: it is another member's.
  private func isOthers(_ order: TransferOrder) -> StoreError {
    StoreError(
      .notSignedIn,
      "This \(order.direction.rawValue) belongs to another account of the club \"\(order.club)\", which is not signed in.",
      remedy: "Sign in with that account, then retry it in the list of transfers.")
  }

  private func make(
    _ order: TransferOrder, _ setup: ClubSetup?, _ owner: ClubOwner?
  ) throws(StoreError) -> any FileStore {
    guard let setup, let owner else {
      let directory = String(order.store.dropFirst(StoreWord.directory.count))
      try look(for: directory, order)
      return seen(
        try base.stores.open(base.stores.plainDirectory(directory), pool: base.pool),
        at: base.paths.abbreviating(directory))
    }
    let word = StoreWord.parts(order.store)
    // A club that was moved by an invitation is another place of the same account, which the caller has checked.
    let isMoved = setup.formerPlace != nil && word.account != nil && StoreWord.isSameFolder(setup, word.store)
    guard StoreWord.of(setup) == word.store || isMoved else {
      throw StoreError(
        .badInput, "The club \"\(order.club)\" has moved since the transfer of \"\(order.name)\" began.",
        remedy: "Begin the transfer again.", path: order.path)
    }
    if let directory = setup.choice.directory {
      try look(for: directory, order)
      return seen(try setup.openStoreAlone(), at: owner.key)
    }
    // Viewed photos are cached on this machine.
    let paths = setup.paths
    let store = KeptPhotosStore(
      Club(
        name: order.club, place: setup.choice.place, key: owner.key, memberName: MemberName(setup, owner).find,
        store: try setup.openStoreAlone(),
        photosFolder: try setup.photosFolder()),
      photos: PhotoCache(
        directory: paths.cache, limitBytes: setup.config.cachedPhotosMebibytes << 20, pool: base.pool),
      contents: ThumbnailCache(
        directory: paths.cache, catalogue: CatalogueDatabase(openingLater: paths.catalogueFile), pool: base.pool))
    return seen(store, at: owner.key)
  }

  /// The member need not be shown own uploads as news.
  private func seen(_ store: any FileStore, at place: String) -> any FileStore {
    let catalogue = CatalogueDatabase(openingLater: base.paths.catalogueFile)
    let log = base.log
    let news = NewsService(club: place, catalogue: catalogue, pool: base.pool, onFailure: log.newsFailed)
    return SeenStore(store, news: news, waits: true)
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
    try ConfigFault.asStoreError { () throws(ConfigFault) in try base.setup(of: club) }
  }
}
