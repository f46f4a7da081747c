internal import Basics
internal import FileStores

/// The requests of which writes are made. Each is repeated by itself (`SteadySteps`) and knows what an earlier try has
/// done: byteclub's own names are random, so nobody else makes or takes them; other files are compared by their content.
extension WebDAVStore {
  /// The bytes of a write, checked against the declared size.
  struct Content: Sendable {
    let body: HTTPBody
    let size: UInt64
    let source: CheckedSource
  }

  /// The end of a write.
  struct Sent: Sendable {
    /// The tag of the answer.
    var tag: WebDAVTag?
    /// The bytes of a PUT; nil for a move of bytes that were at the server before.
    var content: Content?
    /// The file, if the server refuses the condition because an earlier try has written it.
    var own: FileEntry?
  }

  /// A small source is read first, so that a wrong length shows before a request.
  func content(of given: any ByteSource, _ path: StorePath) async throws(StoreError) -> Content {
    let source = CheckedSource(given)
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
    .source(CheckedSource(source, size: size, for: path), from: 0, length: size)
  }

  /// Sends a body to its place.
  /// - Throws: `conflict` for a condition that does not hold, unless the file has these bytes.
  func send(_ content: Content, to path: StorePath, _ headers: HTTPHeaders) async throws(StoreError) -> Sent {
    let call = upload(content, to: path, about: path, headers)
    var isAgain = false
    let answer = try await client.steps(isFinal: { content.source.failure != nil }) { () throws(StoreError) in
      let answer = try await sendMakingParents(call, path)
      if isAgain, answer.isSuccess, let there = try await look(at: path)?.entry, there.size != content.size {
        // A server that writes in place carried out the half of an earlier try, over this one.
        throw StoreError(.server, "\(client.name) has a part of \"\(path)\" only.", remedy: "Try again.", path: path)
      }
      isAgain = true
      return answer
    }
    if answer.isSuccess {
      return Sent(tag: answer.response.headers["ETag"].flatMap { WebDAVTag($0) }, content: content)
    }
    if answer.status == 412 {
      if let own = try await written(content, at: path) { return Sent(own: own) }
      throw .conflict(path, try await look(at: path)?.entry)
    }
    throw try await refusal(of: call, answer, path)
  }

  private func upload(
    _ content: Content, to target: StorePath, about path: StorePath, _ headers: HTTPHeaders
  ) -> WebDAVCall {
    var call = WebDAVCall(.put, address.url(target), about: path, headers, body: content.body)
    call.request.kind = .content
    call.request.headers["Content-Type"] = "application/octet-stream"
    NextcloudFacts(address)?.note(content, in: &call.request.headers)
    if server.known?.mayAsk != true { call.request.asksFrom = .max }
    call.source = content.source
    return call
  }

  private func refusal(
    of call: WebDAVCall, _ answer: HTTPAnswer, _ path: StorePath
  ) async throws(StoreError) -> StoreError {
    try await blocked(path) ?? client.error(answer, call)
  }

  /// The file at a path if it has these bytes.
  private func written(_ content: Content, at path: StorePath) async throws(StoreError) -> FileEntry? {
    try await client.steps(isFinal: { content.source.failure != nil }) { () throws(StoreError) in
      try await entry(at: path, holding: content.source)
    }
  }

  private func sendMakingParents(_ call: WebDAVCall, _ target: StorePath) async throws(StoreError) -> HTTPAnswer {
    do throws(StoreError) {
      let answer = try await client.call(call)
      // Without the parent folder, servers answer 409, 404 or 403.
      guard [403, 404, 409].contains(answer.status), !target.parent.isRoot else { return answer }
    } catch {
      // nginx answers 500.
      guard error.kind == .server, !target.parent.isRoot, try await look(at: target.parent) == nil else { throw error }
    }
    try await makeFolder(target.parent)
    return try await client.call(call)
  }

  /// Sends a body to a name of byteclub's own, a part, and looks if all of it is there. Each try has another name: a server
  /// that writes in place may carry out the half of an earlier one late, over the whole.
  func sent(_ content: Content, beside path: StorePath) async throws(StoreError) -> StorePath {
    var tried: [StorePath] = []
    do throws(StoreError) {
      let (part, call, answer) = try await client.steps(isFinal: { content.source.failure != nil }) {
        () throws(StoreError) in
        let part = try path.parent.appending(".byteclub-part-" + String(tuning.random(), radix: 36))
        tried.append(part)
        let call = upload(content, to: part, about: path, [:])
        let answer = try await sendMakingParents(call, part)
        if answer.isSuccess { try await checkWhole(part, content.size, about: path) }
        return (part, call, answer)
      }
      guard answer.isSuccess else { throw try await refusal(of: call, answer, path) }
      for other in tried where other != part { await remove(other) }
      return part
    } catch {
      for part in tried { await remove(part) }
      throw error
    }
  }

  /// - Throws: `corrupt` unless a part has all bytes. Nothing has its final name by then.
  func checkWhole(_ part: StorePath, _ size: UInt64, about path: StorePath) async throws(StoreError) {
    let there = try await look(at: part)?.entry.size
    guard there != size else { return }
    throw StoreError(
      .corrupt, "\(client.name) has kept only \(there ?? 0) of the \(size) bytes of \"\(path)\".",
      remedy: "Nothing was overwritten. Test the server with: byteclub doctor", path: path, isWrongAnswer: true)
  }

  /// Moves a part over what is there.
  func place(
    _ part: StorePath, size: UInt64, at path: StorePath, _ headers: HTTPHeaders
  ) async throws(StoreError) {
    var call = WebDAVCall(.move, address.url(part), about: path, headers)
    call.request.headers["Destination"] = address.url(path)
    call.request.headers["Overwrite"] = "T"
    let answer = try await client.steady(call)
    if answer.isSuccess { return }
    // An earlier try has moved it.
    if try await look(at: part) == nil, try await look(at: path)?.entry.size == size { return }
    if answer.status == 412 { throw .conflict(path, try await look(at: path)?.entry) }
    throw client.error(answer, call)
  }

  /// Removes one of byteclub's own names with its content, even if the task is cancelled. A rest does no harm.
  /// - Returns: false if the name may be there still.
  @discardableResult
  func remove(_ path: StorePath, isFolder: Bool = false) async -> Bool {
    let store = self
    do throws(StoreError) {
      return try await pool.finishing { () throws(StoreError) in
        let call = WebDAVCall(.delete, store.address.url(path, isFolder: isFolder), about: path)
        let answer = try await store.client.steady(call)
        return answer.isSuccess || answer.status == 404 || answer.status == 410
      }
    } catch {
      return false
    }
  }
}
