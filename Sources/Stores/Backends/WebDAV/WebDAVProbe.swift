internal import FileStores

/// Asks a server how it keeps conditions, with names below `.byteclub/probe-`, which it removes at the end.
struct WebDAVProbe: Sendable {
  private let client: WebDAVClient

  init(_ client: WebDAVClient) { self.client = client }

  /// - Throws: `notFound` without the club's folder; errors that concern no path.
  func findings() async throws(StoreError) -> ServerFindings {
    let own = try StorePath(".byteclub")
    let folder = try own.appending("probe-" + String(client.tuning.random(), radix: 36))
    let found = try await client.propfind(.root, isFolder: true, isDeep: false) { _ in }
    guard let found else {
      throw StoreError(
        .notFound, "The club's folder \(client.address.url(.root, isFolder: true)) does not exist.",
        remedy: "Make it with: \(client.commands.makeFolder)", path: .root)
    }
    for path in [own, folder] { try await makeFolder(path) }
    let answers = try await always { () throws(StoreError) in
      try await remove(folder, isFolder: true)
    } after: { () throws(StoreError) in
      try await ask(in: folder)
    }
    let server = (found.headers["Server"] ?? "").filter { $0.isASCII && !$0.isNewline }
    return ServerFindings(
      kind: WebDAVKind().name, version: WebDAVSelfTest().version, server: String(server.prefix(80)),
      answers: answers)
  }

  private func ask(in folder: StorePath) async throws(StoreError) -> [ServerFindings.Answer] {
    let file = try folder.appending("note")
    var answers: [ServerFindings.Answer] = []
    func note(_ name: String, _ value: String) { answers.append(ServerFindings.Answer(name, value)) }
    // Before the files of the test.
    if let space = try await client.space() {
      if let used = space.used { note("used", String(used)) }
      if let free = space.free { note("free", String(free)) }
    }
    let made = try await put("one", file, ["If-None-Match": "*"])
    guard made.isSuccess else {
      throw StoreError(
        .notPermitted, "\(client.name) does not let you write in the club's folder (status \(made.status)).",
        remedy: "Ask the server's owner for permission.", path: .root)
    }
    note("create", verdict(try await put("two", file, ["If-None-Match": "*"])))
    note("replace", verdict(try await put("two", file, ["If-Match": "\"byteclub-wrong\""])))
    let first = try await client.look(at: file)
    note("tag", first?.tag.map { $0.isWeak ? "weak" : "strong" } ?? "none")
    let match = try await match(file)
    note("match", match)
    note("times", try await times(of: [file, folder]))
    let (second, other, revisions) = try await rewrite(file, after: try await client.look(at: file))
    note("revisions", revisions)
    let stated = second.response.headers["ETag"].flatMap { WebDAVTag($0) }
    note(
      "answer",
      stated != nil && stated == other?.tag || stated?.opaque == other?.tag?.opaque && stated != nil ? "tag" : "none")
    note("range", try await range(file))
    let lock = try await lock(file)
    note("lock", lock)
    note("held", lock == "kept" ? try await held(file, try folder.appending("moved")) : "none")
    note("parts", try await parts(in: folder))
    let part = try folder.appending("part")
    _ = try await put("part", part, [:])
    note("move", verdict(try await move(part, to: file)))
    let (overlap, body) = try await overlap(try folder.appending("slow"), isWeak: match == "weak")
    note("overlap", overlap)
    note("body", body)
    note("asks", try await asks(try folder.appending("asked")))
    note("names", try await names(in: try folder.appending("names")))
    note("folders", try await folders(in: folder))
    note("chunks", try await NextcloudProbe(client).chunks(in: folder, beside: file))
    return answers
  }

  private func url(_ path: StorePath, isFolder: Bool = false) -> String { client.address.url(path, isFolder: isFolder) }

  /// The form of the file's own tag that the server takes in `If-Match`: `strong`, or `weak`. RFC 9110, section 13.1.1,
  /// demands that a weak tag never matches; Apache's are weak for a second after a write.
  private func match(_ file: StorePath) async throws(StoreError) -> String {
    var status = 0
    for isLate in [false, true] {
      if isLate { try await sleep(.milliseconds(1200)) }
      guard let tag = try await client.look(at: file)?.tag else { return "none" }
      for isWeak in [false, true] {
        guard let own = WebDAVTag.quoted(tag.revision(of: file), isWeak: isWeak) else { continue }
        let answer = try await put("two", file, ["If-Match": own])
        if answer.isSuccess { return isWeak ? "weak" : "strong" }
        status = answer.status
      }
    }
    return "status \(status)"
  }

  /// `kept` if the server gives new files and folders times of today.
  private func times(of paths: [StorePath]) async throws(StoreError) -> String {
    for path in paths {
      var changed: Int64?
      let answer = try await client.propfind(path, isFolder: path != paths.first, isDeep: false) { (resource) in
        changed = resource?.changed
      }
      let now = answer?.date ?? client.tuning.now() / 1_000_000_000
      guard let changed else { return "none" }
      guard changed > now - 86_400 else { return "other" }
    }
    return "kept"
  }

