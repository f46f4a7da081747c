import Backends
import Basics
import ClubServices
import Database
import FileStores
import Screens
import Transfers

struct OpenClub: Sendable {
  let club: Club
  let notes: NotesService
  let drafts: DraftJournal
  let news: NewsService
  let photos: PhotosService
  let presence: PresenceService
  let thumbnails: ThumbnailCache
  /// Viewed photos of all clubs behind a network.
  let photoCache: PhotoCache
  let catalogue: CatalogueDatabase
  /// nil for a club without a network.
  let connection: StoreConnection?
  let transfers: TransferHub
  let transferBase: TransferBase
  /// nil for a club without a network.
  let copy: LocalCopy?
  let outbox: OutboxDatabase
  let owner: ClubOwner

  /// Creates missing files of byteclub's own (0600 in 0700). `observer` gets a report of each call to the store.
  /// `freshness` says if the first lists of a club behind a network may be those of the last time. Without an `owner`,
  /// the place names the account. `shared` is what earlier clubs of this process have opened.
  init(
    _ setup: ClubSetup, owner: ClubOwner? = nil, observer: CallObserver? = nil,
    freshness: LocalCopy.Freshness = .checked, shared: SharedServices? = nil
  ) throws(StoreError) {
    let shared = shared ?? SharedServices(TransferBase(setup))
    (transferBase, transfers) = (shared.base, shared.transfers)
    (outbox, catalogue) = (shared.outbox, shared.catalogue)
    if let owner { transferBase.owners.keep(owner, of: setup.choice.name) }
    let owner = owner ?? ClubOwner(place: setup.choice.place)
    self.owner = owner
    let connection = setup.route == nil ? nil : StoreConnection()
    self.connection = connection
    var watching = observer
    if let connection {
      watching = { (report: CallReport) in
        connection.observe(report)
        observer?(report)
      }
    }
    let opened = try setup.openStore(observer: watching, pauses: connection?.pauses)
    _ = try PrivateDirectory(making: setup.paths.data)
    _ = try PrivateDirectory(making: setup.paths.cache)
    let pool = setup.pool
    let log = setup.log
    let member = MemberName(setup, owner)
    news = NewsService(
      club: owner.key, hasNoteFolders: setup.config.hasNoteFolders, catalogue: catalogue, pool: pool,
      ownName: { () async throws(StoreError) in try await member.ofAccount() }, onFailure: log.newsFailed)
    copy = try ClubCopy.make(
      setup, opened, outbox: outbox, news: news, connection: connection, key: owner.key, freshness: freshness)
    let store = copy.map { LocalCopyStore($0) as any FileStore } ?? SeenStore(opened, news: news)
    club = Club(
      name: setup.choice.name, place: setup.choice.place, key: owner.key, strays: owner.strays,
      memberName: member.find, ownName: AccountName(member).find, store: store,
      photosFolder: try setup.photosFolder(), copy: copy, hasNoteFolders: setup.config.hasNoteFolders)
    presence = PresenceService(store: store)
    drafts = DraftJournal(
      club: club,
      outbox: outbox, basesDirectory: setup.paths.basesDirectory, pool: pool,
      onFailure: { log.error("a draft was not kept", $0) })
    let notes = NotesService(
      club: club, outbox: outbox, drafts: drafts,
      folderAt: { (directory) throws(StoreError) in
        try setup.localFolder(directory)
      },
      editsDirectory: setup.paths.editsDirectory,
      past: NotePast(catalogue, club: club.key, pool: pool, onFailure: { log.error("a version was not kept", $0) }))
    self.notes = notes
    thumbnails = ThumbnailCache(directory: setup.paths.cache, catalogue: catalogue, pool: pool)
    photoCache = PhotoCache(
      directory: setup.paths.cache, limitBytes: setup.config.cachedPhotosMebibytes << 20, pool: pool)
    photos = PhotosService(
      club: club, thumbnails: thumbnails, cache: setup.choice.directory == nil ? photoCache : nil,
      transfers: transfers, storeWord: StoreWord.of(setup, owner), pool: pool,
      decoder: setup.decoder, readsAhead: !setup.config.isMetered,
      notes: notes)
  }
}

extension OpenClub {
  /// Sentences about what waits here and belongs to other accounts of this club.
  func heldBack(_ setup: ClubSetup) async throws(StoreError) -> [String] {
    let texts = try await setup.pool.run { () throws(StoreError) in
      try owner.heldBack(outbox, place: setup.choice.place)
    }
    return [texts, try await transferBase.heldBack(outbox, club: setup.choice.name)].compactMap { $0 }
  }
}

struct StartOptions: Sendable, Equatable {
  var config: String?
  var club: String?
  var folder: String?
  /// The app begins with the wall.
  var wall: WallStart?
}
