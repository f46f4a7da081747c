public import FileStores

extension WebDAVStore {
  /// In bytes. lighttpd 1.4.69 sends a body to a longer name of its own first, and so refuses names of 248 bytes.
  private static let longestSentName = 240

  /// The bytes of a write, checked against the declared size.
  private struct Content: Sendable {
    let body: HTTPBody
    let size: UInt64
    let source: any ByteSource
  }

  public func put(
    _ source: any ByteSource, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The writing", path)
    try checkWritable(path)
    let findings = try await server.findings()
    let way = WebDAVWay(findings)
    try writing.check(way.conditions, server: client.name, path)
    beginWriting()
    let there = try await look(at: path)
    try check(mode, path, there?.entry)
    let content = try await content(of: source, path)
    try await passSecond(of: there?.entry, findings)
    let isWhole = findings["body"] == "whole"
    if way == .condition, isWhole, path.name.count <= WebDAVStore.longestSentName {
      return try await seated(path) { () throws(StoreError) in try await putOnCondition(content, path, mode) }
    }
    if there == nil, let entry = try await create(content, path, mode, way) { return entry }
    let isSmall = content.size <= UInt64(tuning.smallBytes) && isWhole
    guard !isSmall else {
      return try await exclusively(path, mode, way) { (lock) throws(StoreError) in
        try await self.send(content, to: path, about: path, lock.map { ["If": $0.condition()] } ?? [:])
      }
    }
    let part = try await sent(content, beside: path)
    do throws(StoreError) {
      return try await publish(part, at: path, mode)
    } catch {
      await remove(part)
      throw error
    }
  }

  /// Makes a part the file of a name. The conditions are those of `put`. After an error the part is still there.
  func publish(_ part: StorePath, at path: StorePath, _ mode: WriteMode) async throws(StoreError) -> FileEntry {
    let findings = try await server.findings()
    let way = WebDAVWay(findings)
    try writing.check(way.conditions, server: client.name, path)
    let there = try await look(at: path)?.entry
    try check(mode, path, there)
    try await passSecond(of: there, findings)
    if there == nil {
      do throws(StoreError) {
        return try await placeAlone(part, at: path)
      } catch {
        guard error.kind == .exists, mode == .overwrite, error.current?.kind == .file else { throw error }
      }
    }
    return try await exclusively(path, mode, way) { (lock) throws(StoreError) in
      try await self.place(part, at: path, lock.map { ["If": $0.condition(on: self.address.url(path))] } ?? [:])
    }
  }

  func check(_ mode: WriteMode, _ path: StorePath, _ there: FileEntry?) throws(StoreError) {
    switch mode {
    case .create: if let there { throw exists(there) }
    case .overwrite: if let there, there.kind != .file { throw exists(there) }
    case .replace(let base): if there?.kind != .file || there?.revision != base { throw conflict(path, there) }
    }
  }

  /// Compares and writes an existing file, with its lock where the server has locks.
  func exclusively(
    _ path: StorePath, _ mode: WriteMode, _ way: WebDAVWay,
    _ write: @escaping @Sendable (WebDAVLock?) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    @Sendable func compared(_ lock: WebDAVLock?) async throws(StoreError) -> FileEntry {
      try check(mode, path, try await look(at: path)?.entry)
      try await write(lock)
      guard let entry = try await look(at: path)?.entry else { throw conflict(path, nil) }
      return entry
    }
    let findings = try await server.findings()
    guard way.hasLocks || findings["lock"] == "kept" else {
      return way == .none
        ? try await compared(nil) : try await seated(path) { () throws(StoreError) in try await compared(nil) }
    }
    let needsSeats = way.needsSeats(findings)
    @Sendable func lockedWrite() async throws(StoreError) -> FileEntry {
      try await self.locked(path) { (lock) throws(StoreError) in try await compared(lock) }
    }
    return try await again { () throws(StoreError) in
      guard needsSeats else { return try await lockedWrite() }
      return try await self.seated(path) { () throws(StoreError) in try await lockedWrite() }
    } unless: { error in
      if case .replace(let base) = mode { error.current?.revision != base } else { error.current == nil }
    }
  }

