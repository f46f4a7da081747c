internal import Backends
internal import Foundation

extension NextcloudDouble.State {
  typealias Reply = NextcloudDouble.Reply
  private typealias Node = NextcloudDouble.Node

  // MARK: - Nodes

  mutating func make(_ path: String, _ bytes: [UInt8]?) {
    nodes[path] = Node(bytes: bytes, tag: nextTag(), seconds: Int64(Date().timeIntervalSince1970))
    touch(above: path)
  }

  mutating func remove(_ path: String) {
    nodes[path] = nil
    for inside in nodes.keys where inside.hasPrefix(path + "/") { nodes[inside] = nil }
    touch(above: path)
  }

  /// The names in a folder.
  func below(_ path: String) -> [String] {
    nodes.keys.filter { $0.hasPrefix(path + "/") && !$0.dropFirst(path.count + 1).contains("/") }.sorted()
  }

  private mutating func nextTag() -> Int {
    tags += 1
    return tags
  }

  private mutating func touch(above path: String) {
    var above = parent(path)
    while nodes[above] != nil {
      let tag = nextTag()
      nodes[above]?.tag = tag
      if faults.contains(.shallowTags) { return }
      above = parent(above)
    }
  }

  private func parent(_ path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  private func isUpload(_ path: String) -> Bool { path.hasPrefix(NextcloudDouble.uploads + "/") }

  // MARK: - Conditions

  /// nil if all conditions of a request hold.
  func refusal(_ head: RawRequest, _ path: String) -> Reply? {
    let isClosing = head.method == "MOVE" && isUpload(path)
    if isClosing, faults.contains(.noConditions) { return nil }
    if let wanted = head.headers["If-Match"], nodes[path] == nil || wanted != "*" && wanted != nodes[path]?.etag {
      return Reply(412)
    }
    if head.headers["If-None-Match"] == "*", nodes[path] != nil { return Reply(412) }
    if let condition = head.headers["If"], !holds(condition, path) { return Reply(412) }
    if head.method == "MOVE", head.headers["Overwrite"] == "F", let target = target(of: head), nodes[target] != nil {
      return Reply(412)
    }
    return room(for: head, path)
  }

  private func room(for head: RawRequest, _ path: String) -> Reply? {
    guard head.method == "PUT", let room else { return nil }
    let wanted =
      ["Content-Length", "OC-Total-Length"].compactMap { head.headers[$0].flatMap { UInt64($0) } }.max() ?? 0
    return wanted > room ? Reply(507) : nil
  }

  /// `<url> (["tag"])`, or a list without a url, which is about the request's own path. Every lock's token holds.
  private func holds(_ condition: String, _ path: String) -> Bool {
    var path = path
    var list = condition[...]
    if list.hasPrefix("<"), let end = list.firstIndex(of: ">") {
      path = place(list[list.index(after: list.startIndex)..<end])
      list = list[end...]
    }
    guard let start = list.firstIndex(of: "["), let end = list.firstIndex(of: "]") else { return true }
    return nodes[path]?.etag == String(list[list.index(after: start)..<end])
  }

  private func place(_ url: Substring) -> String {
    let rest = url.range(of: "://").map { url[$0.upperBound...] } ?? url
    return NextcloudDouble.path(String(rest[(rest.firstIndex(of: "/") ?? rest.startIndex)...]))
  }

  private func target(of head: RawRequest) -> String? { head.headers["Destination"].map { place($0[...]) } }

  // MARK: - Methods

  mutating func perform(_ head: RawRequest, _ path: String, _ body: [UInt8]) -> Reply {
    if faults.contains(.noChunks), path.hasPrefix(NextcloudDouble.uploads) { return Reply(404) }
    switch head.method {
    case "PROPFIND": return properties(head, path, String(decoding: body, as: UTF8.self))
    case "PUT": return put(head, path, body)
    case "GET": return get(head, path)
    case "MKCOL": return makeFolder(path)
    case "MOVE": return move(head, path)
    case "DELETE":
      guard nodes[path] != nil else { return Reply(404) }
      remove(path)
      return Reply(204)
    case "LOCK":
      // Anybody gets a lock, and nobody is kept out.
      var reply = Reply(200)
      reply.headers = ["Lock-Token": "<opaquelocktoken:fe4f7f2437b151fbcb4e9f5c8118c6b1>"]
      return reply
    case "UNLOCK": return Reply(204)
    default: return Reply(405)
    }
  }

  private mutating func makeFolder(_ path: String) -> Reply {
    if nodes[path] != nil { return Reply(405) }
    guard let above = nodes[parent(path)], above.bytes == nil else { return Reply(409) }
    make(path, nil)
    return Reply(201)
  }

  private mutating func put(_ head: RawRequest, _ path: String, _ body: [UInt8]) -> Reply {
    let there = nodes[path]
    guard let above = nodes[parent(path)], above.bytes == nil, there == nil || there?.bytes != nil else {
      return Reply(409)
    }
    if isUpload(path) {
      guard let number = Int(path.split(separator: "/").last ?? ""), 1...10_000 ~= number,
        head.headers["Destination"] != nil
      else { return Reply(400) }
    }
    guard hasTime(head) else { return Reply(400) }
    make(path, faults.remove(.damagedFile) == nil ? body : [body[0] ^ 1] + body.dropFirst())
    nodes[path]?.checksum = head.headers["OC-Checksum"]
    if let time = head.headers["X-OC-Mtime"].flatMap({ Int64($0) }) { nodes[path]?.seconds = time }
    if let room { self.room = room - min(room, UInt64(body.count)) }
    var reply = Reply(there == nil ? 201 : 204)
    reply.isLost = isUpload(path) && faults.remove(.lostChunk) != nil
    reply.headers = ["ETag": nodes[path]?.etag ?? "", "OC-ETag": nodes[path]?.etag ?? ""]
    return reply
  }

  private func get(_ head: RawRequest, _ path: String) -> Reply {
    guard let node = nodes[path], let bytes = node.bytes, !isUpload(path) else { return Reply(404) }
    var reply = Reply(200)
    reply.body = bytes
    if let range = head.headers["Range"]?.split(separator: "=").last?.split(separator: "-").first, let from = Int(range)
    {
      guard from < bytes.count else { return Reply(416) }
      reply = Reply(206)
      reply.body = Array(bytes[from...])
      reply.headers["Content-Range"] = "bytes \(from)-\(bytes.count - 1)/\(bytes.count)"
    }
    reply.headers["ETag"] = node.etag
    reply.headers["OC-Checksum"] = node.checksum
    reply.headers["Last-Modified"] = date(node)
    return reply
  }

  private mutating func move(_ head: RawRequest, _ path: String) -> Reply {
    guard let target = target(of: head), target.hasPrefix(NextcloudDouble.files + "/") else { return Reply(400) }
    if isUpload(path) { return assemble(head, parent(path), target) }
    guard nodes[path] != nil else { return Reply(404) }
    guard let above = nodes[parent(target)], above.bytes == nil else { return Reply(409) }
    if target == path || target.hasPrefix(path + "/") { return Reply(403) }
    let isOver = nodes[target] != nil
    if isOver { remove(target) }
    for inside in nodes.keys where inside == path || inside.hasPrefix(path + "/") {
      nodes[target + inside.dropFirst(path.count)] = nodes.removeValue(forKey: inside)
    }
    touch(above: path)
    touch(above: target)
    return Reply(isOver ? 204 : 201)
  }

  private mutating func assemble(_ head: RawRequest, _ upload: String, _ target: String) -> Reply {
    guard nodes[upload] != nil else { return Reply(404) }
    guard nodes[parent(target)] != nil else { return Reply(409) }
    if faults.remove(.failed) != nil { return Reply(500) }
    if let late {
      self.late = late.left > 1 ? (late.left - 1, late.upload, late.target) : nil
      if self.late == nil { put(together: late.upload, at: late.target, head) }
      return Reply(423)
    }
    let size = below(upload).reduce(0) { $0 + (nodes[$1]?.bytes?.count ?? 0) }
    if let told = head.headers["OC-Total-Length"], told != String(size) { return Reply(400) }
    if case .late(let answers)? = faults.first(where: { if case .late = $0 { true } else { false } }) {
      faults.remove(.late(answers))
      late = (answers, upload, target)
      return Reply(504)
    }
    guard hasTime(head) else { return Reply(400) }
    var reply = Reply(nodes[target] == nil ? 201 : 204)
    put(together: upload, at: target, head)
    reply.headers = ["OC-ETag": nodes[target]?.etag ?? ""]
    reply.isLost = faults.remove(.lostAnswer) != nil
    return reply
  }

  /// A Nextcloud refuses times of the first day.
  private func hasTime(_ head: RawRequest) -> Bool {
    head.headers["X-OC-Mtime"].map { Int64($0).map { $0 > 86_400 } ?? false } ?? true
  }

  private mutating func put(together upload: String, at target: String, _ head: RawRequest) {
    make(target, below(upload).flatMap { nodes[$0]?.bytes ?? [] })
    if let time = head.headers["X-OC-Mtime"].flatMap({ Int64($0) }) { nodes[target]?.seconds = time }
    remove(upload)
  }

  // MARK: - Properties

  private func properties(_ head: RawRequest, _ path: String, _ question: String) -> Reply {
    guard let node = nodes[path] else { return Reply(404) }
    var paths = [path]
    if head.headers["Depth"] != "0", node.bytes == nil {
      paths += below(path)
      if parent(path) == NextcloudDouble.uploads { paths.append(path + "/.file") }
    }
    var text = "<?xml version=\"1.0\"?><d:multistatus xmlns:d=\"DAV:\">"
    for path in paths {
      let node = nodes[path] ?? Node(bytes: [], tag: 0, seconds: 0)
      let isFolder = node.bytes == nil
      text +=
        "<d:response><d:href>\(path)\(isFolder ? "/" : "")</d:href>"
      text += "<d:propstat><d:prop><d:getlastmodified>\(date(node))</d:getlastmodified>"
      text += "<d:getetag>\(node.etag.replacing("\"", with: "&quot;"))</d:getetag>"
      if let bytes = node.bytes {
        text += "<d:resourcetype/><d:getcontentlength>\(bytes.count)</d:getcontentlength>"
      } else {
        text += "<d:resourcetype><d:collection/></d:resourcetype>"
        if question.contains("quota-available-bytes") { text += quota }
      }
      text += "</d:prop><d:status>HTTP/1.1 200 OK</d:status></d:propstat></d:response>"
    }
    var reply = Reply(207)
    reply.headers = [
      "Content-Type": "application/xml; charset=utf-8", "Date": date(seconds: Date().timeIntervalSince1970),
    ]
    reply.body = Array((text + "</d:multistatus>").utf8)
    return reply
  }

  /// -3 is "no limit" at Nextcloud.
  private var quota: String {
    let used = nodes.values.reduce(0) { $0 + ($1.bytes?.count ?? 0) }
    return "<d:quota-used-bytes>\(used)</d:quota-used-bytes>"
      + "<d:quota-available-bytes>\(room.map { String($0) } ?? "-3")</d:quota-available-bytes>"
  }

  private func date(_ node: NextcloudDouble.Node) -> String { date(seconds: Double(node.seconds)) }

  private func date(seconds: Double) -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "GMT")
    format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
    return format.string(from: Date(timeIntervalSince1970: seconds))
  }
}
