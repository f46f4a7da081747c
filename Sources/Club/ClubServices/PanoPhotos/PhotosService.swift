public import Basics
public import Decoding
public import FileStores
import Imaging
internal import Synchronization
public import Transfers

/// The photos of a club: pictures at any depth below its photos folder that are not hidden. Any actor may call, also in
/// parallel. File reads, decoding and hashing run on the pool's threads. Errors name the photo. Cancelling the calling
/// task ends a call with `cancelled`.
///
/// Most fields are fixed. The others are caches of one value each, no two of which must agree, so that each has a lock of
/// its own and there is no common state.
public final class PhotosService: Sendable {
  /// The most pixels of a picture for viewing. A larger one whose parts can be read has three tenths of that in memory.
  let mostShownPixels: Int
  /// False on a metered line.
  let readsAhead: Bool
  let club: Club
  let thumbnails: ThumbnailCache
  /// Viewed photos; nil for a club on this machine, which needs no copies.
  let cache: PhotoCache?
  let known = KnownPhotos()
  let transfers: any TransferControl
  let storeWord: String
  let pool: BlockingPool
  let decoder: any PictureDecoding
  let reader: PhotoReader
  /// Has the captions and remarks that wait on this machine to be sent.
  let notes: NotesService?
  let names = NameReservations()
  private let listedUpTo = Mutex<ChangeCursor?>(nil)
  private let talks = KnownTalk()
  let making: SharedWork<ThumbnailKey, ThumbnailFile>
  let fetching: SharedWork<PhotoKey, LoadedPhoto>
  /// Contents whose facts the catalogue has from this process.
  let noted = Mutex<Set<ContentHash>>([])
  /// Bytes a second of the last fetch of a whole photo.
  let pace = Mutex<Double?>(nil)
  /// The last viewed photo whose parts can be read.
  let viewed = Mutex<ViewedPhoto?>(nil)
  /// Admits whole photos into memory for thumbnails: one is read while others are decoded.
  private let turnstile: KeyedLocks

