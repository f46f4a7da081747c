public import FileStores

extension WebDAVStore {
  /// A file that the server writes in place, or of which it gives no ETag, is looked at again after the last byte.
  public func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The reading", path)
    if path.isRoot { throw .isFolder(path) }
    if path.isReserved { throw missing(path) }
    return try await readOwn(path, options, receive)
  }

  /// Reads also byteclub's own files.
  func readOwn(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    guard let there = try await look(at: path, isBeginning: true)?.entry else { throw missing(path) }
    guard there.kind == .file, let size = there.size, let revision = there.revision else { throw .notFile(path) }
    try options.check(there, size, at: path)
    if options.offset == size { return there }
    try await download(there, size, options, receive)
    if WebDAVTag.quoted(revision) == nil || server.known?["body"] != "whole" {
      let after = try await look(at: path)?.entry
      guard after?.revision == revision else { throw .conflict(path, after) }
    }
    return there
  }

  private func download(
    _ there: FileEntry, _ size: UInt64, _ options: ReadOptions,
    _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) {
    let (path, offset) = (there.path, options.offset)
    var call = WebDAVCall(.get, address.url(path), about: path)
    call.request.kind = options.isShort ? .shortContent : .content
    call.request.headers["Range"] = options.range
    // No If-Match: Apache refuses it for a second after each write. The answer's own tag is compared.
    var part: FilePart?
    var check: NextcloudFacts.Check?
    let isSmall = offset == 0 && options.end == nil && size <= UInt64(tuning.smallBytes)
    var isAnother = false
    let name = client.name
    func hand(_ bytes: ByteChunk?) async throws(StoreError) {
      guard let bytes, !bytes.isEmpty else { return }
      check?.add(bytes)
      try checkCancelled("The reading", path)
      try await receive(bytes)
    }
    let (response, body): (HTTPResponse, [UInt8])
    do throws(StoreError) {
      (response, body) = try await client.send(call, handingOut: true) { (response, chunk) throws(StoreError) in
        if part == nil {
          isAnother = WebDAVStore.isAnother(response, than: there)
          if isAnother { throw .conflict(path, nil) }
          let isOwn = WebDAVStore.isOwn(response, of: there)
          part = try FilePart(of: path, options, size: size, in: response, name, isOwn: isOwn)
          if isSmall { check = NextcloudFacts.Check(response) }
        }
        try await hand(try part?.take(chunk))
      }
    } catch {
      if isAnother {
        let now = try await look(at: path)?.entry
        guard now?.revision != there.revision else { throw client.nonsense("a page that is not the file", call) }
        throw .conflict(path, now)
      }
      throw error
    }
    guard response.isSuccess else {
      if response.status == 404 || response.status == 416 {
        let now = try await look(at: path)?.entry
        if now == nil { throw missing(path) }
        if now?.revision != there.revision { throw .conflict(path, now) }
      }
      throw client.error(response, body, call)
    }
    if part == nil { part = try FilePart(of: path, options, size: size, in: response, name) }
    try await hand(try part?.finish())
    if check?.isRight == false { throw .damaged(path) }
  }

  /// True if the answer shows by its tag or its time that it is about the file.
  private static func isOwn(_ response: HTTPResponse, of there: FileEntry) -> Bool {
    if response.headers["ETag"] != nil, there.revision.map({ WebDAVTag.quoted($0) != nil }) == true { return true }
    let time = response.headers["Last-Modified"].flatMap { HTTPDate.seconds(of: $0) }
    return time != nil && there.modified == time.map { Timestamp(seconds: $0) }
  }

  /// True if the answer's tag, or its time, shows other bytes than those of the entry.
  private static func isAnother(_ response: HTTPResponse, than there: FileEntry) -> Bool {
    if let revision = there.revision, WebDAVTag.quoted(revision) != nil {
      guard let tag = response.headers["ETag"].flatMap({ WebDAVTag($0) }) else { return false }
      return tag.revision(of: there.path) != revision
    }
    guard let time = response.headers["Last-Modified"].flatMap({ HTTPDate.seconds(of: $0) }) else { return false }
    return there.modified != Timestamp(seconds: time)
  }
}
