public import Basics
import ClubServices
import Database
public import FileStores

/// A backup of a club, also while its server runs. The state of the index at the beginning decides: each of its files is
/// there with the content that it had then, or with a newer one.
public struct ClubBackup: Sendable {
  public struct Report: Sendable {
    public var files = 0
    /// Of the files, without old versions.
    public var bytes: UInt64 = 0
    public var versions = 0
    public var members = 0
    /// Contents that no earlier backup in the same directory had.
    public var newContents = 0
    /// Files that were removed for good while the backup ran, by their paths.
    public var removed: [String] = []
    /// Files in whose place a folder came while the backup ran, by their paths, and what they are called in the backup.
    public var renamed: [(from: String, to: String)] = []
    /// Links, devices and other things that are no files.
    public var others = 0
  }

  private let club: String
  private let store: any FileStore
  private let own: PrivateDirectory
  private let pool: BlockingPool

  /// - Parameter own: the server's own data about the club.
  public init(club: String, store: any FileStore, own: PrivateDirectory, pool: BlockingPool) {
    (self.club, self.store, self.own, self.pool) = (club, store, own, pool)
  }

  /// Makes a backup in a directory. One with earlier backups of the same club gets only what is new; the earlier backup
  /// stays whole until this one is.
  /// - Parameter isVerified: true to read all contents of earlier backups again, too.
  /// - Throws: `exists` for a directory with other things, `conflict` while another backup uses it, `notFound` for a
  ///   club that was never served; errors of the files.
  public func run(into path: String, isVerified: Bool = false) async throws(StoreError) -> Report {
    let folder = try await pool.run { () throws(StoreError) in try BackupFolder(making: path, pool: pool) }
    defer { folder.unlock() }
    var job = Job(folder: folder, store: store, own: own, pool: pool, isVerified: isVerified)
    return try await job.run(club)
  }

  private struct Job {
    let folder: BackupFolder
    let store: any FileStore
    let own: PrivateDirectory
    let pool: BlockingPool
    let isVerified: Bool
    var report = Report()
    private var lines: [BackupLine] = []
    private var hashes: Set<ContentHash> = []
    /// Of the files and folders that the index has at the beginning.
    private var known: Set<StorePath> = []
    /// The path and the saved content of each file of the index, by its id.
    private var contents: [String: (path: StorePath, hash: ContentHash)] = [:]
    private var folders: Set<String> = []
    /// The old paths of moved files that have a line under their new paths.
    private var moved: Set<StorePath> = []

    private static let page = 1000

    init(folder: BackupFolder, store: any FileStore, own: PrivateDirectory, pool: BlockingPool, isVerified: Bool) {
      (self.folder, self.store, self.own, self.pool, self.isVerified) = (folder, store, own, pool, isVerified)
    }

    mutating func run(_ club: String) async throws(StoreError) -> Report {
      let (folder, own) = (folder, own)
      let made = ServerOptions.now()
      let generation = (try await pool.run { () throws(StoreError) in try folder.manifest() }?.generation ?? 0) + 1
      let (membersName, indexName) = ("members-\(generation).sqlite", "index-\(generation).sqlite")
      // The databases first: all that the server has acknowledged by now is in them.
      let keyName = "key-\(generation).pem"
      let (index, hasKey) = try await pool.run { () throws(StoreError) in
        // Damage to the key ends the backup here, and the key of the earlier backup stays.
        let key = try OwnCertificate.key(in: own)
        guard own.holds("members.sqlite"), own.holds("index.sqlite") else {
          throw StoreError(
            .notFound, "The folder was never served: \"\(own.path)\" has no members and no index.",
            remedy: "Name the folder that is served: --root DIR")
        }
        try SQLiteCopy.make(of: own.path(of: "members.sqlite"), at: folder.directory.path(of: membersName))
        try SQLiteCopy.make(of: own.path(of: "index.sqlite"), at: folder.directory.path(of: indexName))
        if let key { try folder.directory.write(key.text, as: keyName) }
        return (try ServerIndexDatabase(path: folder.directory.path(of: indexName)), key != nil)
      }
      try await addFiles(of: index)
      try await addVersions(of: index)
      try await addUnlisted()
      try renameReplaced()
      let (lines, hashes) = (lines, hashes)
      let members = try await pool.run { () throws(StoreError) in
        let listName = "files-\(generation)"
        try folder.directory.write(Array(lines.map(\.text).joined().utf8), as: listName)
        // Opened to count, and to check it; it is not changed.
        let members = try ServerMembersDatabase(path: folder.directory.path(of: membersName)).members().count
        try Job.settle(index, in: folder, indexName, membersName)
        try folder.finish(
          BackupManifest(
            id: FreshID.word(22), club: club, made: made, generation: generation, members: folder.part(membersName),
            index: folder.part(indexName), list: folder.part(listName),
            key: hasKey ? folder.part(keyName) : nil), keeping: hashes)
        return members
      }
      report.members = members
      return report
    }

