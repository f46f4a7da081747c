public import FileStores

/// A store with temporary network failures. The seed determines them.
///
/// Faults: a request is lost, a response is lost after the store has acted, a read breaks off, chunks are cut short. No
/// call with the same name and path fails more than twice in a row.
public struct FaultyStore: StoreWrapper {
  public let base: any FileStore
  private let faults: Faults

  /// `share` of the calls (0 to 1) fail.
  public init(_ base: any FileStore, seed: UInt64, share: Double = 0.4) {
    self.base = base
    faults = Faults(seed: seed, share: share)
  }

  /// The number of faults so far.
  public var count: Int { faults.count }

  /// The base's capabilities. Reads of versions and folders may break off in the middle.
  public var capabilities: Capabilities {
    let own = base.capabilities
    var all = wrapped(own)
    all.revisions = own.revisions.map { FaultyHistory(base: $0, store: self, faults: faults) }
    all.folders = own.folders.map { FaultyFolderReading(base: $0, faults: faults) }
    return all
  }

  /// Makes a call, or fails before or after it.
  public func call<Answer: Sendable>(
    _ call: StoreCall<Answer>, _ body: () async throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    let fault = faults.next(call.name, call.path)
    if fault == .before { throw Faults.error(call.path) }
    let answer = try await body()
    if fault == .after { throw Faults.error(call.path) }
    return answer
  }

  /// Fails as a whole, before or after the call, or for some of the items, which the store has processed all the same.
  public func callEach<Item: Sendable, Answer: Sendable>(
    _ call: StoreCall<[Result<Answer, StoreError>]>, _ items: [Item],
    part: (Item) -> StoreCall<Answer>,
    _ body: ([Item]) async throws(StoreError) -> [Result<Answer, StoreError>]
  ) async throws(StoreError) -> [Result<Answer, StoreError>] {
    let results = try await self.call(call) { () throws(StoreError) in try await body(items) }
    return zip(items, results).map { item, result in
      let part = part(item)
      guard case .success = result, faults.next(part.name, part.path) != .none else { return result }
      return .failure(Faults.error(part.path))
    }
  }

  /// Reads a file in small chunks, and may break off.
  public func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    let fault = faults.next(.read, path)
    if fault == .before { throw Faults.error(path) }
    var given = 0
    return try await base.read(path, options) { chunk throws(StoreError) in
      var rest = chunk
      while !rest.isEmpty {
        if Task.isCancelled { throw StoreError.cancelled("The reading", path: path) }
        let piece = rest.prefix(7 + given % 4096)
        try await receive(piece)
        given += piece.count
        rest = rest.dropFirst(piece.count)
        // In the middle of the first chunk or a later one, or at the very end.
        if fault == .after, given >= 10 { throw Faults.error(path) }
      }
    }
  }
}

private struct FaultyHistory: RevisionHistory {
  let base: any RevisionHistory
  let store: FaultyStore
  let faults: Faults

  var largestKept: UInt64? { base.largestKept }

  func versions(of path: StorePath, limit: Int) async throws(StoreError) -> [FileEntry] {
    try await store.call(.versions(path)) { () throws(StoreError) in
      try await base.versions(of: path, limit: limit)
    }
  }

  /// Breaks off in the middle of the first chunk, or after the last one.
  func read(
    _ revision: Revision, of path: StorePath, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    let fault = faults.next(.readVersion, path)
    let entry = try await base.read(revision, of: path) { chunk throws(StoreError) in
      guard fault == .before else { return try await receive(chunk) }
      try await receive(chunk.prefix(chunk.count / 2))
      throw Faults.error(path)
    }
    if fault != .none { throw Faults.error(path) }
    return entry
  }

  func restore(_ revision: Revision, of path: StorePath, over base: Revision?) async throws(StoreError) -> FileEntry {
    try await store.call(.restoreVersion(path)) { () throws(StoreError) in
      try await self.base.restore(revision, of: path, over: base)
    }
  }
}

private struct FaultyFolderReading: FolderReading {
  let base: any FolderReading
  let faults: Faults

  var mostEntries: Int { base.mostEntries }
  var mostBytes: UInt64 { base.mostBytes }

  /// Breaks off before the first byte, or after some bytes.
  func read(
    _ files: [FileEntry], below folder: StorePath, _ receive: ([FolderPart]) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    let fault = faults.next(.readFolder, folder)
    if fault == .before { throw Faults.error(folder) }
    try await base.read(files, below: folder) { parts throws(StoreError) in
      guard fault == .after else { return try await receive(parts) }
      try await receive(Array(parts.prefix(parts.count / 2)))
      throw Faults.error(folder)
    }
  }
}