  /// Repeats a write whose lock the server has lost: Apache's file of locks is not sound when many come at once.
  private func again(
    _ body: @escaping @Sendable () async throws(StoreError) -> FileEntry, unless isReal: (StoreError) -> Bool
  ) async throws(StoreError) -> FileEntry {
    for _ in 0..<5 {
      do throws(StoreError) {
        return try await body()
      } catch {
        guard error.kind == .conflict, !isReal(error) else { throw error }
      }
    }
    return try await body()
  }

  /// Waits for the next second if the server's revisions would not tell the new content from that of this second.
  private func passSecond(of there: FileEntry?, _ findings: ServerFindings) async throws(StoreError) {
    guard findings["revisions"] != "differ", let modified = there?.modified, let path = there?.path else { return }
    for _ in 0..<3 {
      let now = try await serverTime(path)
      guard modified.seconds >= now else { return }
      try await sleep(.milliseconds(1050), path)
    }
  }

  func serverTime(_ path: StorePath) async throws(StoreError) -> Int64 {
    let answer = try await client.propfind(path, isFolder: false, isDeep: false) { _ in }
    return answer?.headers["Date"].flatMap { HTTPDate.seconds(of: $0) } ?? tuning.now() / 1_000_000_000
  }

  func sleep(_ time: Duration, _ path: StorePath) async throws(StoreError) {
    do {
      try await tuning.clock.sleep(for: time)
    } catch {
      throw .cancelled("The writing of \"\(path)\"", path: path)
    }
  }

  /// A small source is read first, so that a wrong length shows before a request.
  private func content(of source: any ByteSource, _ path: StorePath) async throws(StoreError) -> Content {
    if let size = source.size, size > UInt64(tuning.smallBytes) {
      return .init(body: body(source, size, path), size: size, source: source)
    }
    var pieces = try await SourcePieces(source, for: path, pieceBytes: tuning.smallBytes)
    let first = try await pieces.next()
    var size = UInt64(first.bytes.count)
    if first.isLast { return Content(body: .bytes(first.bytes), size: size, source: source) }
    // A source of unknown size is read twice: servers want the length before the first byte.
    while true {
      let piece = try await pieces.next()
      size += UInt64(piece.bytes.count)
      if piece.isLast { return Content(body: body(source, size, path), size: size, source: source) }
    }
  }

  private func body(_ source: any ByteSource, _ size: UInt64, _ path: StorePath) -> HTTPBody {
    .source(LengthCheckedSource(source, size: size, for: path), from: 0, length: size)
  }

  // MARK: - Requests

  /// Sends a body to a name, making the parents if need be.
  /// - Throws: `conflict` for a condition that does not hold.
  @discardableResult
  private func send(
    _ content: Content, to target: StorePath, about path: StorePath, _ headers: HTTPHeaders
  ) async throws(StoreError) -> WebDAVAnswer {
    var call = WebDAVCall(.put, address.url(target), about: path)
    call.request.kind = .content
    call.request.headers = headers
    call.request.headers["Content-Type"] = "application/octet-stream"
    call.request.body = content.body
    call.source = content.source
    var answer: WebDAVAnswer
    do throws(StoreError) {
      answer = try await client.call(call)
      // Without the parent folder, servers answer 409, 404 or 403.
      if [403, 404, 409].contains(answer.status), !target.parent.isRoot {
        try await makeFolder(target.parent)
        answer = try await client.call(call)
      }
    } catch {
      // nginx answers 500.
      guard error.kind == .server, !target.parent.isRoot, try await look(at: target.parent) == nil else { throw error }
      try await makeFolder(target.parent)
      answer = try await client.call(call)
    }
    if answer.isSuccess { return answer }
    if answer.status == 412 { throw conflict(path, try await look(at: path)?.entry) }
    if let error = try await blocked(path) { throw error }
    throw WebDAVFault(client: client).error(answer.response, answer.body, call)
  }