  private func sleep(_ time: Duration) async throws(StoreError) {
    do { try await client.tuning.clock.sleep(for: time) } catch { throw .cancelled("The test of the server") }
  }

  /// Writes other text of the same length, until a change and the one before have the same second, or eight times. Tells
  /// whether their revisions differ; of a server that is too slow for two changes within a second that is not known.
  /// A server's clock may have steps of two seconds, as FAT has.
  private func rewrite(
    _ file: StorePath, after first: WebDAVResource?
  ) async throws(StoreError) -> (answer: HTTPAnswer, found: WebDAVResource?, revisions: String) {
    var before = first
    var number = 0
    var isLate = false
    while true {
      let answer = try await put(number.isMultiple(of: 2) ? "six" : "ten", file, [:])
      let found = try await client.look(at: file)
      number += 1
      if found?.entry.revision == before?.entry.revision {
        if isLate { return (answer, found, "never") }
        isLate = true
        try await sleep(.milliseconds(2100))
        continue
      }
      if isLate { return (answer, found, "same") }
      if found?.entry.modified?.seconds == before?.entry.modified?.seconds { return (answer, found, "differ") }
      if number == 8 { return (answer, found, "slow") }
      before = found
    }
  }

  private func put(_ text: String, _ path: StorePath, _ headers: HTTPHeaders) async throws(StoreError) -> HTTPAnswer {
    try await client.call(WebDAVCall(.put, url(path), about: path, headers, body: .bytes(Array(text.utf8))))
  }

  /// Moves where nothing may be.
  private func move(
    _ path: StorePath, to target: StorePath, _ headers: HTTPHeaders = [:]
  ) async throws(StoreError) -> HTTPAnswer {
    var call = WebDAVCall(.move, url(path), about: path, headers)
    call.request.headers["Destination"] = url(target)
    call.request.headers["Overwrite"] = "F"
    return try await client.call(call)
  }

  private func makeFolder(_ path: StorePath) async throws(StoreError) {
    _ = try await client.call(WebDAVCall(.mkcol, url(path, isFolder: true), about: path))
  }

  private func remove(_ path: StorePath, isFolder: Bool = false) async throws(StoreError) {
    _ = try await client.call(WebDAVCall(.delete, url(path, isFolder: isFolder), about: path))
  }

  /// `deep` if a folder's ETag changes with a write and with a deletion two levels below.
  private func folders(in folder: StorePath) async throws(StoreError) -> String {
    func tag() async throws(StoreError) -> WebDAVTag? { try await client.look(at: folder)?.tag }
    let file = try folder.appending("deep").appending("note")
    try await makeFolder(file.parent)
    _ = try await put("one", file, [:])
    let before = try await tag()
    guard before != nil, try await tag() == before else { return "none" }
    _ = try await put("three", file, [:])
    let written = try await tag()
    try await remove(file)
    let deleted = try await tag()
    return written != before && deleted != written ? "deep" : "shallow"
  }

  private func asks(_ path: StorePath) async throws(StoreError) -> String {
    var call = WebDAVCall(.put, url(path), about: path)
    (call.request.body, call.request.kind, call.request.asksFrom) = (.bytes(AskedUpload.text), .content, 1)
    return try await AskedUpload.answer {
      () throws(StoreError) in
      try await client.call(call).isSuccess
    } size: {
      () throws(StoreError) in
      try await client.look(at: path)?.entry.size
    }
  }

  /// Names are percent-encoded in the address of a PUT, in the target of a MOVE, and in a list. WsgiDAV 4 decodes the target
  /// of a MOVE before it takes the address apart, ASGIWebDAV decodes an address twice, and chezdav's lists name other files.
  private func names(in folder: StorePath) async throws(StoreError) -> String {
    try await LostNames.answer(in: folder) { (trial) throws(StoreError) in
      for path in [folder, trial.folder] { try await makeFolder(path) }
      _ = try await put("first", trial.first, [:])
      _ = try await put("second", trial.part, [:])
      _ = try await move(trial.part, to: trial.second)
      var found = LostNames.Found(listed: [:], first: try await text(trial.first), second: try await text(trial.second))
      _ = try await client.propfind(trial.folder, isFolder: true, isDeep: true) { (resource) throws(StoreError) in
        if let entry = resource?.entry, entry.kind == .file { found.listed[entry.path] = entry.size }
      }
      return found
    }
  }

  private func verdict(_ answer: HTTPAnswer) -> String {
    answer.status == 412 ? "kept" : answer.isSuccess ? "ignored" : "status \(answer.status)"
  }

  private func range(_ path: StorePath) async throws(StoreError) -> String {
    var call = WebDAVCall(.get, url(path), about: path)
    call.request.headers["Range"] = "bytes=1-"
    var bytes: [UInt8] = []
    let (response, _) = try await client.send(call, handingOut: true) { (_, chunk) throws(StoreError) in
      bytes += chunk.prefix(16)
    }
    return response.status == 206 && bytes.count == 2 ? "kept" : "ignored"
  }

