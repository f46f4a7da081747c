import FileStores
import Synchronization

/// A store that answers as written down, call by call.
final class ScriptedWrapper: StoreWrapper {
  enum Answer: Sendable {
    case pass
    case failBefore(StoreError)
    case failAfter(StoreError)
  }

  private struct State {
    var entry: [Answer]
    var put: [Answer]
    var calls = 0
    var puts = 0
    var hasBroken = false
  }

  let base: any FileStore
  private let state: Mutex<State>
  private let tellsHash: Bool
  private let readBreaksAfter: Int?
  private let historyFailure: StoreError?
  private let whileBroken: @Sendable () async -> Void

  init(
    _ base: any FileStore, entry: [Answer] = [], put: [Answer] = [], tellsHash: Bool = true,
    readBreaksAfter: Int? = nil, historyFailure: StoreError? = nil,
    whileBroken: @escaping @Sendable () async -> Void = {}
  ) {
    self.base = base
    self.tellsHash = tellsHash
    self.readBreaksAfter = readBreaksAfter
    self.historyFailure = historyFailure
    self.whileBroken = whileBroken
    state = Mutex(State(entry: entry, put: put))
  }

  var calls: Int { state.withLock { $0.calls } }
  var puts: Int { state.withLock { $0.puts } }

  var capabilities: Capabilities {
    let own = base.capabilities
    return Capabilities(
      uploads: own.uploads, trash: own.trash, changes: own.changes,
      revisions: own.revisions.map { Bare(base: $0, tellsHash: tellsHash, failure: historyFailure) })
  }

  func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    let answer = state.withLock { state in
      state.calls += 1
      return state.entry.isEmpty ? .pass : state.entry.removeFirst()
    }
    let entry = try await answered(answer) { () throws(StoreError) in try await base.entry(at: path) }
    if tellsHash { return entry }
    return FileEntry(
      path: entry.path, kind: entry.kind, size: entry.size, modified: entry.modified, revision: entry.revision)
  }

  func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    var given = 0
    return try await base.read(path, options) { chunk throws(StoreError) in
      try await receive(chunk)
      given += chunk.count
      let breaks = state.withLock { state in
        guard let readBreaksAfter, given >= readBreaksAfter, !state.hasBroken else { return false }
        state.hasBroken = true
        return true
      }
      if breaks {
        await whileBroken()
        throw StoreError(.offline, "The line broke.")
      }
    }
  }

  func put(_ source: any ByteSource, at path: StorePath, mode: WriteMode) async throws(StoreError) -> FileEntry {
    let answer = state.withLock { state in
      state.puts += 1
      return state.put.isEmpty ? .pass : state.put.removeFirst()
    }
    return try await answered(answer) { () throws(StoreError) in try await base.put(source, at: path, mode: mode) }
  }

  private func answered(
    _ answer: Answer, _ call: () async throws(StoreError) -> FileEntry
  ) async throws(StoreError) -> FileEntry {
    switch answer {
    case .pass: return try await call()
    case .failBefore(let error): throw error
    case .failAfter(let error):
      _ = try await call()
      await whileBroken()
      throw error
    }
  }

  /// A history that tells no hashes, or nothing.
  private struct Bare: RevisionHistory {
    let base: any RevisionHistory
    let tellsHash: Bool
    let failure: StoreError?

    func versions(of path: StorePath, limit: Int) async throws(StoreError) -> [FileEntry] {
      if let failure { throw failure }
      let versions = try await base.versions(of: path, limit: limit)
      if tellsHash { return versions }
      return versions.map { version in
        FileEntry(path: version.path, kind: version.kind, size: version.size, revision: version.revision)
      }
    }

    func read(
      _ revision: Revision, of path: StorePath, _ receive: (ByteChunk) async throws(StoreError) -> Void
    ) async throws(StoreError) -> FileEntry {
      try await base.read(revision, of: path, receive)
    }

    func restore(
      _ revision: Revision, of path: StorePath, over current: Revision?
    ) async throws(StoreError) -> FileEntry {
      try await base.restore(revision, of: path, over: current)
    }
  }
}
