import Basics
import Database
import FileStores
import Logging

/// Uploads in pieces: each is a file of the server's own and a row. They survive a restart and end after a week.
/// Pieces of a concurrent upload come in any order, at multiples of 4 MiB; a `.map` file has one byte for each block
/// received. The digest of a complete 4 MiB block is stored once its bytes are on the disk, so finishing hashes only
/// the last block.
struct UploadSessions: Sendable {
  enum Fault: Error, Equatable {
    case notFound
    case incorrectOffset(UInt64)
    case closed
    case notClosed
    case tooLarge
    case overQuota
    case concurrentOffset
    case concurrentSize
  }

  static let blockBytes = BlockDigests.blockBytes
  /// Pieces of at least this size are flushed to the disk before they are acknowledged.
  static let flushedBytes: UInt64 = 1 << 20
  /// The largest file: 2^41 - 2^22 bytes, as in the API.
  static let largest: UInt64 = (1 << 41) - (1 << 22)
  let index: ClubIndex
  let room: ContentRoom
  var limits = SessionLimits()
  var quotas = ClubQuotas.none

  /// - Throws: 429 if the member has too many uploads; the index's errors.
  func start(member: String, isConcurrent: Bool, isClosed: Bool) async throws -> ServerUpload {
    try await makeRoom(of: member, adding: 0)
    let upload = ServerUpload(
      id: "u" + FreshID.word(42), member: member, isConcurrent: isConcurrent, created: index.now(), isClosed: isClosed)
    let path = room.uploads.path(of: upload.id)
    try await room.pool.run { () throws(StoreError) in _ = try LocalFile(path: path, creating: true) }
    try await index.write { try $0.save(upload) }
    return upload
  }

  func find(_ id: String, member: String) async throws -> ServerUpload {
    guard let upload = try await index.read({ try $0.upload(id) }), upload.member == member,
      room.uploads.holds(upload.id)
    else { throw Fault.notFound }
    return upload
  }

  /// Adds a piece. If this throws, a sequential upload keeps no part of it.
  func append(
    to upload: ServerUpload, at offset: UInt64, close: Bool, _ piece: Content
  ) async throws {
    try await index.locks.with("upload " + upload.id) {
      let upload = try await find(upload.id, member: upload.member)
      let file = try await open(upload)
      if upload.isConcurrent {
        guard offset % UploadSessions.blockBytes == 0 else { throw Fault.concurrentOffset }
        guard close || piece.size % UploadSessions.blockBytes == 0 else { throw Fault.concurrentSize }
      } else {
        let size = try file.size
        guard offset == size else { throw Fault.incorrectOffset(size) }
      }
      // A client that missed the answer may close twice.
      guard !upload.isClosed || (piece.size == 0 && close) else { throw Fault.closed }
      guard offset + piece.size <= UploadSessions.largest else { throw Fault.tooLarge }
      try await checkQuotas(of: upload.member, bytes: offset + piece.size)
      if piece.size > 0 { try await makeRoom(of: upload.member, adding: piece.size, sparing: upload) }
      do {
        if upload.isConcurrent { try await noteRewriting(of: upload, at: offset, piece) }
        try await copy(piece, to: file, at: offset)
        if upload.isConcurrent { try await note(upload, offset, piece.size) }
        try await noteBlocks(of: upload, file, from: offset, piece)
      } catch {
        if !upload.isConcurrent { try? file.truncate(to: offset) }
        throw error
      }
      if close, !upload.isClosed {
        var closed = upload
        closed.isClosed = true
        try await index.write { [closed] in try $0.save(closed) }
      }
    }
  }

  func remove(_ upload: ServerUpload) async throws {
    let directory = room.uploads
    try await room.pool.run { () throws(StoreError) in
      for suffix in ["", ".map", UploadSessions.rewritten] { try directory.remove(upload.id + suffix) }
    }
    try await index.write { try $0.forget(upload) }
  }

  /// Removes an upload that its client will not hear of.
  func discard(_ upload: ServerUpload, _ logger: Logger) async {
    do {
      try await remove(upload)
    } catch {
      logger.warning("The server could not remove an unfinished upload, which it does in a week: \(error)")
    }
  }

  /// Removes expired uploads, and files without a row.
  func removeOld() async throws {
    let limit = index.now() - limits.seconds
    for upload in try await index.read({ try $0.uploads(before: limit) }) { try await remove(upload) }
    let directory = room.uploads
    for name in try await room.pool.run({ () throws(StoreError) -> [String] in try directory.names() })
    where !name.hasPrefix(".") {
      let id = String(name.prefix { $0 != "." })
      guard try await index.read({ try $0.upload(id) }) == nil else { continue }
      try await room.pool.run { () throws(StoreError) in try directory.remove(name) }
    }
  }

  func open(_ upload: ServerUpload) async throws -> LocalFile {
    let path = room.uploads.path(of: upload.id)
    return try await room.pool.run { () throws(StoreError) -> LocalFile in try LocalFile(path: path, creating: false) }
  }

  private func copy(_ piece: Content, to file: LocalFile, at offset: UInt64) async throws {
    guard piece.size > 0 else { return }
    var at = offset
    var reading = try await piece.source.open(at: 0)
    while let chunk = try await reading.next() {
      let here = at
      try await room.pool.run { () throws(StoreError) in try file.write(chunk, at: here) }
      at += UInt64(chunk.count)
    }
    guard at == offset + piece.size else { throw StoreError(.server, "A piece of an upload was cut on the server.") }
    // A small piece lost in a power cut makes the next offset wrong, and the client then sends it again.
    guard piece.size >= UploadSessions.flushedBytes else { return }
    try await room.pool.run { () throws(StoreError) in try file.sync() }
  }

  private func map(_ upload: ServerUpload) throws(StoreError) -> LocalFile {
    let name = upload.id + ".map"
    return try LocalFile(path: room.uploads.path(of: name), creating: !room.uploads.holds(name))
  }

  private func note(_ upload: ServerUpload, _ offset: UInt64, _ size: UInt64) async throws {
    let blocks = (size + UploadSessions.blockBytes - 1) / UploadSessions.blockBytes
    let marks = [UInt8](repeating: 1, count: Int(blocks))
    try await room.pool.run { () throws(StoreError) in
      try map(upload).write(marks[...], at: offset / UploadSessions.blockBytes)
    }
  }

  func firstMissing(_ upload: ServerUpload, _ size: UInt64) async throws -> UInt64? {
    let blocks = Int((size + UploadSessions.blockBytes - 1) / UploadSessions.blockBytes)
    guard blocks > 0 else { return nil }
    let marks = try await room.pool.run { () throws(StoreError) -> [UInt8] in try map(upload).read(blocks, at: 0) }
    let missing = marks.firstIndex(of: 0) ?? (marks.count < blocks ? marks.count : nil)
    return missing.map { UInt64($0) * UploadSessions.blockBytes }
  }
}
