import Synchronization
import Basics
import Database
import FileStores

/// How many bytes a look may read for checksums before it goes on. The rest is read and recorded later.
struct HashAllowance: Sendable {
  /// Files up to this size are read several at once.
  static let smallFile: UInt64 = 1 << 20
  /// Files up to this size do not wait for larger ones.
  static let largeFile: UInt64 = 256 << 20
  /// Takes a tenth of a second.
  static let listedBytes: UInt64 = 32 << 20

  private let largest: UInt64
  private var left: UInt64
  /// True if a file that changes while it is read is read again at once.
  private(set) var persists = false

  /// For a listing or a change by another program, for which nobody may wait long.
  static let quick = HashAllowance(largest: smallFile, left: listedBytes)
  /// For a request about the files themselves, which cannot be answered without their checksums.
  static let all = HashAllowance(largest: .max, left: .max, persists: true)
  /// For files whose turn has come. One that changes meanwhile waits for another turn.
  static let turn = HashAllowance(largest: .max, left: .max)

  /// For files that changed while they were read.
  var again: HashAllowance { persists ? self : .quick }

  /// True if a file of that size may be read now.
  mutating func allows(_ size: UInt64) -> Bool {
    guard size <= largest else { return false }
    guard left < .max else { return true }
    // A small file costs a request or some system calls, too.
    let cost = max(size, 8 << 10)
    guard cost <= left else { return false }
    left -= cost
    return true
  }
}

/// A file is in the index once its checksum is known, and never without: clients take an entry as complete, and one that
/// was reported without its checksum, for good. Until then the index has the version before, or nothing.
extension ClubIndex {
  private static let readers = 4

  /// True if the entry is a version that is not recorded yet, and whose checksum must be read.
  static func lacksHash(_ entry: FileEntry, _ known: ServerNode?) -> Bool {
    guard entry.kind == .file, entry.contentHash == nil, isShown(entry.path) else { return false }
    return known?.holds(entry) != true
  }

  /// The entries in order, with the checksums that the allowance admits. A file that changed or went while it was read is
  /// returned in `unsettled` instead. A file that is left or cannot be read stays without a checksum.
  func settled(
    _ entries: [FileEntry], _ known: [StorePath: ServerNode], _ allowance: inout HashAllowance
  ) async throws(StoreError) -> (entries: [FileEntry], unsettled: [StorePath]) {
    var soon: [Int] = []
    for place in entries.indices where ClubIndex.lacksHash(entries[place], known[entries[place].path]) {
      if allowance.allows(entries[place].size ?? .max) {
        soon.append(place)
      } else {
        queue(of: entries[place]).note(entries[place])
      }
    }
    guard !soon.isEmpty else { return (entries, []) }
    var entries = entries
    var unsettled: Set<StorePath> = []
    for (place, result) in await readHashes(of: soon.map { ($0, entries[$0]) }) {
      switch result {
      case .success(let hash): entries[place] = entries[place].hashed(hash)
      case .failure(let error):
        switch error.kind {
        case .cancelled, .offline, .rateLimited: throw error
        case .conflict, .notFound: unsettled.insert(entries[place].path)
        default: queue(of: entries[place]).tell(entries[place].path, error)
        }
      }
    }
    return (entries.filter { !unsettled.contains($0.path) }, Array(unsettled))
  }

  private func readHashes(
    of entries: [(place: Int, entry: FileEntry)]
  ) async -> [(place: Int, result: Result<ContentHash, StoreError>)] {
    await withTaskGroup(of: [(place: Int, result: Result<ContentHash, StoreError>)].self) { group in
      for reader in 0..<min(ClubIndex.readers, entries.count) {
        group.addTask {
          var found: [(place: Int, result: Result<ContentHash, StoreError>)] = []
          for number in stride(from: reader, to: entries.count, by: ClubIndex.readers) {
            let (place, entry) = entries[number]
            do throws(StoreError) {
              found.append((place, .success(try await self.contentHash(of: entry))))
            } catch {
              found.append((place, .failure(error)))
              if [.cancelled, .offline, .rateLimited].contains(error.kind) { break }
            }
          }
          return found
        }
      }
      return await group.reduce(into: []) { $0 += $1 }
    }
  }

  private func queue(of entry: FileEntry) -> LaterHashes {
    (entry.size ?? .max) <= HashAllowance.largeFile ? later : films
  }

  /// Records the files that were left in a queue, in the order in which they were found, until the task is cancelled.
  func recordLater(_ later: LaterHashes, _ report: @Sendable (StoreError) -> Void) async {
    while let batch = await later.next() {
      do throws(StoreError) {
        let number = try await read { try $0.newestNumber() }
        var allowance = HashAllowance.turn
        try await admit(batch, since: number, newest: number, &allowance)
        if later.finish(batch) { try await scan(ClubIndex.root, recursive: true) }
        // A file that is being written is not read without end.
        if batch.count == 1, later.isWaiting(batch[0].path) { try? await Task.sleep(for: .seconds(1)) }
      } catch {
        if error.kind == .cancelled { return }
        report(error)
        later.putBack(batch)
        // A cancelled sleep ends here, too; `next` then ends the loop.
        try? await Task.sleep(for: .seconds(2))
      }
    }
  }

  /// The checksum of one version of a file. Concurrent requests share one read, and large files are read one at a time.
  private func contentHash(of entry: FileEntry) async throws(StoreError) -> ContentHash {
    let (path, revision, size) = (entry.path, entry.revision, entry.size ?? .max)
    return try await hashes.hash(of: SharedHashes.Version(path: path, revision: revision)) { () throws(StoreError) in
      if size <= HashAllowance.smallFile { return try await self.readHash(of: path, revision) }
      // Nobody waits for hours until a film has been read.
      let turn = size <= HashAllowance.largeFile ? "hash" : "hash of a film"
      return try await self.locks.with(turn) { () throws(StoreError) in try await self.readHash(of: path, revision) }
    }
  }

  private func readHash(of path: StorePath, _ revision: Revision?) async throws(StoreError) -> ContentHash {
    let hasher = ContentHashLane(pool: pool)
    _ = try await store.read(path, from: 0, ifRevision: revision) { chunk in await hasher.add(chunk) }
    return await hasher.finish()
  }
}

extension ServerNode {
  /// True if this row is the version of the entry, as a whole.
  func holds(_ entry: FileEntry) -> Bool {
    entry.kind == .file
      ? !isFolder && hash != nil && storeRevision == entry.revision : isFolder && entry.kind == .folder
  }
}

extension FileEntry {
  func hashed(_ hash: ContentHash) -> FileEntry {
    FileEntry(
      path: path, kind: kind, size: size, modified: modified, revision: revision, contentHash: hash, member: member,
      isKept: isKept)
  }
}

final class SharedHashes: Sendable {
  struct Version: Hashable {
    let path: StorePath
    let revision: Revision?
  }

  private typealias Search = Task<Result<ContentHash, StoreError>, Never>
  private let running = Mutex<[Version: Search]>([:])

  func hash(
    of version: Version, _ find: @escaping @Sendable () async throws(StoreError) -> ContentHash
  ) async throws(StoreError) -> ContentHash {
    let search = running.withLock { running in
      if let search = running[version] { return search }
      let search = Search {
        let result = await Result.catching(find)
        self.running.withLock { $0[version] = nil }
        return result
      }
      running[version] = search
      return search
    }
    return try await search.value.get()
  }
}
