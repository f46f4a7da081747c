import Backends
import FileStores
import Synchronization
import TestKit

/// A store in memory that reads folders at once, says no more of it than is asked, and counts what it is asked.
final class TogetherStore: StoreAround, FolderReading {
  struct Asked: Equatable {
    var single: [String] = []
    var together: [Int] = []
  }

  /// The faults of a reading of all: it drops files, omits files, and breaks off after a number of them.
  struct Plan: Sendable {
    var dropped: Set<String> = []
    var untold: Set<String> = []
    var most = Int.max
    var failure = StoreError(.offline, "The line broke.")
  }

  let base: any FileStore = MemoryStore()
  let plan: Plan
  private let state = Mutex(Asked())
  var asked: Asked { state.withLock { $0 } }

  init(_ plan: Plan = Plan()) { self.plan = plan }

  var capabilities: Capabilities { Capabilities(folders: self) }
  let mostEntries = 10_000
  let mostBytes: UInt64 = 1 << 30

  func read(
    _ files: [FileEntry], below folder: StorePath, _ receive: ([FolderPart]) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    state.withLock { $0.together.append(files.count) }
    for (index, file) in files.enumerated() {
      if index >= plan.most { throw plan.failure }
      let name = file.path.description
      if plan.untold.contains(name) { continue }
      let bytes = try await base.readAll(file.path).bytes
      let half = bytes.count / 2
      try await receive([.bytes(file, bytes[..<half])])
      try await receive(
        plan.dropped.contains(name) ? [.dropped(file)] : [.bytes(file, bytes[half...]), .whole(file)])
    }
  }

  func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    state.withLock { $0.single.append(path.description) }
    return try await base.read(path, options, receive)
  }
}

/// A store in memory that stores other bytes than it gets for some files.
final class AlteringStore: StoreAround {
  let base: any FileStore = MemoryStore()
  let altered: Set<String>
  private let tellsHashes: Bool

  init(altered: Set<String>, tellsHashes: Bool) { (self.altered, self.tellsHashes) = (altered, tellsHashes) }

  var capabilities: Capabilities { Capabilities() }

  func put(_ source: any ByteSource, at path: StorePath, mode: WriteMode) async throws(StoreError) -> FileEntry {
    var bytes: [UInt8] = []
    var reading = try await source.open(at: 0)
    while let chunk = try await reading.next() { bytes += chunk }
    if altered.contains(path.description) { bytes[0] ^= 1 }
    return shown(try await base.put(DataSource(bytes), at: path, mode: mode))
  }

  func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    let page = try await base.list(folder, options, after: cursor)
    return ListPage(entries: page.entries.map(shown), isWhole: page.isWhole, next: page.next)
  }

  private func shown(_ entry: FileEntry) -> FileEntry {
    tellsHashes
      ? entry
      : FileEntry(
        path: entry.path, kind: entry.kind, size: entry.size, modified: entry.modified, revision: entry.revision)
  }
}

/// A store in memory without hashes of files, which learns with its first write whether it compares the bytes itself.
final class ComparingStore: StoreAround {
  let base: any FileStore = AlteringStore(altered: [], tellsHashes: false)
  private let compares: Bool
  private let state = Mutex((readings: 0, hasWritten: false))

  init(compares: Bool) { self.compares = compares }

  var readings: Int { state.withLock { $0.readings } }

  var limits: StoreLimits {
    StoreLimits(
      nameBytes: nil, fileBytes: nil, caseSensitive: true, unicodeNamesOnly: false,
      comparesBytes: compares && state.withLock { $0.hasWritten })
  }

  func put(_ source: any ByteSource, at path: StorePath, mode: WriteMode) async throws(StoreError) -> FileEntry {
    state.withLock { $0.hasWritten = true }
    return try await base.put(source, at: path, mode: mode)
  }

  func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    state.withLock { $0.readings += 1 }
    return try await base.read(path, options, receive)
  }
}
