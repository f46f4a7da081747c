import Backends
import ClubServices
import Database
import FileStores
import Transfers

/// A club that is open: its services, each built once.
struct OpenClub: Sendable {
  /// The club.
  let club: Club
  /// Notes, drafts and unsent saves.
  let notes: NotesService
  /// What was typed and not saved.
  let drafts: DraftJournal
  /// Photos.
  let photos: PhotosService
  /// Small pictures.
  let thumbnails: ThumbnailCache
  /// Photos that were looked at, of all clubs behind a network.
  let photoCache: PhotoCache
  /// What is known of files and can be found out again.
  let catalogue: CatalogueDatabase
  /// Whether the store answers; nil for a club that needs no network.
  let connection: StoreConnection?
  /// Uploads and downloads, whichever process carries them out.
  let transfers: TransferHub

  /// Opens the store and byteclub's own files; makes those that are not there (0600 in 0700).
  /// `observer` takes a report of each call to a store behind a network.
  init(_ setup: ClubSetup, observer: CallObserver? = nil) throws(StoreError) {
    let connection = setup.route == nil ? nil : StoreConnection()
    self.connection = connection
    let store = try setup.openStore(
      observer: { report in
        connection?.observe(report)
        observer?(report)
      }, pauses: connection?.pauses)
    _ = try PrivateDirectory(making: setup.paths.data)
    _ = try PrivateDirectory(making: setup.paths.cache)
    // Opened by the first who needs them: a list is on the screen before.
    let outbox = OutboxDatabase(openingLater: setup.paths.outboxFile)
    catalogue = CatalogueDatabase(openingLater: setup.paths.catalogueFile)
    let pool = setup.pool
    let log = setup.log
    club = Club(
      name: setup.choice.name, place: setup.choice.place, memberName: MemberName(setup).find, store: store,
      photosFolder: try setup.photosFolder())
    drafts = DraftJournal(
      club: club,
      outbox: outbox, basesDirectory: setup.paths.basesDirectory, pool: pool,
      onFailure: { log.error("a draft was not kept", $0) })
    notes = NotesService(
      club: club, outbox: outbox, drafts: drafts,
      folderAt: { (directory) throws(StoreError) in
        try setup.localFolder(directory)
      },
      editsDirectory: setup.paths.editsDirectory)
    // Opened when there is something to carry out, or to be told.
    transfers = .of(TransferBase(setup), outbox: outbox)
    thumbnails = ThumbnailCache(directory: setup.paths.cache, catalogue: catalogue, pool: pool)
    photoCache = PhotoCache(
      directory: setup.paths.cache, limitBytes: setup.config.cachedPhotosMebibytes << 20, pool: pool)
    photos = PhotosService(
      club: club, thumbnails: thumbnails, cache: setup.choice.directory == nil ? photoCache : nil,
      transfers: transfers, storeWord: StoreWord.of(setup), pool: pool)
  }
}
