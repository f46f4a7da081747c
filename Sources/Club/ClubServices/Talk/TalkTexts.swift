internal import FileStores
internal import Synchronization

/// A cache of the texts of talk files and of the authors of their lines, by revision: none is fetched twice. Any thread
/// may call.
final class TalkTexts: Sendable {
  private struct Known {
    let revision: Revision
    var bytes: [UInt8]
    var authors: [String: [String?]]?
    /// The higher, the later.
    var used: Int

    /// The authors are by the lines of the text.
    var size: Int { authors == nil ? bytes.count : bytes.count * 2 }
  }

  private struct State {
    var files: [StorePath: Known] = [:]
    var bytes = 0
    var uses = 0
  }

  private let state = Mutex(State())
  private let mostBytes: Int
  private let mostFiles: Int

  /// The files that were used last stay.
  init(mostBytes: Int = 16 << 20, mostFiles: Int = 500) { (self.mostBytes, self.mostFiles) = (mostBytes, mostFiles) }

  /// True if the text of some revision is known: asking the store for the revision may then save the text.
  func has(_ path: StorePath) -> Bool { state.withLock { $0.files[path] != nil } }

  func bytes(of path: StorePath, _ revision: Revision) -> [UInt8]? { use(path, revision)?.bytes }

  /// nil if they were not looked for; empty where versions have no authors.
  func authors(of path: StorePath, _ revision: Revision) -> [String: [String?]]? { use(path, revision)?.authors }

  private func use(_ path: StorePath, _ revision: Revision) -> Known? {
    state.withLock { state in
      guard let known = state.files[path], known.revision == revision else { return nil }
      state.uses += 1
      state.files[path]?.used = state.uses
      return known
    }
  }

  func keep(_ bytes: [UInt8], of path: StorePath, _ revision: Revision) {
    state.withLock { state in
      let authors = state.files[path].flatMap { $0.revision == revision ? $0.authors : nil }
      put(Known(revision: revision, bytes: bytes, authors: authors, used: 0), at: path, &state)
    }
  }

  /// Of a text that is known.
  func keep(_ authors: [String: [String?]], of path: StorePath, _ revision: Revision) {
    state.withLock { state in
      guard var known = state.files[path], known.revision == revision else { return }
      known.authors = authors
      put(known, at: path, &state)
    }
  }

  private func put(_ known: Known, at path: StorePath, _ state: inout State) {
    state.bytes -= state.files.removeValue(forKey: path)?.size ?? 0
    guard known.size <= mostBytes else { return }
    state.bytes += known.size
    state.files[path] = known
    state.uses += 1
    state.files[path]?.used = state.uses
    while state.bytes > mostBytes || state.files.count > mostFiles {
      guard let oldest = state.files.min(by: { $0.value.used < $1.value.used }) else { return }
      state.files[oldest.key] = nil
      state.bytes -= oldest.value.size
    }
  }
}

extension Club {
  /// Reads a talk file, but for a text that is known at its revision. Without a `revision`, as of a listing, the store is
  /// asked for that of a file whose text is known.
  /// - Returns: the entry, too, unless its `revision` was given and known.
  /// - Throws: `notFound`; `tooLarge` above `Talk.mostBytes`; errors of the store.
  func talkFile(
    _ path: StorePath, revision: Revision? = nil
  ) async throws(StoreError) -> (bytes: [UInt8], entry: FileEntry?) {
    var entry: FileEntry?
    if revision == nil, talkTexts.has(path) { entry = try await store.entry(at: path) }
    if let wanted = revision ?? entry?.revision, let bytes = talkTexts.bytes(of: path, wanted) { return (bytes, entry) }
    let (bytes, read) = try await store.readAll(path, limit: Talk.mostBytes)
    if let revision = read.revision { talkTexts.keep(bytes, of: path, revision) }
    return (bytes, read)
  }
}
