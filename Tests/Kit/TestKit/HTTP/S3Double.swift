internal import Basics
internal import Backends
internal import FileStores
import Synchronization

/// A bucket in memory, for a `ScriptedTransport`. It keeps all conditions but those of copies, and all of its times are of
/// one second.
public final class S3Double: Sendable {
  /// How it lists the versions and markers of a key: in one order, the newest first, as AWS documents it; all versions,
  /// then all markers, as moto does; the oldest first, which no known server does.
  public enum Order: Sendable, CaseIterable { case newest, kinds, oldest }

  private struct Version {
    let id: String
    let key: String
    /// nil for a marker.
    let bytes: [UInt8]?
    let mark: String?
  }

  private struct State {
    /// In the order in which they were made.
    var all: [Version] = []
    var made = 0
  }

  private static let date = "Fri, 02 Jan 2026 03:04:05 GMT"
  /// The header of a name that byteclub keeps free.
  private static let reservation = "x-amz-meta-byteclub-reserved"
  private static let time = "2026-01-02T03:04:05.000Z"

  /// nil for a bucket without versions.
  private let order: Order?
  private let keptName: @Sendable (String) -> String
  private let state = Mutex(State())

  /// - Parameter keptName: the name that the server makes of a decoded one.
  public init(_ order: Order? = nil, keptName: @escaping @Sendable (String) -> String = { $0 }) {
    (self.order, self.keptName) = (order, keptName)
  }

  public var transport: ScriptedTransport { ScriptedTransport { self.answer($0) } }

  /// The keys that have a file.
  public var keys: [String] {
    state.withLock { state in Set(state.all.map(\.key)).filter { Self.latest($0, state)?.bytes != nil } }.sorted()
  }

  private static func xml(_ status: Int, _ text: String, _ headers: HTTPHeaders = [:]) -> ScriptedTransport.Answer {
    .response(HTTPResponse(status, headers: headers), Array(text.utf8))
  }

  private static func latest(_ key: String, _ state: State) -> Version? { state.all.last { $0.key == key } }

  private func name(_ encoded: some StringProtocol) -> String {
    keptName(PercentEncoding.decoded(encoded, plusIsSpace: false) ?? "")
  }

  private static func etag(_ bytes: [UInt8]) -> String { "\"\(ContentHash(of: bytes).hex.prefix(32))\"" }

  private func answer(_ asked: ScriptedTransport.Recorded) -> ScriptedTransport.Answer {
    let halves = asked.target.split(separator: "?", maxSplits: 1)
    var query: [String: String] = [:]
    for field in halves.dropFirst().first?.split(separator: "&") ?? [] {
      let pair = field.split(separator: "=", maxSplits: 1)
      query[String(pair[0])] = pair.count > 1 ? PercentEncoding.decoded(pair[1]) : ""
    }
    let key = halves[0].hasPrefix("/b/") ? name(halves[0].dropFirst(3)) : ""
    return state.withLock { state in
      switch asked.request.method {
      case .get where key.isEmpty: list(query, state)
      case .get, .head: get(key, query["versionId"], asked, state)
      case .delete: delete(key, query, asked, &state)
      case .post where query["uploads"] != nil: Self.xml(200, "<R><UploadId>u</UploadId></R>")
      case .put where query["partNumber"] != nil: Self.xml(200, "", ["ETag": "\"part\""])
      default: put(key, asked, &state)
      }
    }
  }

