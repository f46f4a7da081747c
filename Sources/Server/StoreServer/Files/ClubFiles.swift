import Basics
import Database
import FileStores
import Logging

/// Members' changes to files: each is made in the store if the version seen still stands, then recorded in the index. A
/// member of the API's `WriteError` is thrown as a `Tagged`; the route nests it in its own error.
struct ClubFiles: Sendable {
  let index: ClubIndex
  let room: ContentRoom
  let versions: VersionLimits
  let logger: Logger
  var quotas = ClubQuotas.none
  /// Throws the reason why no file of the club can be written; nil if nobody knows. Blocks.
  var check: (@Sendable () throws(StoreError) -> Void)?
  let ledger = SpaceLedger()
  let added = AddedBytes()

  /// The most entries that one request moves or copies.
  static let mostEntries = 10_000

  /// The node at a shown path, and the path in the store where a new one would go.
  /// - Throws: `conflict/file_ancestor`, `disallowed_name`, `malformed_path`.
  func place(_ display: String) async throws -> (node: ServerNode?, path: StorePath) {
    for name in PathText.parts(display) where !ClubIndex.mayBeCalled(name) {
      throw Tagged("disallowed_name")
    }
    let node = try await index.find(display: display)
    if let node { return (node, node.path) }
    let place = try await index.place(of: display)
    if place.isBlocked { throw Tagged.conflict("file_ancestor") }
    guard let path = place.path else { throw Tagged("malformed_path") }
    return (nil, path)
  }

  func trying<Value>(_ body: () async throws -> Value?) async throws -> Value {
    var isBlocked = true
    for _ in 0..<8 {
      do {
        if let value = try await body() { return value }
        isBlocked = false
      } catch let error as StoreError {
        switch error.kind {
        case .exists: continue
        case .conflict, .notFound: isBlocked = false
        case .quota: throw Tagged.diskFull
        case .notPermitted: throw try await refusal()
        case .unsupported: throw Tagged("no_write_permission")
        case .badName, .badInput: throw Tagged.malformed(error.message)
        default: throw error
        }
      }
    }
    // A path that exists but is never found is neither a file nor a folder, but a link or a pipe.
    throw isBlocked ? Tagged.conflict("file") : Tagged("too_many_write_operations")
  }

  /// The refusal of one file or folder that the store does not let the server change.
  /// - Throws: `server` if it can write none, such as on a disk that is mounted read-only: the change may succeed later.
  private func refusal() async throws(StoreError) -> Tagged {
    if let check { try await index.pool.run { () throws(StoreError) in try check() } }
    return Tagged("no_write_permission")
  }

  func freeName(_ display: String, _ mark: (Int) -> String) async throws -> String {
    for number in 1...9999 {
      let candidate = NumberedName.marked(path: display, mark(number))
      if try await index.find(display: candidate) == nil { return candidate }
    }
    throw Tagged.conflict("file")
  }

  /// Refuses a change of this many entries if the index has no room to record it.
  func checkRoom(entries: Int = 1) async throws {
    let needed = ContentRoom.reservedBytes + UInt64(entries) * ContentRoom.entryBytes
    if await room.hasRoom(for: needed), await room.pool.run({ room.holdReserve() }) { return }
    logger.warning("The server refused a change: the disk of its own data, \(room.place), is full.")
    throw Tagged.diskFull
  }

  /// - Throws: `server` for any failure, because the store already has the change.
  func written<Value: Sendable>(
    _ body: @escaping @Sendable (ServerIndexWriting) throws -> Value
  ) async throws(StoreError) -> Value {
    do throws(StoreError) {
      return try await index.write(body)
    } catch {
      throw StoreError(.server, "The server made a change but could not record it: \(error.message)")
    }
  }

  func createFolder(_ display: String, autorename: Bool) async throws -> ServerNode {
    try await index.locks.with(Folding.key(display)) {
      try await checkRoom()
      return try await trying {
        var display = display
        if let existing = try await place(display).node {
          guard autorename else { throw Tagged.conflict(existing.isFolder ? "folder" : "file") }
          display = try await freeName(display) { " (\($0))" }
        }
        let path = try await place(display).path
        try await index.store.createFolder(path)
        return try await index.look(at: path)
      }
    }
  }

  /// Deletes permanently, but keeps versions within their limits. A file must have the version `rev`.
  func delete(_ node: ServerNode, rev: Int64?) async throws {
    try await index.locks.with(node.key) {
      if let rev {
        guard !node.isFolder, try await index.refreshed(node)?.rev == rev else {
          throw Tagged.conflict(node.isFolder ? "folder" : "file")
        }
      }
      for file in try await filesIn(node, atMost: ClubFiles.mostEntries) { await keepIfPossible(file) }
      do throws(StoreError) {
        try await index.store.delete(node.path, ifRevision: rev == nil ? nil : node.storeRevision)
      } catch {
        switch error.kind {
        case .notFound: break
        case .conflict: throw Tagged.conflict("file")
        case .notPermitted: throw try await refusal()
        default: throw error
        }
      }
      do throws(StoreError) {
        try await index.write { writing in
          if let known = try writing.node(path: node.path) { try writing.remove(known) }
        }
      } catch {
        // The file is gone; the next look corrects the index.
        logger.warning("The server could not record the deletion of \"\(node.display)\": \(error)")
      }
      // Another program may have made something here since. If this look fails, the next read repeats it.
      _ = try? await index.look(at: node.path)
    }
  }

  /// Records the files of a folder whose checksums were not known yet, before the folder is deleted or copied.
  func seeAll(below folder: ServerNode) async throws {
    // The caller meets the same error at the folder itself. A file that keeps changing is taken as it is at that moment.
    try await ifThere(or: [.conflict, .badInput]) { () throws(StoreError) in
      try await index.scan(folder, recursive: true, .all)
    }
  }

  func filesIn(_ node: ServerNode, atMost limit: Int) async throws -> [ServerNode] {
    guard node.isFolder else { return [node] }
    try await seeAll(below: node)
    return try await index.read { try $0.nodes(in: .subtree(node.key), after: "", limit: limit) }.filter {
      !$0.isFolder
    }
  }
}

extension Tagged: Error {
  /// The conflicting entry: `file`, `folder` or `file_ancestor`.
  static func conflict(_ what: String) -> Tagged { Tagged("conflict", Tagged(what)) }

  /// A disk of the server is full, not a quota. Other programs read the outer tag alone.
  static let diskFull = Tagged("insufficient_space", Tagged("server_disk"))
}
