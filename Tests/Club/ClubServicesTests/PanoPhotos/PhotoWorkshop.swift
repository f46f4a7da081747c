import Backends
import Basics
import ClubServices
import Database
import Decoding
import FileStores
import Foundation
import Imaging
import Synchronization
import TestKit
import Transfers

/// A club with photos for one test: a store in memory that is watched, a cache in a folder of its own, and a folder for
/// files of this machine. All of it is gone with the last reference.
final class PhotoWorkshop: Sendable {
  let store = WatchedPhotoStore()
  let orders = OrderBook()
  let pool = BlockingPool(threads: 3)
  let folder: String
  let catalogue: CatalogueDatabase

  init() throws {
    let place = URL(filePath: TemporaryFolder.newPath())
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    folder = place.path
    catalogue = try CatalogueDatabase(path: ":memory:")
  }

  deinit { removeFolder(folder) }

  /// A service as a new process would make it: what is on disk stays, nothing else. With `keeping` the club is behind a
  /// network, and so many bytes of photos that were looked at are kept.
  func service(
    club: Club? = nil, store: (any FileStore)? = nil, limitBytes: Int = 1 << 20, keeping: Int? = nil,
    mostShownPixels: Int = 40_000_000,
    readsAhead: Bool = true,
    notes: NotesService? = nil, decoder: (any PictureDecoding)? = nil
  ) throws -> PhotosService {
    PhotosService(
      club: try club
        ?? Club(
          name: "home", place: "~/ByteClub", memberName: { "ann" }, store: store ?? self.store,
          photosFolder: StorePath("photos")),
      thumbnails: cache(limitBytes: limitBytes), cache: keeping.map { photoCache(limitBytes: $0) }, transfers: orders,
      storeWord: "memory:", pool: pool, decoder: decoder ?? InProcessDecoder(pool: pool),
      mostShownPixels: mostShownPixels, readsAhead: readsAhead, notes: notes)
  }

  func cache(limitBytes: Int = 1 << 20) -> ThumbnailCache {
    ThumbnailCache(directory: "\(folder)/cache", catalogue: catalogue, limitBytes: limitBytes, pool: pool)
  }

  func photoCache(limitBytes: Int = 1 << 20) -> PhotoCache {
    PhotoCache(directory: "\(folder)/cache", limitBytes: limitBytes, pool: pool)
  }

  /// The files of photos that were looked at.
  var keptFiles: [String] {
    let names = FileManager.default.enumerator(atPath: "\(folder)/cache/photos")?.allObjects as? [String] ?? []
    return names.filter { $0.utf8.count > 60 && !$0.hasPrefix("named") }.map { "\(folder)/cache/photos/\($0)" }.sorted()
  }

  @discardableResult
  func put(_ path: String, _ bytes: [UInt8]) async throws -> FileEntry {
    try await store.base.put(DataSource(bytes), at: try StorePath(path), mode: .overwrite)
  }

  /// A file of this machine; its path.
  func local(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = "\(folder)/\(name)"
    try Data(bytes).write(to: URL(filePath: path))
    return path
  }

  func bytes(_ path: String) async throws -> [UInt8] { try await store.base.readAll(try StorePath(path)).bytes }

  /// The files of the cache, by path below the workshop's folder.
  var cached: [String] {
    let names = FileManager.default.enumerator(atPath: "\(folder)/cache/thumbnails")?.allObjects as? [String] ?? []
    return names.filter { $0.contains(".") }.map { "\(folder)/cache/thumbnails/\($0)" }.sorted()
  }

  /// A gradient with some colour, so that two pictures differ.
  static func jpeg(_ width: Int = 400, _ height: Int = 200, blue: UInt32 = 64) throws -> [UInt8] {
    try Encoder.jpeg(pixels(width, height, blue: blue), quality: 85)
  }

  static func pixels(_ width: Int, _ height: Int, blue: UInt32 = 64) -> Pixels {
    var pixels = Pixels(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        pixels[x, y] = UInt32(255 * x / max(1, width - 1)) << 16 | UInt32(255 * y / max(1, height - 1)) << 8 | blue
      }
    }
    return pixels
  }

  /// A JPEG whose header claims a size that it has not.
  static func bomb(_ length: Int = 1000) throws -> [UInt8] {
    var bytes = try jpeg(16, 16)
    var at = 2
    // The frame: marker C0, two bytes of length, one of precision, then height and width.
    while at + 8 < bytes.count, bytes[at + 1] != 0xC0 { at += 2 + Int(bytes[at + 2]) << 8 + Int(bytes[at + 3]) }
    for index in 5...8 { bytes[at + index] = 0xFF }
    return bytes + [UInt8](repeating: 0, count: max(0, length - bytes.count))
  }
}

/// Counts what is read of a store in memory, and may hold reads.
final class WatchedPhotoStore: StoreAround {
  let base: any FileStore = MemoryStore(pageEntries: 3)
  private let counts = Mutex((reads: 0, bytes: 0, looks: 0))
  private let tellsChecksums = Mutex(true)
  private let held = Mutex<(@Sendable () async -> Void)?>(nil)

