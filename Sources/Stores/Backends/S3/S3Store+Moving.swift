public import FileStores
internal import Basics
internal import XML

extension S3Store {
  /// A copy under a new name that nobody else can have, then the deletion of the old one. After a break both are there.
  public func move(
    _ path: StorePath, to target: StorePath, ifRevision: Revision?
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The move", path)
    if path.isRoot { throw .clubItself("moved") }
    if path.isReserved { throw .missing(path) }
    try checkWritable(target)
    let there = try await entry(at: path)
    if let ifRevision, there.revision != ifRevision { throw .conflict(path, there) }
    if path == target { return there }
    let features = try await features(writing: target)
    try await checkNoFile(above: target)
    if target.relative(to: path) != nil, there.kind == .folder { throw .intoItself(path) }
    var copies: [StorePath: String] = [:]
    if let taken = try await entryIfAny(target) {
      if there.kind == .folder, taken.kind == .folder { copies = try await self.copies(of: path, at: target) }
      if copies.isEmpty { throw .exists(taken, at: target) }
    }
    if there.kind == .folder { return try await moveFolder(path, to: target, over: copies, features) }
    return try await moveFile(there, to: target, features, isHeld: ifRevision != nil)
  }

  /// Deletes for good. With a revision, and without a server that keeps the condition, a copy goes to the trash first.
  public func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) {
    try checkCancelled("The deletion", path)
    if path.isRoot { throw .clubItself("deleted") }
    if path.isReserved { throw .missing(path) }
    let there = try await entry(at: path)
    let features = try await features(changing: path)
    if let ifRevision {
      if there.revision != ifRevision { throw .conflict(path, there) }
      if S3Features.header(features.delete, ifMatch: "") == nil {
        let trash: any StoreTrash = features.isVersioned ? S3VersionTrash(store: self) : S3Trash(store: self)
        _ = try await trash.discard(path, ifRevision: ifRevision)
        return
      }
    }
    if there.kind == .folder { return try await deleteFolder(path, features) }
    try await keepParent(of: path, features)
    try await remove(there, ifRevision: ifRevision, features)
  }

  /// Moves a file to a name that is free, also of byteclub's own.
  /// - Parameter isHeld: true to throw `conflict`, not to try again, if the file changes meanwhile.
  func moveFile(
    _ file: FileEntry, to target: StorePath, _ features: S3Features, isHeld: Bool
  ) async throws(StoreError) -> FileEntry {
    var file = file
    for attempt in 0..<4 {
      do throws(StoreError) {
        let source = file
        return try await pool.finishing { () throws(StoreError) in
          try await self.steadily { () throws(StoreError) in try await self.keepParent(of: source.path, features) }
          let copied = try await self.copy(source, to: target, features)
          do throws(StoreError) {
            // If the file went meanwhile, the copy has its content and stays.
            try await self.leaveSteadily(source, features)
          } catch {
            // Another text came in between: the copy goes, and the file stays.
            if error.kind == .conflict { try await self.leaveSteadily(copied, features) }
            throw error
          }
          return copied
        }
      } catch {
        guard error.kind == .conflict, !isHeld, attempt < 3, let newer = try await self.file(at: file.path) else {
          throw error
        }
        file = newer
      }
    }
    throw .conflict(file.path, try await entryIfAny(file.path))
  }

  /// Copies one revision of a file to a free name.
  /// - Throws: `conflict` if the file has another revision by now; `exists` if the name is taken.
  func copy(
    _ file: FileEntry, version: String? = nil, to target: StorePath, _ features: S3Features
  ) async throws(StoreError) -> FileEntry {
    guard let from = place.key(file.path), let to = place.key(target), let etag = file.etag else {
      throw tooLong(target)
    }
    guard file.size.map({ $0 <= 5 << 30 }) ?? true else {
      throw StoreError(
        .tooLarge, "\"\(file.path)\" has more than 5 GiB, which S3 does not copy in one step.",
        remedy: "Download it and upload it under its new name.", path: file.path)
    }
    var call = S3Call(.put, to, about: target)
    call.headers = [("x-amz-copy-source", place.copySource(from, version: version))]
    if version == nil { call.headers.append(("x-amz-copy-source-if-match", "\"\(etag)\"")) }
    var reserved: Revision?
    if features.copyTarget == .kept {
      call.headers.append(("If-None-Match", "*"))
    } else if features.create == .kept {
      let mark = S3Store.mark(ofCopy: file, version)
      reserved = try await steadily { () throws(StoreError) in try await reserve(target, mark: mark) }
    }
    let (ready, isVersion, isReserved) = (call, version != nil, reserved != nil)
    var tries = 0
    do throws(StoreError) {
      return try await steadily { () throws(StoreError) in
        tries += 1
        if tries > 1,
          let there = try await arrived(file, isVersion: isVersion, at: target, isReserved: isReserved)
        {
          return there
        }
        return try await sendCopy(ready, of: file, isVersion: isVersion, to: target)
      }
    } catch {
      if reserved != nil, let there = try? await head(target), there.isReserved {
        _ = try? await remove(there.entry, ifRevision: reserved, features)
      }
      throw error
    }
  }

  /// The same for each try of one copy, so that a second try finds the name reserved for it.
  private static func mark(ofCopy file: FileEntry, _ version: String?) -> String {
    let text = "\(file.path) \(file.revision?.value ?? "") \(version ?? "")"
    return "copy-" + SHA256.hexadecimal(of: text.utf8).prefix(32)
  }

  private func sendCopy(
    _ call: S3Call, of file: FileEntry, isVersion: Bool, to target: StorePath
  ) async throws(StoreError) -> FileEntry {
    var answer = try await client.answer(call)
    if answer.status == 409 { answer = try await client.answer(call) }
    if answer.status == 412 {
      if let taken = try await head(target), !taken.isReserved { throw .exists(taken.entry, at: target) }
      throw .conflict(file.path, try await entryIfAny(file.path))
    }
    if answer.status == 404 {
      if S3Fault.code(answer.body) == "NoSuchBucket" { throw client.error(answer, call) }
      throw .missing(file.path)
    }
    guard answer.isSuccess else { throw client.error(answer, call) }
    guard let etag = (try client.node(answer, call)["ETag"]?.text).flatMap(S3Client.revision),
      let copied = try await self.file(at: target)
    else { throw nonsense("no ETag of a copy", call) }
    // A server that ignores the source's condition may have copied another revision. The ETag of a file that came in
    // parts changes with the copy; then the file must still be the same.
    // A version never changes.
    let isPlain = file.etag?.contains("-") == false
    let isSame: Bool
    if isVersion {
      isSame = copied.size == file.size
    } else if isPlain {
      isSame = etag == file.etag
    } else {
      isSame = try await self.file(at: file.path)?.revision == file.revision && copied.size == file.size
    }
    guard isSame else {
      // The copy, unless another member has written over it.
      if copied.etag == etag { _ = try await clear(copied) }
      throw .conflict(file.path, try await entryIfAny(file.path))
    }
    return copied
  }

  /// Makes an empty object that readers do not count as a file.
  /// - Returns: its revision.
  /// - Throws: `exists`.
  func reserve(_ path: StorePath, mark: String) async throws(StoreError) -> Revision {
    let call = S3Call(
      .put, place.key(path), about: path,
      headers: [("If-None-Match", "*"), (S3Store.reservationField, mark)])
    let answer = try await client.answer(call)
    if answer.isSuccess, let etag = answer.etag { return Revision(etag: etag, of: path) }
    guard answer.status == 412 || answer.status == 409, let there = try await head(path) else {
      throw client.error(answer, call)
    }
    // An upload or a move that broke off; the same one goes on.
    if there.reservation == mark, let revision = there.entry.revision { return revision }
    if try await removeStale(there, answer.response) { return try await reserve(path, mark: mark) }
    throw .exists(there.entry, at: path)
  }

  /// Removes a reserved name that is an hour old by the server's clock: its upload or move broke off long ago.
  /// - Returns: true if the name may be tried again.
  func removeStale(_ head: Head, _ response: HTTPResponse) async throws(StoreError) -> Bool {
    guard head.isReserved, let made = head.entry.modified?.seconds,
      let now = response.date, now - made > 3600,
      try await self.head(head.entry.path)?.reservation == head.reservation
    else { return false }
    // The upload may end at this very moment. Its file has another ETag.
    return try await clear(head.entry)
  }

  /// Deletes what byteclub has made itself.
  /// - Returns: false if another member has written over it.
  private func clear(_ own: FileEntry) async throws(StoreError) -> Bool {
    do throws(StoreError) {
      try await remove(own, ifRevision: own.revision, S3Features(try await server.findings()))
      return true
    } catch {
      guard error.kind == .conflict || error.kind == .notFound else { throw error }
      return error.kind == .notFound
    }
  }

  /// Deletes one version, or a marker, for good. One that is gone is no error.
  func delete(_ version: S3Version) async throws(StoreError) {
    let call = S3Call(.delete, place.key(version.path), about: version.path, query: [("versionId", version.id)])
    let answer = try await client.answer(call)
    if answer.status == 404, S3Fault.code(answer.body) != "NoSuchBucket" { return }
    guard answer.isSuccess else { throw client.error(answer, call) }
  }

  /// Deletes a file if it has the revision still. Where the server does not compare, looks first.
  func remove(_ file: FileEntry, ifRevision: Revision?, _ features: S3Features) async throws(StoreError) {
    guard let ifRevision else { return try await delete(key: file.path, headers: []) }
    if let etag = ifRevision.etag(at: file.path), let header = S3Features.header(features.delete, ifMatch: etag) {
      return try await delete(key: file.path, headers: [header])
    }
    guard let there = try await head(file.path)?.entry else { throw .missing(file.path) }
    if there.revision != ifRevision { throw .conflict(file.path, there) }
    try await delete(key: file.path, headers: [])
  }

  func delete(
    key path: StorePath, isFolder: Bool = false, headers: [(String, String)]
  ) async throws(StoreError) {
    let call = S3Call(.delete, place.key(path, isFolder: isFolder), about: path, headers: headers)
    let answer = try await client.answer(call)
    if answer.status == 412 || answer.status == 409 { throw .conflict(path, try await entryIfAny(path)) }
    if answer.status == 404, S3Fault.code(answer.body) != "NoSuchBucket" {
      if headers.isEmpty { return }
      throw .missing(path)
    }
    guard answer.isSuccess else { throw client.error(answer, call) }
  }

  /// A folder stays when its last file goes.
  func keepParent(of path: StorePath, _ features: S3Features) async throws(StoreError) {
    if !path.parent.isRoot, !path.parent.isReserved { try await makeFolder(path.parent, features) }
  }

  /// The ETags of the files that a move of a folder has copied before it broke off: each has the content of its file in
  /// the folder, and no others are there. Empty for another folder of that name.
  private func copies(of folder: StorePath, at target: StorePath) async throws(StoreError) -> [StorePath: String] {
    var (expected, copies): ([StorePath: String], [StorePath: String]) = ([:], [:])
    for file in try await allFiles(below: folder) where file.kind == .file {
      if let rest = file.path.relative(to: folder) { expected[target.descending(rest)] = file.etag }
    }
    for file in try await allFiles(below: target) where file.kind == .file {
      // The ETag of a file that came in parts changes with the copy.
      guard let etag = file.etag, !etag.contains("-"), expected[file.path] == etag else { return [:] }
      copies[file.path] = etag
    }
    return copies
  }

  /// - Parameter copies: those of an earlier try, by their new paths.
  private func moveFolder(
    _ path: StorePath, to target: StorePath, over copies: [StorePath: String], _ features: S3Features
  ) async throws(StoreError) -> FileEntry {
    let all = try await allFiles(below: path)
    func renamed(_ old: StorePath) -> StorePath { old.relative(to: path).map { target.descending($0) } ?? target }
    for entry in all { try checkWritable(renamed(entry.path)) }
    for folder in [target] + all.filter({ $0.kind == .folder }).map({ renamed($0.path) }) {
      try await steadily { () throws(StoreError) in try await makeFolder(folder, features) }
    }
    var copied: [FileEntry] = []
    for entry in all where entry.kind == .file {
      try checkCancelled("The move", path)
      if entry.etag == nil || copies[renamed(entry.path)] != entry.etag {
        _ = try await copy(entry, to: renamed(entry.path), features)
      }
      copied.append(entry)
    }
    try await steadily { () throws(StoreError) in try await keepParent(of: path, features) }
    // Only after all copies are there. A file that changed meanwhile stays under its old name, too.
    for entry in copied { try await leaveSteadily(entry, features) }
    try await steadily { () throws(StoreError) in try await deleteFolders(all, path) }
    return FileEntry(path: target, kind: .folder)
  }

  private func deleteFolder(_ path: StorePath, _ features: S3Features) async throws(StoreError) {
    try await keepParent(of: path, features)
    let all = try await allFiles(below: path)
    for entry in all where entry.kind == .file {
      try checkCancelled("The deletion", path)
      try await steadily { () throws(StoreError) in try await delete(key: entry.path, headers: []) }
    }
    try await steadily { () throws(StoreError) in try await deleteFolders(all, path) }
  }

  /// Deepest first, the folder itself last.
  private func deleteFolders(_ all: [FileEntry], _ path: StorePath) async throws(StoreError) {
    for entry in all.reversed() where entry.kind == .folder {
      try await delete(key: entry.path, isFolder: true, headers: [])
    }
    try await delete(key: path, isFolder: true, headers: [])
  }
}