  private func list(_ query: [String: String], _ state: State) -> ScriptedTransport.Answer {
    if query["versioning"] != nil {
      return Self.xml(200, "<V><Status>\(order == nil ? "Suspended" : "Enabled")</Status></V>")
    }
    let found = state.all.filter { $0.key.hasPrefix(query["prefix"] ?? "") }
    func key(_ version: Version) -> String { "<Key>\(PercentEncoding.encoded(version.key))</Key>" }
    func entry(_ bytes: [UInt8]?) -> String {
      "<LastModified>\(Self.time)</LastModified>"
        + (bytes.map { "<ETag>\(Self.etag($0))</ETag><Size>\($0.count)</Size>" } ?? "")
    }
    guard query["versions"] != nil else {
      let files = found.filter { $0.bytes != nil && Self.latest($0.key, state)?.id == $0.id }.sorted { $0.key < $1.key }
      let depth = query["prefix"]?.count ?? 0
      func folder(_ file: Version) -> String? {
        guard query["delimiter"] != nil, let end = file.key.dropFirst(depth).firstIndex(of: "/") else { return nil }
        return String(file.key[...end])
      }
      let folders = Set(files.compactMap(folder)).sorted().map { PercentEncoding.encoded($0) }
      return Self.xml(
        200,
        "<ListBucketResult><EncodingType>url</EncodingType>"
          + files.filter { folder($0) == nil }.map { "<Contents>\(key($0))\(entry($0.bytes))</Contents>" }.joined()
          + folders.map { "<CommonPrefixes><Prefix>\($0)</Prefix></CommonPrefixes>" }.joined() + "</ListBucketResult>")
    }
    var listed = (order == .oldest ? found : found.reversed()).enumerated().sorted {
      ($0.element.key, $0.offset) < ($1.element.key, $1.offset)
    }.map(\.element)
    if order == .kinds { listed = listed.filter { $0.bytes != nil } + listed.filter { $0.bytes == nil } }
    let nodes = listed.map { version in
      let kind = version.bytes == nil ? "DeleteMarker" : "Version"
      return "<\(kind)>\(key(version))<VersionId>\(version.id)</VersionId>"
        + "<IsLatest>\(Self.latest(version.key, state)?.id == version.id)</IsLatest>\(entry(version.bytes))</\(kind)>"
    }
    return Self.xml(200, "<ListVersionsResult>\(nodes.joined())</ListVersionsResult>")
  }

  private func get(
    _ key: String, _ id: String?, _ asked: ScriptedTransport.Recorded, _ state: State
  ) -> ScriptedTransport.Answer {
    let found = id.map { id in state.all.first { $0.id == id } } ?? Self.latest(key, state)
    guard let found, let bytes = found.bytes else { return Self.xml(404, "") }
    var headers: HTTPHeaders = [
      "ETag": Self.etag(bytes), "Content-Length": "\(bytes.count)", "Date": Self.date, "Last-Modified": Self.date,
    ]
    if let mark = found.mark { headers[Self.reservation] = mark }
    return .response(HTTPResponse(200, headers: headers), asked.request.method == .head ? [] : bytes)
  }

  private func refusal(
    _ key: String, _ asked: ScriptedTransport.Recorded, _ state: State
  ) -> ScriptedTransport.Answer? {
    let there = Self.latest(key, state)?.bytes.map(Self.etag)
    if asked.request.headers["If-None-Match"] == "*", there != nil { return Self.xml(412, "") }
    if let wanted = asked.request.headers["If-Match"], wanted != there { return Self.xml(412, "") }
    return nil
  }

  private func put(
    _ key: String, _ asked: ScriptedTransport.Recorded, _ state: inout State
  ) -> ScriptedTransport.Answer {
    let headers = asked.request.headers
    var bytes = asked.body
    if headers["x-amz-content-sha256"] != SHA256.hexadecimal(of: bytes) { return Self.xml(400, "") }
    let source = headers["x-amz-copy-source"]
    if let source {
      let from = name(source.prefix { $0 != "?" }.dropFirst(3))
      let id = source.split(separator: "=").dropFirst().first.map(String.init)
      let version = id.map { id in state.all.first { $0.id == id } } ?? Self.latest(from, state)
      guard let old = version?.bytes else { return Self.xml(404, "<Error><Code>NoSuchKey</Code></Error>") }
      bytes = old
    } else if let refusal = refusal(key, asked, state) {
      return refusal
    }
    if order == nil { state.all.removeAll { $0.key == key } }
    state.made += 1
    state.all.append(
      Version(id: "v\(state.made)", key: key, bytes: bytes, mark: headers[Self.reservation]))
    let etag = Self.etag(bytes)
    return Self.xml(
      200, source == nil && asked.request.method == .put ? "" : "<R><ETag>\(etag)</ETag></R>",
      ["ETag": etag, "Date": Self.date])
  }

  private func delete(
    _ key: String, _ query: [String: String], _ asked: ScriptedTransport.Recorded, _ state: inout State
  ) -> ScriptedTransport.Answer {
    if query["uploadId"] != nil { return Self.xml(204, "") }
    if let id = query["versionId"] {
      state.all.removeAll { $0.id == id }
      return Self.xml(204, "")
    }
    if let refusal = refusal(key, asked, state) { return refusal }
    guard order != nil else {
      state.all.removeAll { $0.key == key }
      return Self.xml(204, "")
    }
    if Self.latest(key, state)?.bytes != nil {
      state.made += 1
      state.all.append(Version(id: "m\(state.made)", key: key, bytes: nil, mark: nil))
    }
    return Self.xml(204, "")
  }
}
