import Database
import FileStores
import Zip

/// A folder as a ZIP archive, which is made while it is being sent.
///
/// Each file is in it as one version: the one that the folder had when it was looked through, where that can still be
/// had, else a later one. What is gone by the time that it would be its turn is left out.
struct FolderArchive: Sendable {
  /// Files of no more bytes are read many at a time, and go in whole.
  private static let smallBytes: UInt64 = 64 << 10
  /// So many bytes of small files are read at a time...
  private static let runBytes: UInt64 = 256 << 10
  /// ...of so many entries.
  private static let runEntries = 256
  /// How many files are read at once that are not in memory.
  private static let readers = 4
  /// How often a file is looked at again that changes as fast as it is looked at.
  private static let mostLooks = 8

  private let club: ServedClub
  private let folder: ServerNode
  private let nodes: [ServerNode]
  private let top: String
  /// How many folders lie above what is in the folder.
  private let depth: Int

  /// - Parameter nodes: all that is below the folder.
  init(_ club: ServedClub, _ folder: ServerNode, _ nodes: [ServerNode]) {
    (self.club, self.folder, self.nodes) = (club, folder, nodes)
    // By bytes: a name that begins with a combining mark makes one Character of itself and the slash.
    let parts = folder.display.utf8.split(separator: UInt8(ascii: "/"))
    (top, depth) = (String(parts.last.map { Substring($0) } ?? ""), parts.count)
  }

  /// Hands on the archive from its beginning to its end, or to where no more is wanted.
  /// - Throws: when it cannot be made whole. What was handed on is no archive then.
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

  /// Small files and folders at the front, at least one.
  private static func run(_ nodes: ArraySlice<ServerNode>) -> ArraySlice<ServerNode> {
    var bytes: UInt64 = 0
    return nodes.prefix(runEntries).prefix { node in
      bytes += node.size
      return !isLarge(node) && bytes <= runBytes
    }
  }

  /// The name in the archive: from the folder's own name on.
  private func name(of node: ServerNode) -> String {
    var slashes = 0
    let end = node.display.utf8.firstIndex { byte in
      if byte == UInt8(ascii: "/") { slashes += 1 }
      return slashes > depth
    }
    return end.map { top + node.display[$0...] } ?? top
  }

  /// Adds folders and small files: what is in memory in one go, then the others, some read at once.
  /// - Returns: files that are not any more what they were.
  private func addSmall(_ run: ArraySlice<ServerNode>, to archive: ArchiveBytes) async throws -> [ServerNode] {
    let ready = club.index.store as? any ReadyReading
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
            found.append((missing[place], try await smallContent(of: missing[place])))
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

  /// All bytes of a small file; nil when it has changed or is gone.
  private func smallContent(of file: ServerNode) async throws(StoreError) -> [UInt8]? {
    do throws(StoreError) {
      return try await club.index.store.readAll(
        file.path, ifRevision: file.storeRevision, limit: Int(FolderArchive.smallBytes)
      ).bytes
    } catch {
      guard error.tellsOfChange else { throw error }
      return nil
    }
  }

  /// Adds a file of any size, piece by piece, and hands on what gets too much.
  /// - Returns: false when no more is wanted.
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
        // Nothing of it is in the archive yet: it is left out when it is gone, else it is what it now is.
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

  /// Hands on what was made, when it is enough to be sent.
  /// - Returns: false when no more is wanted.
  private func handOn(_ archive: ArchiveBytes, _ receive: Served.Receiver) async throws(StoreError) -> Bool {
    guard let bytes = archive.take(atLeast: Int(FolderArchive.runBytes)) else { return true }
    return try await receive(bytes)
  }
}
