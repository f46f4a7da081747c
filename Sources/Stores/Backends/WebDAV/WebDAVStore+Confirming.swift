internal import FileStores

/// The look at a file after a write that the server has confirmed. Some servers confirm what they have cut. Another program
/// may also have written over the file since: then the upload is not damaged, and must not be called so.
extension WebDAVStore {
  struct Confirmed: Sendable {
    let entry: FileEntry
    /// False for the file of another program that came over the own one, whose revision is not known.
    let isOwn: Bool
  }

  /// - Parameter isLocked: true while a lock keeps other programs out.
  /// - Throws: `corrupt` if the server has kept another number of bytes than were sent; `conflict` if nothing is there.
  func confirmed(
    _ sent: Sent, size: UInt64, at path: StorePath, isLocked: Bool
  ) async throws(StoreError) -> Confirmed {
    if let own = sent.own { return Confirmed(entry: own, isOwn: true) }
    let now = try await look(at: path)?.entry
    let own = sent.tag?.revision(of: path)
    // The tag of a PUT, at a server whose answers were found to have the file's. Other tags only show the own file again.
    if !isLocked, sent.content != nil, let own, own != now?.revision, server.known?["answer"] == "tag" {
      return Confirmed(entry: FileEntry(path: path, kind: .file, size: size, revision: own), isOwn: true)
    }
    guard let now else { throw .conflict(path, nil) }
    if now.size == size { return Confirmed(entry: now, isOwn: true) }
    // All bytes of a move were there before they got this name, and a move over a file may take the file's lock away
    // (WsgiDAV). Of a PUT without the own tag, bytes that the server has cut are known by their beginning.
    var isCut = own != nil && own == now.revision
    if !isCut, let content = sent.content {
      isCut = isLocked
      if !isCut { isCut = try await isBeginning(now, of: content.source) }
    }
    if isCut { throw .notWhole(now, client.name, sent: size) }
    return Confirmed(entry: now, isOwn: false)
  }

  /// - Throws: `conflict` for another program's file.
  func own(_ written: Confirmed) throws(StoreError) -> FileEntry {
    guard written.isOwn else { throw .conflict(written.entry.path, written.entry) }
    return written.entry
  }

  private func isBeginning(_ there: FileEntry, of source: any ByteSource) async throws(StoreError) -> Bool {
    let (sent, kept) = (ContentHasher(), ContentHasher())
    var left = there.size ?? .max
    var reading = try await source.open(at: 0)
    while left > 0, let chunk = try await reading.next() {
      let part = chunk.prefix(Int(clamping: left))
      sent.update(part)
      left -= UInt64(part.count)
    }
    guard left == 0 else { return false }
    let whole = try await ifThere(or: [.conflict]) { () throws(StoreError) in
      try await read(there.path, from: 0, ifRevision: there.revision) { (chunk) throws(StoreError) in
        kept.update(chunk)
      }
    }
    return whole != nil && sent.finish() == kept.finish()
  }
}
