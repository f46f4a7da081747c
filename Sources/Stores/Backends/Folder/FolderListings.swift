internal import FileStores
internal import POSIX
internal import Synchronization

/// The unfinished listings, at most 16. A new one replaces a finished one, else the oldest.
final class FolderListings: Sendable {
  private struct Slot: Sendable {
    let id: UInt64
    let listing: SharedListing
  }

  /// Each listing may hold one descriptor.
  private static let capacity = 16
  private let slots = Mutex<[Slot]>([])
  private let disk: FolderDisk
  private let watcher: FolderWatcher?

  init(disk: FolderDisk, watcher: FolderWatcher?) {
    self.disk = disk
    self.watcher = watcher
  }

  func page(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) throws(StoreError) -> ListPage {
    guard let cursor else { return try firstPage(folder, options) }
    let parts = cursor.value.split(separator: ".")
    guard parts.count == 2, let id = UInt64(parts[0], radix: 36), let number = Int(parts[1]),
      let slot = slots.withLock({ $0.first { $0.id == id } })
    else { throw FolderListing.invalidCursor(folder) }
    return try slot.listing.page(number, id, folder, options, disk, watcher)
  }

  private func firstPage(_ folder: StorePath, _ options: ListOptions) throws(StoreError) -> ListPage {
    guard !disk.isOwn(folder) else { throw disk.missing(folder) }
    let root = try disk.openRoot()
    let descriptor: Descriptor
    do throws(StoreError) {
      descriptor = try disk.open(folder, O_RDONLY | O_DIRECTORY, below: root, to: "list")
    } catch {
      if let there = (try? disk.stat(folder)) ?? nil, there.kind != .folder { throw .notFolder(folder) }
      throw error
    }
    let changes = watcher?.willScan(folder, descriptor)
    let listing = SharedListing(FolderListing(folder, descriptor, options, changes: changes))
    let id = UInt64.random(in: .min ... .max)
    let page = try listing.page(0, id, folder, options, disk, watcher)
    if page.next != nil { keep(Slot(id: id, listing: listing)) }
    return page
  }

  private func keep(_ slot: Slot) {
    slots.withLock { slots in
      if slots.count >= FolderListings.capacity {
        slots.remove(at: slots.firstIndex { $0.listing.isFinished } ?? 0)
      }
      slots.append(slot)
    }
  }
}

final class SharedListing: Sendable {
  private let listing: Mutex<FolderListing>

  init(_ listing: FolderListing) {
    self.listing = Mutex(listing)
  }

  var isFinished: Bool { listing.withLock { $0.isFinished } }

  func page(
    _ number: Int, _ id: UInt64, _ folder: StorePath, _ options: ListOptions, _ disk: FolderDisk,
    _ watcher: FolderWatcher?
  ) throws(StoreError) -> ListPage {
    try listing.withLock { listing throws(StoreError) in
      guard listing.top == folder, listing.options == options else { throw FolderListing.invalidCursor(folder) }
      let entries = try listing.page(number, disk, watcher)
      let end = listing.isFinished
      return ListPage(
        entries: entries, isWhole: options.detail == .full,
        next: end ? nil : ListCursor(String(id, radix: 36) + "." + String(listing.number)),
        changes: end ? listing.changes : nil)
    }
  }
}
