import Basics
public import FileStores

extension WebDAVStore {
  public func move(
    _ path: StorePath, to target: StorePath, ifRevision: Revision?
  ) async throws(StoreError) -> FileEntry {
    try checkCancelled("The moving", path)
    if path.isRoot { throw .clubItself("moved") }
    if path.isReserved { throw missing(path) }
    try checkWritable(target)
    if target.relative(to: path) != nil { throw .intoItself(path) }
    let there = try await expected(ifRevision, at: path, isBeginning: true)
    _ = try await findings(writing: target)
    if path == target { return there }
    return try await relocate(there, to: target, holding: ifRevision)
  }

  public func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) {
    try checkCancelled("The deletion", path)
    if path.isRoot { throw .clubItself("deleted") }
    if path.isReserved { throw missing(path) }
    let there = try await expected(ifRevision, at: path, isBeginning: true)
    _ = try await findings(changing: path)
    try await held(there, ifRevision) { (headers) throws(StoreError) in
      let call = WebDAVCall(.delete, self.address.url(path, isFolder: there.kind == .folder), about: path, headers)
      let answer = try await self.client.steady(call)
      if answer.status == 207 {
        throw StoreError(
          .notPermitted, "\(self.client.name) did not delete all of \"\(path)\".",
          remedy: "Another program may have locked a file in it. Try again.", path: path)
      }
      // An earlier try may have deleted it.
      if answer.isSuccess { return }
      if try await self.look(at: path) != nil { throw try await self.refusal(answer, call) }
    }
  }

  /// The entry, if its revision is the wanted one.
  /// - Parameter isBeginning: true for the first request of a work.
  func expected(
    _ revision: Revision?, at path: StorePath, isBeginning: Bool = false
  ) async throws(StoreError) -> FileEntry {
    guard let there = try await look(at: path, isBeginning: isBeginning)?.entry else { throw missing(path) }
    if let revision, there.revision != revision { throw .conflict(path, there) }
    return there
  }

  /// Runs `body` while the file keeps a revision: with a lock where the server moves locked files, else with a lease and
  /// `If-Match`. The headers are for the request that changes the file.
  private func held<Value: Sendable>(
    _ there: FileEntry, _ revision: Revision?,
    _ body: @escaping @Sendable (HTTPHeaders) async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let findings = try await server.findings()
    let way = WebDAVWay(findings)
    guard let revision, there.kind == .file, way != .none else { return try await body([:]) }
    if way.needsLease(findings) {
      return try await holdingLease(there.path) { () throws(StoreError) in
        _ = try await self.expected(revision, at: there.path)
        let tag = way == .condition ? self.condition(revision) : nil
        return try await body(tag.map { ["If-Match": $0] } ?? [:])
      }
    }
    return try await locked(there.path) { (lock) throws(StoreError) in
      let now = try await self.look(at: there.path)?.entry
      guard now?.revision == revision else { throw .conflict(there.path, now) }
      return try await body(["If": lock.condition(on: self.address.url(there.path))])
    }
  }

  /// A server that no longer knows locks is tested anew before the next write.
  func takeLock(_ path: StorePath) async throws(StoreError) -> WebDAVLock {
    do throws(StoreError) {
      return try await WebDAVLock.take(path, client)
    } catch {
      if error.kind == .unsupported { server.surprised() }
      throw error
    }
  }

  /// Runs `body` with the lock of an existing file, and releases it, whatever happens.
  func locked<Value: Sendable>(
    _ path: StorePath, _ body: @escaping @Sendable (WebDAVLock) async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    let lock = try await takeLock(path)
    let client = client
    return try await always { () throws(StoreError) in
      _ = try await pool.finishing { () throws(StoreError) in await lock.release(path, client) }
    } after: { () throws(StoreError) in
      try await body(lock)
    }
  }

  /// Moves an entry, also to or from byteclub's own names, onto nothing.
  func relocate(
    _ there: FileEntry, to target: StorePath, holding revision: Revision?
  ) async throws(StoreError) -> FileEntry {
    return try await held(there, revision) { (headers) throws(StoreError) in
      // lighttpd 1.4.69 moves a file into a folder of the target's name.
      if let taken = try await self.look(at: target)?.entry { throw .exists(taken) }
      return try await self.relocate(there, to: target, with: headers)
    }
  }

  /// - Throws: `conflict` if another file than the moved part is there in the end.
  func relocate(
    _ there: FileEntry, to target: StorePath, with headers: HTTPHeaders
  ) async throws(StoreError) -> FileEntry {
    let isFolder = there.kind == .folder
    // Apache answers 500 to a move into a folder that is missing.
    if target.parent != there.path.parent, !target.parent.isRoot, try await look(at: target.parent) == nil {
      try await makeFolder(target.parent)
    }
    var call = WebDAVCall(.move, address.url(there.path, isFolder: isFolder), about: there.path, headers)
    call.request.headers["Destination"] = address.url(target, isFolder: isFolder)
    call.request.headers["Overwrite"] = "F"
    let answer = try await client.steady(call)
    let now = try await look(at: target)?.entry
    let isIt = now.map { $0.kind == there.kind && (there.size == nil || $0.size == there.size) } ?? false
    guard answer.isSuccess else {
      // An earlier try has moved it if it is no longer in its place, and there in the other.
      if isIt, let now, try await look(at: there.path) == nil { return now }
      if let now { throw .exists(now) }
      throw try await refusal(answer, call)
    }
    guard let now else { throw missing(target) }
    // A part, which alone has no revision, has the size that was sent: another file has come over it.
    guard isIt || there.revision != nil else { throw .conflict(target, now) }
    return now
  }

  /// The error of a refused change of something that was there.
  private func refusal(_ answer: HTTPAnswer, _ call: WebDAVCall) async throws(StoreError) -> StoreError {
    if answer.status == 412 { return .conflict(call.path, try await look(at: call.path)?.entry) }
    return client.error(answer, call)
  }

  public func createFolder(_ path: StorePath) async throws(StoreError) {
    try checkCancelled("The making", path)
    if !path.isRoot { try checkWritable(path) }
    // Without the club's folder there is no test of the server yet.
    try server.known?.checkHeld(path, by: client.name)
    try await makeFolder(path, isBeginning: true)
  }

  /// Makes a folder, also one of byteclub's own, and its parents. One that is there is no error.
  /// - Parameter isBeginning: true for the first request of a work.
  func makeFolder(_ path: StorePath, isBeginning: Bool = false) async throws(StoreError) {
    let call = WebDAVCall(.mkcol, address.url(path, isFolder: true), about: path)
    var answer = try await client.steps(isBeginning: isBeginning) { () throws(StoreError) in
      try await client.call(call)
    }
    if answer.isSuccess { return }
    if let there = try await look(at: path)?.entry {
      if there.kind == .folder { return }
      throw .exists(there)
    }
    if !path.isRoot {
      if try await look(at: path.parent) == nil { try await makeFolder(path.parent) }
      // Another program may have made the parent meanwhile.
      answer = try await client.steady(call)
      if answer.isSuccess { return }
    }
    if let there = try await look(at: path)?.entry, there.kind == .folder { return }
    throw try await blocked(path) ?? client.error(answer, call)
  }

  /// The error for a path below a file; nil if no parent is a file.
  func blocked(_ path: StorePath) async throws(StoreError) -> StoreError? {
    try await blocked(path) { (above) throws(StoreError) in try await look(at: above)?.entry }
  }
}