  /// Whole reads that were begun.
  var reads: Int { counts.withLock { $0.reads } }
  var bytesRead: Int { counts.withLock { $0.bytes } }
  /// Look-ups of single files.
  var looks: Int { counts.withLock { $0.looks } }
  /// From now on not even listings tell checksums, as with version 1 of the API.
  func hideChecksums() { tellsChecksums.withLock { $0 = false } }
  /// What every read waits for.
  func hold(_ body: (@Sendable () async -> Void)?) { held.withLock { $0 = body } }

  /// Uploads and trash of the base, scripted changes, and small copies once `make` says who makes them.
  var capabilities: Capabilities {
    let own = base.capabilities
    return Capabilities(
      uploads: own.uploads, trash: own.trash, changes: ScriptedFeed(sets: told.withLock { $0 }),
      thumbnails: maker.withLock { $0 })
  }

  /// The store makes small copies from now on.
  func make(_ copies: any StoreThumbnails) { maker.withLock { $0 = copies } }
  private let maker = Mutex<(any StoreThumbnails)?>(nil)

  private let told = Mutex<[[ChangeSet.Change]?]>([])
  /// What the feed tells, in order; nil stands for "list anew".
  func tell(_ sets: [[ChangeSet.Change]?]) { told.withLock { $0 = sets } }

  private struct ScriptedFeed: ChangeFeed {
    let sets: [[ChangeSet.Change]?]

    func start() async throws(StoreError) -> ChangeCursor { ChangeCursor("0") }

    func wait(since cursor: ChangeCursor) async throws(StoreError) -> ChangeSet {
      guard let at = Int(cursor.value), at < sets.count else {
        await Gate().wait()
        throw .cancelled("Waiting for changes")
      }
      return ChangeSet(changes: sets[at] ?? [], cursor: ChangeCursor("\(at + 1)"), mustRelist: sets[at] == nil)
    }
  }

  func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    let page = try await base.list(folder, options, after: cursor)
    if tellsChecksums.withLock({ $0 }) { return page }
    return ListPage(
      entries: page.entries.map(Self.withoutChecksum), isWhole: page.isWhole, next: page.next, changes: page.changes)
  }

  func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    counts.withLock { $0.looks += 1 }
    // As stores do that find the checksum by reading alone.
    return Self.withoutChecksum(try await base.entry(at: path))
  }

  private static func withoutChecksum(_ entry: FileEntry) -> FileEntry {
    FileEntry(path: entry.path, kind: entry.kind, size: entry.size, modified: entry.modified, revision: entry.revision)
  }

  func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    counts.withLock { $0.reads += 1 }
    await held.withLock { $0 }?()
    let entry = try await base.read(path, options) { chunk throws(StoreError) in
      // Small pieces, as networks give them.
      var rest = chunk
      while !rest.isEmpty {
        let piece = rest.prefix(64 * 1024)
        counts.withLock { $0.bytes += piece.count }
        try await receive(piece)
        rest = rest.dropFirst(piece.count)
      }
    }
    return Self.withoutChecksum(entry)
  }
}

/// Writes down what is ordered, and carries nothing out: a transfer is over when `finish` says so.
final class OrderBook: TransferControl {
  private struct State {
    var orders: [TransferOrder] = []
    var over: Set<Transfer.ID> = []
    var waiting: [Transfer.ID: [CheckedContinuation<Void, Never>]] = [:]
    var fault: StoreError?
  }
  private let state = Mutex(State())

  /// All orders so far; the first has the word "1".
  var orders: [TransferOrder] { state.withLock { $0.orders } }
  /// What each further order is refused with.
  func refuse(_ fault: StoreError?) { state.withLock { $0.fault = fault } }

  func finish(_ id: Transfer.ID) {
    let waiting = state.withLock { state in
      state.over.insert(id)
      return state.waiting.removeValue(forKey: id) ?? []
    }
    for continuation in waiting { continuation.resume() }
  }

  func add(_ orders: [TransferOrder]) async throws(StoreError) -> [Transfer.ID] {
    try state.withLock { (state) throws(StoreError) in
      if let fault = state.fault { throw fault }
      return orders.map { order in
        state.orders.append(order)
        return "\(state.orders.count)"
      }
    }
  }

  func ended(_ id: Transfer.ID) async -> Transfer? {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        if state.over.contains(id) {
          continuation.resume()
        } else {
          state.waiting[id, default: []].append(continuation)
        }
      }
    }
    return nil
  }

  func perform(_ command: TransferCommand) async throws(StoreError) {}
  func transfers() async throws(StoreError) -> [Transfer] { [] }
  func limit() async throws(StoreError) -> UInt64? { nil }
  func attach(_ delegate: any TransferDelegate) async {}
  func detach(_ delegate: any TransferDelegate) async {}
}

/// The kind of the error that `body` throws; nil when there was none.
func photoFault(_ body: () async throws -> Void) async -> StoreError? {
  do {
    try await body()
    return nil
  } catch {
    return error as? StoreError
  }
}