    /// Both databases were opened, which gives them logs beside them; the copies in the backup are single files.
    private static func settle(
      _ index: ServerIndexDatabase, in folder: BackupFolder, _ names: String...
    ) throws(StoreError) {
      for name in names {
        let (path, whole) = (folder.directory.path(of: name), folder.directory.path(of: name + ".whole"))
        try SQLiteCopy.make(of: path, at: whole)
        for suffix in ["-wal", "-shm"] { try folder.directory.remove(name + suffix) }
        try LocalFile(path: whole, creating: false).rename(to: path)
      }
    }

    // MARK: Files of the index

    private mutating func addFiles(of index: ServerIndexDatabase) async throws(StoreError) {
      var after = ""
      var lost: [ServerNode] = []
      while true {
        let key = after
        let nodes = try await pool.run { () throws(StoreError) in
          try index.read { try $0.nodes(in: .subtree(""), after: key, limit: Job.page) }
        }
        guard let last = nodes.last else { break }
        after = last.key
        for node in nodes {
          known.insert(node.path)
          if node.isFolder {
            lines.append(.folder(node.path))
            folders.insert(node.id)
          } else if try await !add(node) {
            lost.append(node)
          }
        }
      }
      if !lost.isEmpty { try await addMoved(lost) }
    }

    /// Adds a file's content of the beginning, from the club or from the kept versions. Returns false if both have
    /// another one: a file that is at its path now may be one that was moved there.
    private mutating func add(_ node: ServerNode) async throws(StoreError) -> Bool {
      if let hash = node.hash, try await isThere(hash, node.size) {
        note(node, hash, node.size)
        return true
      }
      if let found = try await content(at: node.path, node.storeRevision) {
        note(node, found.hash, found.size)
        return true
      }
      if let hash = node.hash, try await addVersion(hash, node.size) {
        note(node, hash, node.size)
        return true
      }
      return false
    }

    /// Files that left their paths since the beginning: the live index knows where they are now.
    private mutating func addMoved(_ lost: [ServerNode]) async throws(StoreError) {
      let live = try await liveIndex("index-moved.sqlite")
      for node in lost {
        let moved = try await pool.run { () throws(StoreError) in try live.read { try $0.node(id: node.id) } }
        var found: (hash: ContentHash, size: UInt64)?
        if let moved { found = try await content(at: moved.path, nil) }
        // Another program may have replaced it.
        if found == nil { found = try await content(at: node.path, nil) }
        if let found {
          note(node, found.hash, found.size)
        } else {
          report.removed.append(node.display)
        }
      }
    }

    /// A copy of the server's index as it is now. The backup's end removes it.
    private func liveIndex(_ name: String) async throws(StoreError) -> ServerIndexDatabase {
      let (folder, own) = (folder, own)
      return try await pool.run { () throws(StoreError) in
        let path = folder.directory.path(of: name)
        try SQLiteCopy.make(of: own.path(of: "index.sqlite"), at: path)
        return try ServerIndexDatabase(path: path)
      }
    }

    private mutating func note(_ node: ServerNode, _ hash: ContentHash, _ size: UInt64) {
      contents[node.id] = (node.path, hash)
      note(.file(node.path, hash, size: size, modified: node.serverModified), size)
    }

    private mutating func note(_ line: BackupLine, _ size: UInt64) {
      lines.append(line)
      if let hash = line.hash { hashes.insert(hash) }
      report.files += 1
      report.bytes += size
    }

    /// True if an earlier backup has the content.
    private func isThere(_ hash: ContentHash, _ size: UInt64) async throws(StoreError) -> Bool {
      let (folder, isVerified) = (folder, isVerified)
      return try await pool.run { () throws(StoreError) in
        guard folder.holds(hash, size) else { return false }
        if !isVerified { return true }
        return try folder.isSound(hash)
      }
    }

