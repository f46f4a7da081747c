/// A store that tells each call in one line: what was asked, what came of it, never a file's content.
///
/// Names are quoted, with control characters escaped, so that a name cannot forge a line.
/// The powers (`resumableUploads`, `trash` and so on) are the wrapped store's own.
public struct LoggingStore: FileStore {
  private let base: any FileStore
  private let log: @Sendable (String) -> Void

  /// Wraps a store. `log` is called once for each call that ended, on any thread, and should return soon.
  public init(_ base: any FileStore, log: @escaping @Sendable (String) -> Void) {
    self.base = base
    self.log = log
  }

  /// The limits of the contract.
  public var limits: StoreLimits { base.limits }
  /// Uploads that can go on after a break.
  public var resumableUploads: (any ResumableUploads)? { base.resumableUploads }
  /// Deleting that can be undone.
  public var trash: (any StoreTrash)? { base.trash }
  /// What changed since a cursor.
  public var changes: (any ChangeFeed)? { base.changes }
  /// Versions of files that the store has kept.
  public var revisions: (any RevisionHistory)? { base.revisions }
  /// Finding files by words.
  public var search: (any StoreSearch)? { base.search }
  /// Small copies of pictures, made by the store.
  public var thumbnails: (any StoreThumbnails)? { base.thumbnails }
  /// Writing many small files at once.
  public var batchUploads: (any BatchUploads)? { base.batchUploads }
  /// Reading the many files of a folder at once.
  public var folderReading: (any FolderReading)? { base.folderReading }

  /// One page of a folder; see `FileStore`.
  public func list(
    _ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?
  ) async throws(StoreError) -> ListPage {
    let detail = options.detail == .full ? "full" : "names"
    let what = "list \(quoted(folder)) \(detail)\(options.recursive ? " recursive" : "")\(cursor == nil ? "" : " next")"
    do throws(StoreError) {
      let page = try await base.list(folder, options, after: cursor)
      log("\(what): \(page.entries.count) entries\(page.next == nil ? "" : ", more to come")")
      return page
    } catch {
      throw failed(what, error)
    }
  }

  /// What is at a path now; see `FileStore`.
  public func entry(at path: StorePath) async throws(StoreError) -> FileEntry {
    try await telling("entry \(quoted(path))") { () throws(StoreError) in try await base.entry(at: path) }
  }

  /// Reads a file in chunks; see `FileStore`.
  public func read(
    _ path: StorePath, from offset: UInt64, ifRevision: Revision?,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try await telling("read \(quoted(path)) from \(offset)") { () throws(StoreError) in
      try await base.read(path, from: offset, ifRevision: ifRevision, receive)
    }
  }

  /// Writes a whole file; see `FileStore`.
  public func put(
    _ source: any ByteSource, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    let how =
      switch mode {
      case .create: "create"
      case .replace: "replace"
      case .overwrite: "overwrite"
      }
    return try await telling("put \(quoted(path)) \(how)") { () throws(StoreError) in
      try await base.put(source, at: path, mode: mode)
    }
  }

  /// Moves a file or folder; see `FileStore`.
  public func move(
    _ path: StorePath, to target: StorePath, ifRevision: Revision?
  ) async throws(StoreError) -> FileEntry {
    try await telling("move \(quoted(path)) to \(quoted(target))") { () throws(StoreError) in
      try await base.move(path, to: target, ifRevision: ifRevision)
    }
  }

  /// Deletes for good; see `FileStore`.
  public func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) {
    let what = "delete \(quoted(path))"
    do throws(StoreError) {
      try await base.delete(path, ifRevision: ifRevision)
      log("\(what): done")
    } catch {
      throw failed(what, error)
    }
  }

  /// Makes a folder and its parents; see `FileStore`.
  public func createFolder(_ path: StorePath) async throws(StoreError) {
    let what = "create folder \(quoted(path))"
    do throws(StoreError) {
      try await base.createFolder(path)
      log("\(what): done")
    } catch {
      throw failed(what, error)
    }
  }

  private func telling(
    _ what: String, _ call: () async throws(StoreError) -> FileEntry
  ) async throws(StoreError) -> FileEntry {
    do throws(StoreError) {
      let entry = try await call()
      log("\(what): \(entry.size.map { "\($0) bytes" } ?? "folder")")
      return entry
    } catch {
      throw failed(what, error)
    }
  }

  private func failed(_ what: String, _ error: StoreError) -> StoreError {
    log("\(what): \(error.kind.rawValue): \(escaped(error.message))")
    return error
  }

  private func quoted(_ path: StorePath) -> String { "\"\(escaped(path.description))\"" }

  private func escaped(_ text: String) -> String {
    var out = ""
    for scalar in text.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator:
        out += "\\u{" + String(scalar.value, radix: 16) + "}"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }
}
