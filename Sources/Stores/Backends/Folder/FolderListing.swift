internal import CPlatform
internal import FileStores
internal import POSIX

/// A running listing: an open folder and, if recursive, the folders still to list.
struct FolderListing {
  struct Place {
    var folder: StorePath
    var offset: Int64
    var pending: [StorePath]
    var isEnd = false
  }

  let options: ListOptions
  let top: StorePath
  /// The cursor from before the first name was read.
  let changes: ChangeCursor?
  private(set) var number = 0
  private(set) var place: Place
  private var previous: Place?
  private var open: (folder: StorePath, descriptor: Descriptor)?

  init(_ folder: StorePath, _ descriptor: Descriptor, _ options: ListOptions, changes: ChangeCursor?) {
    top = folder
    self.options = options
    self.changes = changes
    place = Place(folder: folder, offset: 0, pending: [])
    open = (folder, descriptor)
  }

  var isFinished: Bool { place.isEnd }

  /// The entries of page `wanted`: the next page, or the previous page again.
  /// - Throws: `badInput` for any other number.
  mutating func page(
    _ wanted: Int, _ disk: FolderDisk, _ watcher: FolderWatcher?
  ) throws(StoreError) -> [FileEntry] {
    if wanted == number - 1, let previous {
      place = previous
      number = wanted
      open = nil
    }
    guard wanted == number else { throw FolderListing.invalidCursor(top) }
    let start = place
    do throws(StoreError) {
      let entries = try fill(disk, watcher)
      previous = start
      number += 1
      if place.isEnd { open = nil }
      return entries
    } catch {
      place = start
      open = nil
      throw error
    }
  }

  static func invalidCursor(_ folder: StorePath) -> StoreError {
    .listingLost(folder)
  }

  private mutating func fill(_ disk: FolderDisk, _ watcher: FolderWatcher?) throws(StoreError) -> [FileEntry] {
    let limit = options.detail == .names ? disk.tuning.pageNames : disk.tuning.pageEntries
    let reader = DirectoryReader(bytes: disk.tuning.listBufferBytes)
    var entries: [FileEntry] = []
    // The first page does not reserve: a folder smaller than a page needs little memory.
    if number > 0 { entries.reserveCapacity(limit + limit / 2) }
    var root: Descriptor?
    while entries.count < limit, !place.isEnd {
      guard let descriptor = try openFolder(disk, watcher, below: &root) else {
        nextFolder()
        continue
      }
      if try !readNames(reader, descriptor, disk, &entries) { nextFolder() }
    }
    return entries
  }

  private mutating func nextFolder() {
    open = nil
    if let next = place.pending.popLast() {
      place.folder = next
      place.offset = 0
    } else {
      place.isEnd = true
    }
  }

  /// Opens the current folder. Returns nil if a folder below the top is gone, may not be read, or has too long a path.
  private mutating func openFolder(
    _ disk: FolderDisk, _ watcher: FolderWatcher?, below known: inout Descriptor?
  ) throws(StoreError) -> Descriptor? {
    if let open, open.folder == place.folder { return open.descriptor }
    do throws(StoreError) {
      let root = if let known { known } else { try disk.openRoot() }
      known = root
      let descriptor = try disk.open(place.folder, O_RDONLY | O_DIRECTORY, below: root, to: "list")
      if place.offset == 0 { watcher?.willScan(place.folder, descriptor) }
      if place.offset > 0 { lseek(descriptor.raw, off_t(place.offset), SEEK_SET) }
      open = (place.folder, descriptor)
      return descriptor
    } catch  where place.folder != top && [.notFound, .notPermitted].contains(error.kind) {
      return nil
    } catch  where place.folder != top && error.kind == .badName && place.folder.mayBeTooLong {
      return nil
    }
  }

  private mutating func readNames(
    _ reader: DirectoryReader, _ descriptor: Descriptor, _ disk: FolderDisk, _ entries: inout [FileEntry]
  ) throws(StoreError) -> Bool {
    let folder = place.folder
    let (recursive, options) = (options.recursive, options)
    let full = options.detail == .full
    var leftovers: [CName] = []
    var found: [StorePath] = []
    var offset = place.offset
    let more = try reader.read(descriptor, folder) { name, type, next in
      offset = next
      if name.first == UInt8(ascii: "."), name.starts(with: reservedPrefix) {
        if name.starts(with: temporaryPrefix) { leftovers.append(CName(name)) }
        return
      }
      if disk.isHidden(name, in: folder) { return }
      guard let path = folder.child(named: name) else { return }
      var kind = FileEntry.Kind.other
      if Int(type) == CP_TYPE_FILE { kind = .file } else if Int(type) == CP_TYPE_FOLDER { kind = .folder }
      if full || Int(type) == CP_TYPE_UNKNOWN {
        var out = cp_stat()
        let code = name.withMemoryRebound(to: CChar.self) { cp_stat_at(descriptor.raw, $0.baseAddress, &out) }
        if code != 0 { return }
        let stat = FileStat(out)
        kind = stat.kind
        entries.append(full ? disk.entry(stat, path) : FileEntry(path: path, kind: kind))
      } else {
        entries.append(FileEntry(path: path, kind: kind))
      }
      if recursive, kind == .folder, !options.skips(path) { found.append(path) }
    }
    place.offset = offset
    place.pending.append(contentsOf: found)
    if !leftovers.isEmpty { disk.removeStale(leftovers, in: descriptor, folder) }
    return more
  }
}

private let reservedPrefix = Array(".byteclub".utf8)
private let temporaryPrefix = Array(CName.temporaryPrefix.utf8)
