import Basics
import Database
import FileStores
import Synchronization
import Zip

/// A folder as a ZIP archive, made while it is sent.
/// Each file is one version: that of the listing if still available, otherwise a later one. A file that is gone before
/// its turn is left out.
struct FolderArchive: Sendable {
  /// Files up to this size are read in groups and added whole.
  private static let smallBytes: UInt64 = 64 << 10
  private static let runBytes: UInt64 = 256 << 10
  private static let runEntries = 256
  private static let readers = 4
  private static let mostLooks = 8

  private let club: ServedClub
  private let folder: ServerNode
  private let nodes: [ServerNode]
  private let top: String
  /// The number of path components above the folder's content.
  private let depth: Int

  init(_ club: ServedClub, _ folder: ServerNode, _ nodes: [ServerNode]) {
    (self.club, self.folder, self.nodes) = (club, folder, nodes)
    // Split by bytes, because a name that begins with a combining mark forms one Character with the slash.
    let parts = folder.display.utf8.split(separator: UInt8(ascii: "/"))
    (top, depth) = (String(parts.last.map { Substring($0) } ?? ""), parts.count)
  }

  /// Sends the archive until its end, or until `receive` returns false.
  /// - Throws: if it cannot be completed; the bytes sent are then no valid archive.
  func send(_ receive: Served.Receiver) async throws {
    let archive = ArchiveBytes()
    archive.with { $0.addFolder(top, modified: folder.clientModified, to: &$1) }
    var rest = nodes[...]
    while let node = rest.first {
      if FolderArchive.isLarge(node) {
        rest = rest.dropFirst()
        guard try await addInPieces(node, to: archive, receive) else { return }
      } else {
        let run = FolderArchive.run(rest)
        rest = rest.dropFirst(run.count)
        for node in try await addSmall(run, to: archive) {
          guard try await addInPieces(node, to: archive, receive) else { return }
        }
        guard try await handOn(archive, receive) else { return }
      }
    }
    archive.with { $0.finish(to: &$1) }
    if let bytes = archive.take(atLeast: 0) { _ = try await receive(bytes) }
  }

  private static func isLarge(_ node: ServerNode) -> Bool { node.size > smallBytes }

  private static func run(_ nodes: ArraySlice<ServerNode>) -> ArraySlice<ServerNode> {
    var bytes: UInt64 = 0
    return nodes.prefix(runEntries).prefix { node in
      bytes += node.size
      return !isLarge(node) && bytes <= runBytes
    }
  }

  private func name(of node: ServerNode) -> String {
    var slashes = 0
    let end = node.display.utf8.firstIndex { byte in
      if byte == UInt8(ascii: "/") { slashes += 1 }
      return slashes > depth
    }
    return end.map { top + node.display[$0...] } ?? top
  }