  /// The first of the requests that write exactly these bytes, and that make no file where none is.
  private func parts(in folder: StorePath) async throws(StoreError) -> String {
    let (file, missing) = (try folder.appending("parts"), try folder.appending("missing"))
    for writes in WebDAVPartialWrite.allCases {
      _ = try await put("abc", file, [:])
      try await remove(missing)
      for (text, path) in [("xyz", file), ("def", file), ("def", missing)] {
        do throws(StoreError) {
          _ = try await client.call(writes.call(Array(text.utf8), at: 3, of: url(path), about: path))
        } catch {
          // Some servers fail at what they do not know.
          guard error.kind == .server else { throw error }
        }
      }
      if try await text(file) == "abcdef", try await client.look(at: missing) == nil { return writes.rawValue }
    }
    return "none"
  }

  private func text(_ path: StorePath) async throws(StoreError) -> String {
    var bytes: [UInt8] = []
    _ = try await client.send(WebDAVCall(.get, url(path), about: path), handingOut: true) {
      (_, chunk) throws(StoreError) in
      bytes += chunk.prefix(16)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// A lock must keep writes without its token out, and let those with it pass.
  private func lock(_ path: StorePath) async throws(StoreError) -> String {
    let lock: WebDAVLock
    do throws(StoreError) {
      lock = try await WebDAVLock.take(path, client)
    } catch {
      guard !error.isTemporary || error.kind == .rateLimited, error.kind != .cancelled else { throw error }
      return "none"
    }
    let outside = try await put("out", path, [:])
    let again: Bool
    do throws(StoreError) {
      _ = try await WebDAVLock.take(path, client, patience: .zero)
      again = true
    } catch {
      again = false
    }
    let inside = try await put("in!", path, ["If": lock.condition()])
    await lock.release(path, client)
    let after = try await put("end", path, [:])
    if outside.status == 423, !again, inside.isSuccess, after.isSuccess { return "kept" }
    return "statuses \(outside.status), \(again ? 200 : 423), \(inside.status), \(after.status)"
  }

  /// The holder of a lock must be able to move the file. golang.org/x/net/webdav (rclone) wants a lock of the target,
  /// too.
  private func held(_ path: StorePath, _ target: StorePath) async throws(StoreError) -> String {
    let lock = try await WebDAVLock.take(path, client)
    let condition: HTTPHeaders = ["If": lock.condition(on: url(path))]
    let answer = try await move(path, to: target, condition)
    // The lock may have stayed with the name.
    if answer.isSuccess, try await !move(target, to: path).isSuccess { _ = try await move(target, to: path, condition) }
    await lock.release(path, client)
    return answer.isSuccess ? "kept" : "status \(answer.status)"
  }

  /// One write begins, and waits in the middle of its body; another one begins and ends; the first one ends. A server
  /// that compares when it writes refuses the first.
  private func overlap(_ path: StorePath, isWeak: Bool) async throws(StoreError) -> (overlap: String, body: String) {
    let old = "old"
    _ = try await put(old, path, [:])
    // Apache compares no tags for a second after a write.
    try await sleep(.milliseconds(1200))
    guard let tag = try await client.look(at: path)?.tag,
      let base = WebDAVTag.quoted(tag.revision(of: path), isWeak: isWeak)
    else {
      return ("none", try await slowly(path, [:]).body)
    }
    let slow = try await slowly(path, ["If-Match": base], beside: "rival")
    guard let answer = slow.answer, slow.rival?.isSuccess == true else { return ("unknown", slow.body) }
    return (answer.status == 412 ? "kept" : "status \(answer.status)", slow.body)
  }

  /// Sends a body that waits in its middle, while a reader looks, and perhaps another writer writes. A broken body must
  /// leave the old content.
  /// - Returns: `whole` if the reader saw the three bytes that were there.
  private func slowly(
    _ path: StorePath, _ headers: HTTPHeaders, beside rival: String? = nil
  ) async throws(StoreError) -> (body: String, answer: HTTPAnswer?, rival: HTTPAnswer?) {
    let (slow, client, url) = (PausedSource(), client, url(path))
    async let first: HTTPAnswer? = {
      let body = HTTPBody.source(slow, from: 0, length: UInt64(PausedSource.bytes))
      var call = WebDAVCall(.put, url, about: path, headers, body: body)
      call.request.kind = .content
      return try? await client.call(call)
    }()
    await slow.reached()
    // The first half is on its way; a server that writes in place shows it.
    do { try await client.tuning.clock.sleep(for: .milliseconds(100)) } catch { slow.go() }
    let seen = try? await client.look(at: path)?.entry
    var second: HTTPAnswer?
    if let rival { second = try? await put(rival, path, headers) }
    slow.go()
    return (seen?.size == 3 ? "whole" : "torn", await first, second)
  }

}
