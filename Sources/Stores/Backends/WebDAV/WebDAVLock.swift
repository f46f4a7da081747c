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

  /// Takes the lock, if need be after others have released theirs. A lock whose answer was lost is known by the word in
  /// its owner.
  /// - Throws: `rateLimited` with the name of the lock's owner if it is not released.
  static func take(
    _ path: StorePath, _ client: WebDAVClient, patience: Duration = WebDAVLock.patience
  ) async throws(StoreError) -> WebDAVLock {
    let owner = "\(program) \(String(client.tuning.random(), radix: 36))"
    var waited = Duration.zero
    var pause = Duration.milliseconds(40)
    while true {
      if Task.isCancelled { throw .cancelled("The writing of \"\(path)\"", path: path) }
      let call = WebDAVCall(
        .lock, client.address.url(path), about: path,
        ["Depth": "0", "Timeout": "Second-\(seconds)", "Content-Type": "application/xml; charset=utf-8"],
        body: .bytes(question(owner)))
      let answer = try await client.steady(call)
      if answer.isSuccess, let token = token(of: answer) { return WebDAVLock(token: token) }
      let error = client.error(answer, call)
      if answer.status == 423, let own = try await held(by: owner, path, client) { return own }
      guard answer.status == 423 || answer.status == 409 && waited == .zero, waited < patience else { throw error }
      // Writers that wait for the same lock come at different times.
      let drawn = pause * (0.5 + Double(client.tuning.random() % 1000) / 1000)
      try await client.tuning.clock.rest(drawn, "The writing of \"\(path)\"", path)
      waited += drawn
      pause = min(pause * 2, .seconds(1))
    }
  }

  /// A lock that is not released ends by itself.
  func release(_ path: StorePath, _ client: WebDAVClient) async {
    let call = WebDAVCall(.unlock, client.address.url(path), about: path, ["Lock-Token": "<\(token)>"])
    do throws(StoreError) { _ = try await client.steady(call) } catch { return }
  }

  /// The lock of this owner (RFC 4918, section 15.8); nil if there is none, or if the server does not show tokens.
  private static func held(
    by owner: String, _ path: StorePath, _ client: WebDAVClient
  ) async throws(StoreError) -> WebDAVLock? {
    let call = WebDAVCall(
      .propfind, client.address.url(path), about: path,
      ["Depth": "0", "Content-Type": "application/xml; charset=utf-8"], body: .bytes(Array(discovery.utf8)))
    let answer = try await client.steady(call)
    guard answer.status == 207, let root = try? XMLNodes.read(answer.body) else { return nil }
    let own = all(in: root).first { $0["DAV:", "owner"]?.text.trimmed == owner }
    return token(of: own).map { WebDAVLock(token: $0) }
  }

  private static func token(of answer: HTTPAnswer) -> String? {
    let text = answer.response.headers["Lock-Token"].map(\.trimmed) ?? ""
    if text.hasPrefix("<"), text.hasSuffix(">"), text.utf8.count > 2 { return String(text.dropFirst().dropLast()) }
    return token(of: active(answer.body))
  }

  private static func token(of lock: XMLNode?) -> String? {
    let text = lock?["DAV:", "locktoken"]?["DAV:", "href"]?.text.trimmed
    return text?.isEmpty == false ? text : nil
  }

  /// The owner that a lock's description names, cut to a line; of byteclub's own the program alone.
  static func owner(in body: [UInt8]) -> String? {
    guard let owner = active(body)?["DAV:", "owner"] else { return nil }
    let words = (owner.text + (owner["DAV:", "href"]?.text ?? "")).trimmed
    if words.hasPrefix(program + " ") { return program }
    return words.isEmpty ? nil : String(words.prefix(60)).asServersWords
  }

  /// The first `activelock` of an answer; nil for other bytes.
  private static func active(_ body: [UInt8]) -> XMLNode? {
    guard let root = try? XMLNodes.read(body) else { return nil }
    return all(in: root).first
  }

  private static func all(in node: XMLNode) -> [XMLNode] {
    node.name.local == "activelock" ? [node] : node.children.flatMap { all(in: $0) }
  }

  private static let program = "byteclub"

  private static func question(_ owner: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0" encoding="utf-8"?>
      <D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype>\
      <D:owner>\(owner)</D:owner></D:lockinfo>
      """.utf8)
  }

  private static let discovery = """
    <?xml version="1.0" encoding="utf-8"?>
    <D:propfind xmlns:D="DAV:"><D:prop><D:lockdiscovery/></D:prop></D:propfind>
    """
}
