internal import FileStores
internal import XML

/// An exclusive lock of one file (RFC 4918, section 9.10), which others' programs respect, too.
struct WebDAVLock: Sendable {
  /// In seconds. A lock that is lost with its program is gone after this time.
  static let seconds = 30
  /// The longest wait for the lock of another program: longer than a lost lock of byteclub lives.
  private static let patience = Duration.seconds(35)

  let token: String

  /// The header field under which a write may pass this lock, on the path of the request or on another one.
  func condition(on url: String? = nil) -> String { (url.map { "<\($0)> " } ?? "") + "(<\(token)>)" }

  /// Takes the lock, if need be after others have released theirs.
  /// - Throws: `rateLimited` with the name of the lock's owner if it is not released.
  static func take(
    _ path: StorePath, _ client: WebDAVClient, patience: Duration = WebDAVLock.patience
  ) async throws(StoreError) -> WebDAVLock {
    let clock = client.tuning.clock
    var waited = Duration.zero
    var pause = Duration.milliseconds(40)
    while true {
      if Task.isCancelled { throw .cancelled("The writing of \"\(path)\"", path: path) }
      var call = WebDAVCall(.lock, client.address.url(path), about: path)
      call.request.headers = [
        "Depth": "0", "Timeout": "Second-\(seconds)", "Content-Type": "application/xml; charset=utf-8",
      ]
      call.request.body = .bytes(question)
      let answer = try await client.call(call)
      if answer.isSuccess, let token = token(of: answer) { return WebDAVLock(token: token) }
      let error = WebDAVFault(client: client).error(answer.response, answer.body, call)
      guard answer.status == 423 || answer.status == 409 && waited == .zero, waited < patience else { throw error }
      do {
        // Writers that wait for the same lock come at different times.
        let spread = Double(client.tuning.random() % 1000) / 1000
        let drawn = pause * (0.5 + spread)
        try await clock.sleep(for: drawn)
        waited += drawn
      } catch {
        throw .cancelled("The writing of \"\(path)\"", path: path)
      }
      pause = min(pause * 2, .seconds(1))
    }
  }

  /// A lock that is not released ends by itself.
  func release(_ path: StorePath, _ client: WebDAVClient) async {
    var call = WebDAVCall(.unlock, client.address.url(path), about: path)
    call.request.headers["Lock-Token"] = "<\(token)>"
    do throws(StoreError) { _ = try await client.call(call) } catch { return }
  }

  private static func token(of answer: WebDAVAnswer) -> String? {
    let text = answer.response.headers["Lock-Token"].map(\.trimmed) ?? ""
    if text.hasPrefix("<"), text.hasSuffix(">"), text.utf8.count > 2 { return String(text.dropFirst().dropLast()) }
    return active(answer.body)?["DAV:", "locktoken"]?["DAV:", "href"]?.text.trimmed
  }

  /// The owner that a lock's description names, cut to a line.
  static func owner(in body: [UInt8]) -> String? {
    guard let owner = active(body)?["DAV:", "owner"] else { return nil }
    let words = (owner.text + (owner["DAV:", "href"]?.text ?? "")).trimmed
    return words.isEmpty ? nil : String(words.prefix(60))
  }

  /// The `activelock` of an answer; nil for other bytes.
  private static func active(_ body: [UInt8]) -> XMLNode? {
    guard let root = try? XMLNodes.read(body) else { return nil }
    func find(_ node: XMLNode) -> XMLNode? {
      if node.name.local == "activelock" { return node }
      return node.children.lazy.compactMap { find($0) }.first
    }
    return find(root)
  }

  private static let question = Array(
    """
    <?xml version="1.0" encoding="utf-8"?>
    <D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype>\
    <D:owner>byteclub</D:owner></D:lockinfo>
    """.utf8)
}