  /// Adds folders and small files: those in memory, then the others, some read at once. Returns files that changed.
  private func addSmall(_ run: ArraySlice<ServerNode>, to archive: ArchiveBytes) async throws -> [ServerNode] {
    let ready = club.index.store.capabilities.ready
    let missing = await club.index.pool.run {
      run.filter { node in
        if node.isFolder {
          archive.with { $0.addFolder(name(of: node), modified: node.clientModified, to: &$1) }
          return false
        }
        guard let revision = node.storeRevision,
          let content = ready?.readAtHand(node.path, ifRevision: revision, limit: Int(node.size))
        else { return true }
        add(node, content, to: archive)
        return false
      }
    }
    guard !missing.isEmpty else { return [] }
    let found = try await withThrowingTaskGroup(of: [(file: ServerNode, content: [UInt8]?)].self) { group in
      for reader in 0..<min(FolderArchive.readers, missing.count) {
        group.addTask {
          var found: [(ServerNode, [UInt8]?)] = []
          for place in stride(from: reader, to: missing.count, by: FolderArchive.readers) {
            found.append(
              (missing[place], try await club.index.content(of: missing[place], limit: FolderArchive.smallBytes)))
          }
          return found
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    return await club.index.pool.run {
      found.compactMap { file, content in
        guard let content else { return file }
        add(file, content, to: archive)
        return nil
      }
    }
  }

  private func add(_ file: ServerNode, _ content: [UInt8], to archive: ArchiveBytes) {
    archive.with { $0.addFile(name(of: file), modified: file.clientModified, content: content[...], to: &$1) }
  }

  /// Adds a file of any size, and sends pieces as they fill up. Returns false if the receiver wants no more.
  private func addInPieces(
    _ node: ServerNode, to archive: ArchiveBytes, _ receive: Served.Receiver
  ) async throws -> Bool {
    let (name, pool) = (name(of: node), club.index.pool)
    var file = node
    for _ in 0..<FolderArchive.mostLooks {
      let (size, modified) = (file.size, file.clientModified)
      var count: UInt64 = 0
      var isWanted = true
      do {
        try await club.send(file, from: 0) { chunk throws(StoreError) in
          let isFirst = count == 0
          count += UInt64(chunk.count)
          await pool.run {
            archive.with { writer, bytes in
              if isFirst { writer.beginFile(name, modified: modified, atMost: size, to: &bytes) }
              writer.addContent(chunk, to: &bytes)
            }
          }
          isWanted = try await handOn(archive, receive)
          return isWanted
        }
      } catch let error as StoreError where count == 0 && error.tellsOfChange {
        // Nothing of this file is in the archive yet. A missing file is left out; a changed one is added as it is now.
        guard let fresh = try await club.index.find(.id(file.id, below: "")), !fresh.isFolder else { return true }
        file = fresh
        continue
      }
      guard isWanted else { return false }
      guard count == size else { throw StoreError(.conflict, "A file became shorter while it was being sent.") }
      archive.with { writer, bytes in
        if count == 0 { writer.beginFile(name, modified: modified, atMost: 0, to: &bytes) }
        writer.endFile(to: &bytes)
      }
      return true
    }
    throw StoreError(.conflict, "A file changes as fast as it is looked at.", path: node.path)
  }

  /// Sends the bytes if there are enough. Returns false if the receiver wants no more.
  private func handOn(_ archive: ArchiveBytes, _ receive: Served.Receiver) async throws(StoreError) -> Bool {
    guard let bytes = archive.take(atLeast: Int(FolderArchive.runBytes)) else { return true }
    return try await receive(bytes)
  }
}

/// An archive's unsent bytes. Used by one task at a time, from any thread.
final class ArchiveBytes: Sendable {
  private let state = Mutex((writer: ZipWriter(), bytes: [UInt8]()))

  func with(_ body: (_ writer: inout ZipWriter, _ bytes: inout [UInt8]) -> Void) {
    state.withLock { body(&$0.writer, &$0.bytes) }
  }

  func take(atLeast count: Int) -> ByteChunk? {
    state.withLock { state in
      guard state.bytes.count >= count else { return nil }
      defer { state.bytes = [] }
      return state.bytes[...]
    }
  }
}

struct ArchiveLimits: Sendable {
  /// Files and folders, including the folder itself.
  var entries = 10_000
  /// Every file must be smaller than this.
  var fileBytes: UInt64 = 4 << 30
  var totalBytes: UInt64 = 20 << 30

  func mayHold(_ nodes: [ServerNode]) -> Bool {
    var left = totalBytes
    for node in nodes {
      guard node.size < fileBytes, node.size <= left else { return false }
      left -= node.size
    }
    return true
  }
}

extension ClubIndex {
  /// nil for a file that changes or goes meanwhile.
  func content(of file: ServerNode, limit: UInt64) async throws(StoreError) -> [UInt8]? {
    do throws(StoreError) {
      return try await store.readAll(file.path, ifRevision: file.storeRevision, limit: Int(limit)).bytes
    } catch {
      guard error.tellsOfChange else { throw error }
      return nil
    }
  }
}