  /// `cache` is for a club behind a network. `mostShownPixels` of 16 million take 48 MB, and a third more for smaller
  /// copies; no terminal shows more. `storeWord` identifies the store for transfers (`TransferOrder.store`).
  public init(
    club: Club, thumbnails: ThumbnailCache, cache: PhotoCache? = nil, transfers: any TransferControl, storeWord: String,
    pool: BlockingPool, decoder: any PictureDecoding, mostShownPixels: Int = 16_000_000, readsAhead: Bool = true,
    notes: NotesService? = nil
  ) {
    self.notes = notes
    self.mostShownPixels = mostShownPixels
    self.readsAhead = readsAhead
    self.decoder = decoder
    turnstile = KeyedLocks(most: decoder.atOnce + 1)
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

  /// Runs `body` when a whole photo has room.
  /// - Throws: `cancelled` if the task is cancelled while it waits; the errors of `body`.
  func admitted<Value>(_ body: () async throws(StoreError) -> Value) async throws(StoreError) -> Value {
    guard let value = try await turnstile.unlessCancelled("photo", body) else {
      throw .cancelled("Waiting for a photo")
    }
    return value
  }

  /// Lists the photos with full entries, page by page in the store's order. A missing photos folder has no photos.
  public func list(_ receive: ([FileEntry]) -> Void) async throws(StoreError) {
    known.beginListing()
    var remarks: Set<StorePath> = []
    try await pages { page in
      let files = page.filter { $0.kind == .file && Talk.isNamed($0.path) }
      talks.want(files)
      remarks.formUnion(files.map(\.path))
      let photos = page.filter { $0.kind == .file && isPhoto($0.path) }
      known.put(photos)
      known.put(tours: page.filter { $0.kind == .file }.map(\.path).filter(KnownPhotos.isBesidePhoto))
      if !photos.isEmpty { receive(photos) }
    }
    known.endListing()
    talks.keep(remarks)
  }

  public func memberName() async -> String { await club.spokenName() }

  /// As `NotesService.remarkFacts`, for the photos.
  public func remarkFacts() async -> [StorePath: TalkFacts]? { await talks.facts(club) }

  /// As `NotesService.remarkFiles`, for the photos.
  public func remarkFiles() -> [FileEntry] { talks.files }

  /// Lists all that is below the photos folder, page by page.
  func pages(_ receive: ([FileEntry]) -> Void) async throws(StoreError) {
    var cursor: ListCursor?
    repeat {
      let page: ListPage
      do throws(StoreError) {
        page = try await club.store.list(club.photosFolder, ListOptions(.full, recursive: true), after: cursor)
      } catch {
        guard error.kind == .notFound, cursor == nil else { throw error }
        break
      }
      receive(page.entries)
      if let changes = page.changes { listedUpTo.withLock { $0 = changes } }
      cursor = page.next
    } while cursor != nil
  }

  /// Reports changes of photos by any program until the task is cancelled, from the start of the last listing on. A
  /// folder with photos that appears or disappears is reported as `mustRelist`, a tour that comes as an empty set.
  /// - Throws: `unsupported` if the store cannot report changes; `cancelled`.
  public func changes(_ receive: (ChangeSet) async -> Void) async throws(StoreError) {
    guard let feed = club.store.capabilities.changes else {
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
      for change in set.changes {
        switch change {
        case .present(let file) where file.path.relative(to: club.photosFolder) != nil && Talk.isNamed(file.path):
          talks.want([file])
        case .present: break
        case .absent(let path): talks.remove(path)
        }
      }
      let hasTours = known.take(toursOf: set.changes)
      guard !photos.isEmpty || hasTours || set.lateness != lateness else { continue }
      await receive(ChangeSet(changes: photos, cursor: cursor, lateness: set.lateness))
    }
  }

  public func reach() async throws(StoreError) { try await club.reach() }

  /// Renames a photo in its folder, with its caption, its remarks and its tour; doors that lead back to it get a
  /// correction. A name without an extension gets the old one.
  /// - Throws: `notFound`; `exists`; `badName` for a name that would not be listed.
  public func rename(_ path: StorePath, to name: String) async throws(StoreError) -> FileEntry {
    try await relocate(path, to: try path.parent.appending(try checked(name, of: path)))
  }

  /// With the photo's ending if it has none.
  /// - Throws: `badName` for a name that would not be listed.
  func checked(_ name: String, of path: StorePath) throws(StoreError) -> String {
    var name = name
    let stem = name.reversed().drop { $0 == "." }.reversed()
    if !stem.contains("."), !stem.isEmpty, let dot = path.name.lastIndex(of: UInt8(ascii: ".")) {
      name = String(stem) + String(decoding: path.name[dot...], as: UTF8.self)
    }
    if let fault = PhotoName.fault(in: name) {
      throw StoreError(.badName, "The name \"\(name)\" \(fault).", remedy: "Choose another name.", path: path)
    }
    return name
  }

  /// Moves a photo with all that follows it. One that does not follow keeps no other from following.
  /// - Throws: the first of their errors, with the photo at its new path already.
  func relocate(_ path: StorePath, to target: StorePath) async throws(StoreError) -> FileEntry {
    let entry = try await club.store.move(path, to: target, ifRevision: nil)
    known.take([.absent(path), .present(entry)])
    let (tour, talk) = (try Companion.tour.path(of: path), try Talk.path(of: path))
    let hasTour = known.mayHave(tour)
    var companions = Companion.ofPhotos
    if hasTour { companions.append(.tour) }
    var failure: StoreError?
    for companion in companions {
      do throws(StoreError) {
        try await club.move([companion], of: path, to: entry.path)
      } catch {
        failure = failure ?? error
      }
    }
    if hasTour { known.put(tours: [try Companion.tour.path(of: entry.path)]) }
    if known.mayHave(talk) { known.put(tours: [try Talk.path(of: entry.path)]) }
    do throws(StoreError) {
      try await notes?.photoMoved(path, to: entry.path, mayHaveDoors: known.mayHave(talk), id: TalkItem.newID)
    } catch {
      failure = failure ?? error
    }
    if let failure { throw failure }
    return entry
  }

  /// - Throws: `notFound`; `unsupported` if the store has no trash.
  public func trash(_ path: StorePath) async throws(StoreError) -> TrashedFile {
    let trash = try club.storeTrash()
    let file = try await trash.discard(path, ifRevision: nil)
    try await club.trash(Companion.ofPhotos, of: path, trash)
    return file
  }

  /// - Throws: `notFound`; `exists` if the path is taken; `unsupported`.
  public func restore(_ id: TrashedFile.ID) async throws(StoreError) -> FileEntry {
    try await club.restore(id, with: Companion.ofPhotos)
  }

  func isPhoto(_ path: StorePath) -> Bool { PhotoName.isShown(path, below: club.photosFolder) }

  /// True for changes of the photos folder, folders below it and its parents, which do not report each photo.
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

extension PhotosService {
  /// - Throws: `notFound` and the store's other errors.
  public func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    try await club.store.entry(at: path)
  }

  /// - Throws: as `FileStore.read`.
  public func read(
    _ path: StorePath, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    _ = try await club.store.read(path, from: 0, ifRevision: nil, receive)
  }

  /// - Throws: as `FileStore.read`; `tooLarge`.
  public func bytes(of path: StorePath, limit: Int) async throws(StoreError) -> [UInt8] {
    try await club.store.readAll(path, limit: limit).bytes
  }
}

extension PhotosService {
  /// A photo from its copy at `file`, without the store; nil if the file cannot be read or is no picture.
  func copy(of path: StorePath, at file: String) async -> LoadedPhoto? {
    do throws(StoreError) {
      let source = try await FileSource(path: file, pool: pool)
      let (content, hash) = try await reader.load(source, name: PhotoReader.name(path))
      let entry = FileEntry(path: path, kind: .file, size: UInt64(content.count), contentHash: hash)
      return LoadedPhoto(content: content, entry: entry, contentHash: hash)
    } catch {
      return nil
    }
  }
}

extension PhotosService {
  /// Listed photos that the store's index finds; empty if the store has no search or the words are too short.
  /// - Throws: the store's errors.
  public func found(by words: String, limit: Int = 200) async throws(StoreError) -> [StoreMatch] {
    try await club.found(by: words, below: club.photosFolder, limit: limit) { entry in
      entry.kind == .file && PhotoName.isShown(entry.path, below: club.photosFolder)
    }
  }
}