    /// nil if the file is gone or has another revision.
    private mutating func content(
      at path: StorePath, _ revision: Revision?
    ) async throws(StoreError) -> (hash: ContentHash, size: UInt64)? {
      // A file that changes while it is read is read again.
      for _ in 0..<8 {
        do throws(StoreError) {
          let found = try await folder.add(path, revision, from: store, isVerified: isVerified)
          if found.isNew { report.newContents += 1 }
          return (found.hash, found.size)
        } catch {
          guard error.tellsOfChange else { throw folder.explained(error, "\"\(path)\"") }
          if revision != nil || error.kind != .conflict { return nil }
        }
      }
      throw StoreError(
        .conflict, "\"\(path)\" changed at each of eight attempts to read it.", remedy: "Try again later.", path: path)
    }

    // MARK: Versions, and files that the index does not know

    private mutating func addVersions(of index: ServerIndexDatabase) async throws(StoreError) {
      let versions = try await pool.run { () throws(StoreError) in try index.read { try $0.versionHashes() } }
      let kept = PrivateDirectory(at: own.path(of: "versions"))
      for hash in versions {
        guard let size = kept.bytes(of: hash.hex), try await addVersion(hash, size) else { continue }
        lines.append(.version(hash, size: size))
        hashes.insert(hash)
        report.versions += 1
      }
    }

    private mutating func addVersion(_ hash: ContentHash, _ size: UInt64) async throws(StoreError) -> Bool {
      if try await isThere(hash, size) { return true }
      let (folder, path) = (folder, own.path(of: "versions/" + hash.hex))
      do throws(StoreError) {
        guard try await pool.run({ () throws(StoreError) in try folder.add(version: hash, at: path) }) else {
          return false
        }
      } catch {
        throw folder.explained(error, "The old version \"\(path)\"")
      }
      report.newContents += 1
      return true
    }

    private mutating func addUnlisted() async throws(StoreError) {
      let unlisted = try await store.contents(of: .root).filter { known.insert($0.path).inserted }
      guard !unlisted.isEmpty else { return }
      let (live, paths) = (try await liveIndex("index-unlisted.sqlite"), unlisted.map(\.path))
      let nodes = try await pool.run { () throws(StoreError) in try live.read { try $0.nodes(at: paths) } }
      // Of these paths a folder has a file's place.
      let taken = Set(paths.flatMap { path in sequence(first: path.parent) { $0.isRoot ? nil : $0.parent } })
      // A file that was moved meanwhile is in the backup under the path that it had, if with the same content.
      let (contents, folders) = (contents, folders)
      func isSaved(_ node: ServerNode) -> Bool {
        if node.isFolder { return folders.contains(node.id) }
        guard let saved = contents[node.id] else { return false }
        return saved.hash == node.hash && !taken.contains(saved.path)
      }
      for entry in unlisted where nodes[entry.path].map(isSaved) != true {
        switch entry.kind {
        case .folder: lines.append(.folder(entry.path))
        case .other: report.others += 1
        case .file:
          // A file that is gone again has come since the beginning.
          guard let found = try await content(at: entry.path, nil) else { continue }
          if let node = nodes[entry.path], let saved = contents[node.id], saved.hash == found.hash {
            moved.insert(saved.path)
          }
          note(.file(entry.path, found.hash, size: found.size, modified: entry.modified?.seconds ?? 0), found.size)
        }
      }
    }

    /// Renames each file whose place a folder took while the backup ran. A moved file needs no line under its old path.
    private mutating func renameReplaced() throws(StoreError) {
      var folders: Set<StorePath> = []
      for line in lines {
        var above = line.path?.parent ?? .root
        while !above.isRoot, folders.insert(above).inserted { above = above.parent }
      }
      var taken = folders.union(lines.compactMap(\.path))
      var whole: [BackupLine] = []
      for line in lines {
        guard case .file(let path, let hash, let size, let modified) = line, folders.contains(path) else {
          whole.append(line)
          continue
        }
        if moved.contains(path) {
          report.files -= 1
          report.bytes -= size
          continue
        }
        let other = try Job.freePath(like: path, taken)
        taken.insert(other)
        whole.append(.file(other, hash, size: size, modified: modified))
        report.renamed.append(("/\(path)", "/\(other)"))
      }
      lines = whole
    }

    /// The first of `x (1)`, `x (2)`, ... for the path `x` that nothing has.
    private static func freePath(like path: StorePath, _ taken: Set<StorePath>) throws(StoreError) -> StorePath {
      var number = 1
      while true {
        let other = try path.parent.appending(NumberedName.marked(path.name, " (\(number))", limit: 255))
        if !taken.contains(other) { return other }
        number += 1
      }
    }
  }
}
