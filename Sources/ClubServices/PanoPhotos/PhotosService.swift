public import FileStores
internal import Synchronization
import Imaging
public import Transfers

/// The photos of a club: pictures at any depth below its photos folder that are not hidden.
///
/// Calls may come from any actor and in parallel. Reading files, decoding and hashing happen on the pool's threads.
/// Errors name the photo. Cancelling the calling task ends a call with `cancelled`.
public final class PhotosService: Sendable {
  /// The most pixels that a picture to be looked at has: 120 MB, more than any terminal shows.
  static let maxShownPixels = 40_000_000
  /// Whole photos in memory at once, for thumbnails: one is decoded while the next is read.
  private static let maxThumbnailsAtOnce = 2

  let club: Club
  let thumbnails: ThumbnailCache
  /// Photos that were looked at; nil for a club of this machine, which needs no copy.
  let cache: PhotoCache?
  let known = KnownPhotos()
  let transfers: any TransferControl
  let storeWord: String
  let pool: BlockingPool
  let reader: PhotoReader
  let names = NameReservations()
  private let listedUpTo = Mutex<ChangeCursor?>(nil)
  let making: SharedWork<ThumbnailKey, ThumbnailFile>
  let fetching: SharedWork<PhotoKey, LoadedPhoto>
  /// Bytes a second of the last fetch of a whole photo; nil before the first.
  let pace = Mutex<Double?>(nil)
  let turnstile = Turnstile(PhotosService.maxThumbnailsAtOnce)

  /// The photos of `club`, with the cache for its thumbnails, and the one for whole photos when the club is behind a
  /// network. Uploads and downloads are ordered from `transfers`, in
  /// which `storeWord` stands for the club's store (`TransferOrder.store`).
  public init(
    club: Club, thumbnails: ThumbnailCache, cache: PhotoCache? = nil, transfers: any TransferControl, storeWord: String,
    pool: BlockingPool
  ) {
    making = SharedWork(on: pool.tasks)
    fetching = SharedWork(on: pool.tasks)
    self.club = club
    self.thumbnails = thumbnails
    self.cache = cache
    self.transfers = transfers
    self.storeWord = storeWord
    self.pool = pool
    reader = PhotoReader(limits: PictureLimits(), pool: pool)
  }

  /// Hands out the photos, with full entries, in pages as they come and in the store's order. A photos folder that is
  /// not there has no photos.
  public func list(_ receive: ([FileEntry]) -> Void) async throws(StoreError) {
    var cursor: ListCursor?
    known.beginListing()
    repeat {
      let page: ListPage
      do throws(StoreError) {
        page = try await club.store.list(club.photosFolder, ListOptions(.full, recursive: true), after: cursor)
      } catch {
        guard error.kind == .notFound, cursor == nil else { throw error }
        break
      }
      let photos = page.entries.filter { $0.kind == .file && isPhoto($0.path) }
      known.put(photos)
      if !photos.isEmpty { receive(photos) }
      if let changes = page.changes { listedUpTo.withLock { $0 = changes } }
      cursor = page.next
    } while cursor != nil
    known.endListing()
  }

  /// Tells changes of photos, by any program, until the task is cancelled, beginning with what has changed since the
  /// last listing began. A folder with photos that comes or goes is
  /// told as `mustRelist`.
  /// - Throws: `unsupported` when the store cannot tell; `cancelled`.
  public func changes(_ receive: (ChangeSet) async -> Void) async throws(StoreError) {
    guard let feed = club.store.changes else {
      throw StoreError(.unsupported, "\"\(club.place)\" does not report changes.")
    }
    var cursor: ChangeCursor
    if let listed = listedUpTo.withLock({ $0 }) { cursor = listed } else { cursor = try await feed.start() }
    var lateness: String?
    while true {
      let set = try await feed.wait(since: cursor)
      cursor = set.cursor
      defer { lateness = set.lateness }
      if set.mustRelist || set.changes.contains(where: touchesFolder) {
        await receive(ChangeSet(changes: [], cursor: cursor, mustRelist: true, lateness: set.lateness))
        continue
      }
      let photos = set.changes.filter { change in
        switch change {
        case .present(let entry): entry.kind == .file && isPhoto(entry.path)
        case .absent(let path): isPhoto(path)
        }
      }
      known.take(photos)
      guard !photos.isEmpty || set.lateness != lateness else { continue }
      await receive(ChangeSet(changes: photos, cursor: cursor, lateness: set.lateness))
    }
  }

  /// Asks the store something short; see `Club.reach`.
  public func reach() async throws(StoreError) { try await club.reach() }

  /// Gives a photo another name in its folder. A name without an ending gets the old one.
  /// - Throws: `notFound`; `exists`; `badName` for a name under which it would not be shown.
  public func rename(_ path: StorePath, to name: String) async throws(StoreError) -> FileEntry {
    var name = name
    let stem = name.reversed().drop { $0 == "." }.reversed()
    if !stem.contains("."), !stem.isEmpty, let dot = path.name.lastIndex(of: UInt8(ascii: ".")) {
      name = String(stem) + String(decoding: path.name[dot...], as: UTF8.self)
    }
    if let fault = PhotoName.fault(in: name) {
      throw StoreError(.badName, "The name \"\(name)\" \(fault).", remedy: "Choose another name.", path: path)
    }
    return try await club.store.move(path, to: try path.parent.appending(name), ifRevision: nil)
  }

  /// Puts a photo into the trash.
  /// - Throws: `notFound`; `unsupported` when the store has no trash.
  public func trash(_ path: StorePath) async throws(StoreError) -> TrashedFile {
    try await storeTrash().discard(path, ifRevision: nil)
  }

  /// Takes a photo out of the trash, back to where it was.
  /// - Throws: `notFound`; `exists` when something new is there; `unsupported`.
  public func restore(_ id: TrashedFile.ID) async throws(StoreError) -> FileEntry {
    try await storeTrash().restore(id)
  }

  private func storeTrash() throws(StoreError) -> any StoreTrash {
    guard let trash = club.store.trash else {
      throw StoreError(.unsupported, "\"\(club.place)\" has no trash.")
    }
    return trash
  }

  private func isPhoto(_ path: StorePath) -> Bool { PhotoName.isShown(path, below: club.photosFolder) }

  /// True for what may bring or take photos without telling each: a folder below the photos folder, that folder, and
  /// those above it.
  private func touchesFolder(_ change: ChangeSet.Change) -> Bool {
    switch change {
    case .present(let entry):
      entry.kind == .folder && (entry.path == club.photosFolder || entry.path.relative(to: club.photosFolder) != nil)
    case .absent(let path):
      path == club.photosFolder || club.photosFolder.relative(to: path) != nil
        || (path.relative(to: club.photosFolder) != nil && !PhotoName.isPicture(path.name))
    }
  }
}