  private func putOnCondition(
    _ content: Content, _ path: StorePath, _ mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    var headers: HTTPHeaders = [:]
    switch mode {
    case .create: headers["If-None-Match"] = "*"
    case .replace(let base): headers["If-Match"] = WebDAVTag.quoted(base)
    case .overwrite: break
    }
    var isAgain = false
    while true {
      do throws(StoreError) {
        let answer = try await send(content, to: path, about: path, headers)
        let now = try await look(at: path)?.entry
        guard let tag = answer.response.headers["ETag"].flatMap({ WebDAVTag($0) }),
          now?.revision != tag.revision(of: path)
        else {
          guard let now else { throw conflict(path, nil) }
          return now
        }
        // Another member has written since; this is the revision of the own write.
        return FileEntry(path: path, kind: .file, size: content.size, revision: tag.revision(of: path))
      } catch {
        guard error.kind == .conflict else { throw error }
        let there = try await look(at: path)
        if case .create = mode, let there { throw exists(there.entry) }
        guard case .replace(let base) = mode, there?.tag?.isWeak == true, there?.entry.revision == base, !isAgain
        else { throw error }
        // Within a second of the last write the server compares no tags.
        isAgain = true
        try await sleep(.milliseconds(1100), path)
      }
    }
  }

  /// Sends a new file under a name of byteclub's own, then moves it where nothing may be.
  /// - Returns: nil if something is there by now and the mode allows to write over it.
  private func create(
    _ content: Content, _ path: StorePath, _ mode: WriteMode, _ way: WebDAVWay
  ) async throws(StoreError) -> FileEntry? {
    do throws(StoreError) {
      if way != .none { return try await createAlone(content, path) }
      let part = try await sent(content, beside: path)
      do throws(StoreError) {
        return try await relocate(FileEntry(path: part, kind: .file), to: path, holding: nil)
      } catch {
        await remove(part)
        throw error
      }
    } catch {
      guard error.kind == .exists, mode == .overwrite, error.current?.kind == .file else { throw error }
      return nil
    }
  }

  private func createAlone(_ content: Content, _ path: StorePath) async throws(StoreError) -> FileEntry {
    let part = try await sent(content, beside: path)
    do throws(StoreError) {
      return try await placeAlone(part, at: path)
    } catch {
      await remove(part)
      throw error
    }
  }

  /// Moves a part where nothing may be. One byteclub at a time makes a file of this name (`WebDAVSeat`).
  func placeAlone(_ part: StorePath, at path: StorePath) async throws(StoreError) -> FileEntry {
    try await seated(path) { () throws(StoreError) in
      if let there = try await look(at: path)?.entry { throw exists(there) }
      return try await relocate(FileEntry(path: part, kind: .file), to: path, with: [:])
    }
  }

  private func sent(_ content: Content, beside path: StorePath) async throws(StoreError) -> StorePath {
    let part = try path.parent.appending(".byteclub-part-" + String(tuning.random(), radix: 36))
    do throws(StoreError) {
      try await send(content, to: part, about: path, [:])
      return part
    } catch {
      await remove(part)
      throw error
    }
  }

  func place(_ part: StorePath, at path: StorePath, _ headers: HTTPHeaders) async throws(StoreError) {
    var call = WebDAVCall(.move, address.url(part), about: path)
    call.request.headers = headers
    call.request.headers["Destination"] = address.url(path)
    call.request.headers["Overwrite"] = "T"
    let answer = try await client.call(call)
    if answer.isSuccess { return }
    if answer.status == 412 { throw conflict(path, try await look(at: path)?.entry) }
    throw WebDAVFault(client: client).error(answer.response, answer.body, call)
  }

  /// Removes one of byteclub's own names with its content, even if the task is cancelled. A rest does no harm.
  func remove(_ path: StorePath, isFolder: Bool = false) async {
    let store = self
    do throws(StoreError) {
      _ = try await pool.finishing { () throws(StoreError) in
        try await store.client.call(WebDAVCall(.delete, store.address.url(path, isFolder: isFolder), about: path))
          .status
      }
    } catch {
      return
    }
  }
}
