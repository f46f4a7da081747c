import Database
import FileStores

/// Uploads in pieces: each a file of the server's own, and a row. They survive a restart, and are dropped after a week.
///
/// Of a piece, all of it is taken in or nothing. Pieces of a concurrent upload may come in any order, at multiples of
/// 4 MiB; which ones have come stands in a second file beside, a byte each.
///
/// Each block of 4 MiB is hashed when it is whole, and its digest goes into the index once its bytes are on the disk: to
/// finish an upload takes the last block's hash only.
struct UploadSessions: Sendable {
  /// Why a piece was not taken; the API's `UploadSessionLookupError` and what goes beyond it.
  enum Fault: Error, Equatable {
    case notFound
    case incorrectOffset(UInt64)
    case closed
    case notClosed
    case tooLarge
    case concurrentOffset
    case concurrentSize
  }

  /// The multiple of concurrent uploads' offsets.
  static let blockBytes = BlockDigests.blockBytes
  /// Pieces of this size are flushed to the disk before they are acknowledged.
  static let flushedBytes: UInt64 = 1 << 20
  /// The largest file: 2^41 - 2^22 bytes, as the API has it.
  static let largest: UInt64 = (1 << 41) - (1 << 22)
  let index: ClubIndex
  let room: ContentRoom
  var limits = SessionLimits()

  /// Begins an upload.
  /// - Throws: besides the usual, 429 when the member has too many.
  func start(member: String, isConcurrent: Bool, isClosed: Bool) async throws -> ServerUpload {
    try await makeRoom(of: member, adding: 0)
    let upload = ServerUpload(
      id: "u" + FreshID.word(42), member: member, isConcurrent: isConcurrent, created: index.now(), isClosed: isClosed)
    let path = room.uploads.path(of: upload.id)
    try await room.pool.run { () throws(StoreError) in _ = try LocalFile(path: path, creating: true) }
    try await index.write { try $0.save(upload) }
    return upload
  }

  /// A member's upload.
  func find(_ id: String, member: String) async throws -> ServerUpload {
    guard let upload = try await index.read({ try $0.upload(id) }), upload.member == member,
      room.uploads.holds(upload.id)
    else { throw Fault.notFound }
    return upload
  }

  /// Adds a piece. Nothing of it is kept when this throws.
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
      // A client that did not hear our answer may close twice.
      guard !upload.isClosed || (piece.size == 0 && close) else { throw Fault.closed }
      guard offset + piece.size <= UploadSessions.largest else { throw Fault.tooLarge }
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

  /// Throws an upload away: it has become a file, or will not.
  func remove(_ upload: ServerUpload) async throws {
    let directory = room.uploads
    try await room.pool.run { () throws(StoreError) in
      for suffix in ["", ".map", UploadSessions.rewritten] { try directory.remove(upload.id + suffix) }
    }
    try await index.write { try $0.forget(upload) }
  }

  /// Throws away what nobody has finished in time, and files that no row tells about.
  func removeOld() async throws {
    let limit = index.now() - limits.seconds
    for upload in try await index.read({ try $0.uploads(before: limit) }) { try await remove(upload) }
    let directory = room.uploads
    // A name that begins with a dot is being written at this moment.
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
    // A small piece that a power cut takes is asked for again, as its offset is then wrong.
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
