import Basics
import Database
import FileStores

extension UploadSessions {
  /// Marks a concurrent upload whose digests are not trusted: a block came twice with different content.
  static let rewritten = ".rewritten"
  private static let readBytes = 512 << 10

  /// Records the digests of the blocks that a piece completes, once they are on the disk.
  func noteBlocks(of upload: ServerUpload, _ file: LocalFile, from offset: UInt64, _ piece: Content) async throws {
    let end = Int((offset + piece.size) / BlockDigests.blockBytes)
    let first = Int(offset / BlockDigests.blockBytes)
    guard first < end else { return }
    if piece.size < UploadSessions.flushedBytes {
      try await room.pool.run { () throws(StoreError) in try file.sync() }
    }
    var digests: [[UInt8]] = []
    for number in first..<end {
      if let known = UploadSessions.digest(ofBlock: number, at: offset, piece) {
        digests.append(known)
      } else {
        digests.append(try await digest(ofBlock: number, file, upTo: .max))
      }
    }
    try await index.write { [digests] in try $0.save(blocks: digests, from: first, of: upload.id) }
  }

  private static func digest(ofBlock number: Int, at offset: UInt64, _ piece: Content) -> [UInt8]? {
    let first = Int(offset / BlockDigests.blockBytes)
    guard offset % BlockDigests.blockBytes == 0, let blocks = piece.blocks, number - first < blocks.count else {
      return nil
    }
    return Array(blocks[number - first])
  }

  private func digest(ofBlock number: Int, _ file: LocalFile, upTo size: UInt64) async throws(StoreError) -> [UInt8] {
    try await room.pool.run { () throws(StoreError) -> [UInt8] in
      let hash = SHA256()
      var at = UInt64(number) * BlockDigests.blockBytes
      let end = min(at + BlockDigests.blockBytes, size)
      while at < end {
        let bytes = try file.read(min(UploadSessions.readBytes, Int(end - at)), at: at)
        if bytes.isEmpty { break }
        hash.update(bytes[...])
        at += UInt64(bytes.count)
      }
      return hash.finish()
    }
  }

  /// Marks an upload before a block gets other content, so its old digest is not used. The marker survives a power cut
  /// that takes the newest rows of the index.
  func noteRewriting(of upload: ServerUpload, at offset: UInt64, _ piece: Content) async throws {
    let first = Int(offset / BlockDigests.blockBytes)
    let blocks = Int((piece.size + BlockDigests.blockBytes - 1) / BlockDigests.blockBytes)
    let known = try await index.read { try $0.blocks(ofUpload: upload.id, in: first..<first + blocks) }
    guard known.contains(where: { UploadSessions.digest(ofBlock: $0.key, at: offset, piece) != $0.value }) else {
      return
    }
    let directory = room.uploads
    try await room.pool.run { () throws(StoreError) in
      try directory.write([], as: upload.id + UploadSessions.rewritten)
    }
  }

  /// The digests of all blocks of a complete upload. The last block and blocks without a stored digest are read.
  func blocks(of upload: ServerUpload, _ file: LocalFile, _ size: UInt64) async throws -> BlockDigests {
    let whole = Int(size / BlockDigests.blockBytes)
    let isTrusted = !room.uploads.holds(upload.id + UploadSessions.rewritten)
    let known = isTrusted ? try await index.read { try $0.blocks(ofUpload: upload.id, in: 0..<whole) } : [:]
    var digests = BlockDigests()
    for number in 0..<whole {
      if let digest = known[number] {
        digests.append(digest)
      } else {
        digests.append(try await digest(ofBlock: number, file, upTo: size))
      }
    }
    if size % BlockDigests.blockBytes > 0 { digests.append(try await digest(ofBlock: whole, file, upTo: size)) }
    return digests
  }
}
