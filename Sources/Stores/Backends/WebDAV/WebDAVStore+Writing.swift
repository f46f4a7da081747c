public import FileStores

extension WebDAVStore {
  /// In bytes. lighttpd 1.4.69 sends a body to a longer name of its own first, and so refuses names of 248 bytes.
  private static let longestSentName = 240

  public func put(
    _ source: any ByteSource, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The writing", path)
    try checkWritable(path)
    let findings = try await self.findings(writing: path)
    let way = WebDAVWay(findings)
    beginWriting()
    let there = try await look(at: path, isBeginning: true)
    try mode.check(there?.entry, at: path)
    let content = try await content(of: source, path)
    try await passSecond(of: there?.entry, findings)
    let isWhole = findings["body"] == "whole"
    if way == .condition, isWhole, path.name.count <= WebDAVStore.longestSentName {
      return try await holdingLease(path) { () throws(StoreError) in try await putOnCondition(content, path, mode) }
    }
    if there == nil, let entry = try await create(content, path, mode, way) { return entry }
    let isSmall = content.size <= UInt64(tuning.smallBytes) && isWhole
    guard !isSmall else {
      return try await exclusively(path, size: content.size, mode, way) { (lock) throws(StoreError) in
        try await self.send(content, to: path, lock.map { ["If": $0.condition()] } ?? [:])
      }
    }
    let part = try await sent(content, beside: path)
    do throws(StoreError) {
      return try await publish(part, size: content.size, at: path, mode)
    } catch {
      await remove(part)
      throw error
    }
  }

  /// Makes a part the file of a name. The conditions are those of `put`. After an error the part is still there.
  func publish(
    _ part: StorePath, size: UInt64, at path: StorePath, _ mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    let findings = try await self.findings(writing: path)
    let way = WebDAVWay(findings)
    let there = try await look(at: path)?.entry
    try mode.check(there, at: path)
    try await passSecond(of: there, findings)
    if there == nil {
      do throws(StoreError) {
        return try await placeAlone(part, size: size, at: path)
      } catch {
        guard error.kind == .exists, mode == .overwrite, error.current?.kind == .file else { throw error }
      }
    }
    return try await exclusively(path, size: size, mode, way) { (lock) throws(StoreError) in
      try await self.place(
        part, size: size, at: path, lock.map { ["If": $0.condition(on: self.address.url(path))] } ?? [:])
      return Sent()
    }
  }

  /// Compares and writes an existing file, with its lock where the server has locks.
  /// - Throws: `corrupt` if the server has not kept all bytes; `conflict` also if another program's file is there in the
  ///   end.
  func exclusively(
    _ path: StorePath, size: UInt64, _ mode: WriteMode, _ way: WebDAVWay,
    _ write: @escaping @Sendable (WebDAVLock?) async throws(StoreError) -> Sent
  ) async throws(StoreError) -> FileEntry {
    @Sendable func compared(_ lock: WebDAVLock?) async throws(StoreError) -> Confirmed {
      try mode.check(try await look(at: path)?.entry, at: path)
      return try await confirmed(try await write(lock), size: size, at: path, isLocked: lock != nil)
    }
    let findings = try await server.findings()
    guard way.hasLocks || findings["lock"] == "kept" else {
      return try own(
        way == .none
          ? try await compared(nil) : try await holdingLease(path) { () throws(StoreError) in try await compared(nil) })
    }
    let needsLease = way.needsLease(findings)
    @Sendable func lockedWrite() async throws(StoreError) -> Confirmed {
      try await self.locked(path) { (lock) throws(StoreError) in try await compared(lock) }
    }
    let written = try await again { () throws(StoreError) in
      guard needsLease else { return try await lockedWrite() }
      return try await self.holdingLease(path) { () throws(StoreError) in try await lockedWrite() }
    } unless: { error in
      if case .replace(let base) = mode { error.current?.revision != base } else { error.current == nil }
    }
    return try own(written)
  }

  /// Repeats a write whose lock the server has lost: Apache's file of locks is not sound when many come at once.
  private func again(
    _ body: @escaping @Sendable () async throws(StoreError) -> Confirmed, unless isReal: (StoreError) -> Bool
  ) async throws(StoreError) -> Confirmed {
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
    return answer?.date ?? tuning.now() / 1_000_000_000
  }

  func sleep(_ time: Duration, _ path: StorePath) async throws(StoreError) {
    try await tuning.clock.rest(time, "The writing of \"\(path)\"", path)
  }

  private func putOnCondition(
    _ content: Content, _ path: StorePath, _ mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    var headers: HTTPHeaders = [:]
    switch mode {
    case .create: headers["If-None-Match"] = "*"
    case .replace(let base): headers["If-Match"] = condition(base)
    case .overwrite: break
    }
    var isAgain = false
    while true {
      let sent: Sent
      do throws(StoreError) {
        sent = try await send(content, to: path, headers)
      } catch {
        guard error.kind == .conflict else { throw error }
        let there = try await look(at: path)
        if case .create = mode, let there { throw .exists(there.entry) }
        guard case .replace(let base) = mode, there?.entry.revision == base else { throw error }
        guard !isAgain else { throw unmatched(path) }
        // Within a second of the last write some servers compare no tags.
        isAgain = true
        try await sleep(.milliseconds(1100), path)
        continue
      }
      return try own(try await confirmed(sent, size: content.size, at: path, isLocked: false))
    }
  }

  /// The error of a condition that does not hold although nobody has changed the file. The server is tested anew before the
  /// next write.
  private func unmatched(_ path: StorePath) -> StoreError {
    server.surprised()
    return StoreError(
      .notPermitted, "\(client.name) refuses the ETag that it gives to \"\(path)\" itself, so nothing was written.",
      remedy: "Test the server with: byteclub doctor", path: path)
  }

  /// Sends a new file under a name of byteclub's own, then moves it where nothing may be.
  /// - Returns: nil if something is there by now and the mode allows to write over it.
  private func create(
    _ content: Content, _ path: StorePath, _ mode: WriteMode, _ way: WebDAVWay
  ) async throws(StoreError) -> FileEntry? {
    let part = try await sent(content, beside: path)
    do throws(StoreError) {
      guard way == .none else { return try await placeAlone(part, size: content.size, at: path) }
      return try await relocate(FileEntry(path: part, kind: .file, size: content.size), to: path, holding: nil)
    } catch {
      await remove(part)
      guard error.kind == .exists, mode == .overwrite, error.current?.kind == .file else { throw error }
      return nil
    }
  }

  /// Moves a part where nothing may be. One byteclub at a time makes a file of this name (`WebDAVLease`).
  func placeAlone(_ part: StorePath, size: UInt64, at path: StorePath) async throws(StoreError) -> FileEntry {
    try await holdingLease(path) { () throws(StoreError) in
      if let there = try await look(at: path)?.entry { throw .exists(there) }
      return try await relocate(FileEntry(path: part, kind: .file, size: size), to: path, with: [:])
    }
  }
}
