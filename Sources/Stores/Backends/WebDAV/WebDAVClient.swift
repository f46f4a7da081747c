internal import Basics
internal import FileStores
internal import XML

extension HTTPMethod {
  static let propfind = HTTPMethod("PROPFIND")
  static let mkcol = HTTPMethod("MKCOL")
  static let patch = HTTPMethod("PATCH")
  static let move = HTTPMethod("MOVE")
  static let lock = HTTPMethod("LOCK")
  static let unlock = HTTPMethod("UNLOCK")
}

/// Sends requests of WebDAV with the member's sign-in, and reads answers.
struct WebDAVClient: Sendable {
  /// More than any club has. A server that lists more is taken for one that does not come to an end.
  static let mostEntries = 1_000_000

  let club: WebDAVAddress
  /// The folder that paths are in: the club's, unless `at` chooses another one.
  private(set) var address: WebDAVAddress
  /// nil for bearer tokens.
  let user: String?
  let commands: ClubCommands
  let tuning: WebDAVTuning
  private let exchange: TokenExchange
  private let tokens: (any AccessTokens)?

  init(
    _ address: WebDAVAddress, user: String?, commands: ClubCommands, transport: any HTTPTransport,
    tokens: (any AccessTokens)?, tuning: WebDAVTuning
  ) {
    (club, self.address, self.user, self.commands) = (address, address, user, commands)
    (self.tokens, self.tuning) = (tokens, tuning)
    exchange = TokenExchange(transport: transport, longestAnswer: 1 << 20)
  }

  var name: String { address.origin.description }

  /// This client for the paths of another folder of the server.
  func at(_ address: WebDAVAddress) -> WebDAVClient {
    var other = self
    other.address = address
    return other
  }

  /// Sends a request whose answer is small. Any status is an answer, but for those that concern no path: a missing
  /// sign-in, a busy or broken server.
  func call(_ call: WebDAVCall) async throws(StoreError) -> HTTPAnswer {
    let (response, body) = try await send(call, handingOut: false) { (_, _) throws(StoreError) in }
    return HTTPAnswer(response: response, body: body)
  }

  var steps: SteadySteps { SteadySteps(clock: tuning.retryClock) }

  /// Sends a request of a work that has begun, again after temporary errors. The server may have carried out an earlier
  /// try, so the caller must know its own work again.
  func steady(_ call: WebDAVCall) async throws(StoreError) -> HTTPAnswer {
    try await steps { () throws(StoreError) in try await self.call(call) }
  }

  /// `receive` gets the body of a success.
  func send(
    _ call: WebDAVCall, handingOut: Bool, _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> (HTTPResponse, [UInt8]) {
    let (source, offset) = (call.source, call.offset)
    let delivered: @Sendable (UInt64) -> Void = { count in source?.delivered(offset + count) }
    let (response, body) = try await exchange.send(
      about: call.path, handingOut: handingOut, sent: delivered,
      tooLong: { nonsense($0, call) },
      { (refused) throws(StoreError) in
        var request = call.request
        guard let tokens else { return (request, nil) }
        let token = try await tokens.token(refusing: refused)
        if let user {
          request.headers["Authorization"] = "Basic " + Base64.text(of: Array("\(user):\(token)".utf8))
        } else {
          request.headers["Authorization"] = "Bearer " + token
        }
        return (request, token)
      }, receive)
    if let error = general(response, call) {
      if error.kind == .quota, call.request.method != .propfind { throw await withSpace(error) }
      throw error
    }
    // The page of a network's sign-in would pass for a write that was done.
    if response.status == 200, ![.get, .head, .propfind].contains(call.request.method), response.isPage {
      throw nonsense("a web page", call)
    }
    return (response, body)
  }

  /// The resources that a PROPFIND describes, as they arrive, each once. Files without a length come last, with that of a
  /// HEAD; nil comes for a description that byteclub cannot read.
  /// - Returns: nil if nothing is there.
  func propfind(
    _ path: StorePath, isFolder: Bool, isDeep: Bool, asking question: [UInt8] = WebDAVResource.question,
    each: (WebDAVResource?) throws(StoreError) -> Void
  ) async throws(StoreError) -> HTTPResponse? {
    var call = WebDAVCall(
      .propfind, address.url(path, isFolder: isFolder), about: path,
      ["Depth": isDeep ? "1" : "0", "Content-Type": "application/xml; charset=utf-8"], body: .bytes(question))
    call.request.isRepeatable = true
    // A folder of 10,000 files comes in one answer, which some servers make before the first byte.
    if isDeep { call.request.timeouts = HTTPTimeouts(idle: .seconds(120), whole: .seconds(1800)) }
    var limits = XMLReader.Limits()
    limits.bytes = tuning.listingBytes
    var nodes: XMLNodes?
    var count = 0
    var place = address
    var seen: Set<StorePath> = []
    var lacking: [WebDAVResource] = []
    func read<Value>(_ body: () throws(XMLReader.Fault) -> Value) throws(StoreError) -> Value {
      do throws(XMLReader.Fault) {
        return try body()
      } catch {
        throw nonsense("XML that byteclub cannot read (\(error.reason))", call)
      }
    }
    func take(_ found: [XMLNode]) throws(StoreError) {
      count += found.count
      guard count <= WebDAVClient.mostEntries else {
        throw PageBounds("the list of \"\(path)\"", about: path, name).endless("in a million entries")
      }
      for node in found where node.name.local == "response" {
        if seen.isEmpty, let own = node["DAV:", "href"] { place = address.written(in: own.text.trimmed, for: path) }
        guard let resource = WebDAVResource(node, place) else {
          try each(nil)
          continue
        }
        guard seen.insert(resource.entry.path).inserted else { continue }
        if resource.entry.kind == .file, resource.entry.size == nil {
          lacking.append(resource)
        } else {
          try each(resource)
        }
      }
    }
    let (response, body) = try await send(call, handingOut: true) { (response, chunk) throws(StoreError) in
      guard response.status == 207 else { return }
      let found = try read { () throws(XMLReader.Fault) in
        if nodes == nil { nodes = try XMLNodes(limits, itemBytes: 1 << 20) }
        return try nodes?.feed(chunk) ?? []
      }
      try take(found)
    }
    switch response.status {
    case 207:
      guard let nodes else { throw nonsense("an empty answer", call) }
      let root = try read { () throws(XMLReader.Fault) in try nodes.finish() }
      guard root.name.local == "multistatus" else { throw nonsense("XML of another kind", call) }
      try take(root.children)
      // Without the folder itself, the list is not that of an empty folder.
      guard count > 0 || !isDeep else { throw nonsense("an empty list", call) }
      for resource in lacking { try each(try await length(of: resource.entry.path).map { resource.sized($0) }) }
      return response
    // Below a file, servers answer 400, 404, 405 or 409.
    case 400 where !path.isRoot, 404, 405, 409, 410: return nil
    // lighttpd answers 403 below a file, and to the name of a file with a slash at its end.
    case 403 where !path.isRoot:
      if try await isFile(isFolder ? path : path.parent) { return nil }
      throw self.error(response, body, call)
    // A folder without the slash at its end.
    case 300...399 where !isFolder:
      return try await propfind(path, isFolder: true, isDeep: isDeep, asking: question, each: each)
    default: throw self.error(response, body, call)
    }
  }

  /// nil if nothing is there.
  func look(at path: StorePath) async throws(StoreError) -> WebDAVResource? {
    var found: WebDAVResource?
    _ = try await propfind(path, isFolder: path.isRoot, isDeep: false) { (resource) throws(StoreError) in
      if let resource, resource.entry.path == path { found = resource }
    }
    return found
  }

  /// The length of a file that a list has without one; nil if the server does not tell.
  private func length(of path: StorePath) async throws(StoreError) -> UInt64? {
    var call = WebDAVCall(.head, address.url(path), about: path)
    call.request.isRepeatable = true
    let answer = try await self.call(call)
    guard answer.isSuccess, answer.response.headers["Content-Encoding"] == nil else { return nil }
    return answer.response.headers["Content-Length"].flatMap { UInt64($0.trimmed) }
  }

  /// True if this name, or one above it, is a file's.
  private func isFile(_ path: StorePath) async throws(StoreError) -> Bool {
    guard !path.isRoot else { return false }
    var found: WebDAVResource?
    let answer = try await propfind(path, isFolder: false, isDeep: false) { (resource) throws(StoreError) in
      found = resource
    }
    return answer == nil || found?.entry.kind == .file
  }

  func nonsense(_ what: String, _ call: WebDAVCall) -> StoreError {
    StoreError(
      .server, "\(name) answered \(call.request.name) with \(what).",
      remedy: "Check \"url\" in the config. The sign-in page of a network may have answered, too.", path: call.path,
      isWrongAnswer: true)
  }
}

struct WebDAVCall: Sendable {
  var request: HTTPRequest
  let path: StorePath
  /// Gets the number of sent bytes.
  var source: (any ByteSource)?
  /// The place of the body's first byte in the source.
  var offset: UInt64 = 0

  init(
    _ method: HTTPMethod, _ url: String, about path: StorePath, _ headers: HTTPHeaders = [:], body: HTTPBody = .empty
  ) {
    request = HTTPRequest(method, url, headers: headers, body: body)
    self.path = path
  }
}

/// Settings for tests; the program uses the defaults.
package struct WebDAVTuning: Sendable {
  /// Of one list, in bytes.
  package var listingBytes = 512 << 20
  /// The most bytes of a body that is held in memory, and sent while the name is locked.
  package var smallBytes = 1 << 20
  /// Of a chunk of an upload to Nextcloud, unless the file needs larger ones: 10,000 of them are 97 GiB.
  package var chunkBytes = 10 << 20
  /// Of an upload in pieces: the most that a break costs at a server that keeps no beginning of a piece.
  package var pieceBytes = 8 << 20
  /// True if the first write starts a sweep (`WebDAVSweep`).
  package var sweeps = true
  package var firstPoll = Duration.seconds(5)
  package var longestPoll = Duration.seconds(60)
  package var clock: any Clock<Duration> = TimerClock()
  /// Sleeps between the tries of one request.
  package var retryClock: any Clock<Duration> = TimerClock()
  /// Nanoseconds since 1970.
  package var now: @Sendable () -> Int64 = { Timestamp.now().nanoseconds }
  package var random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }

  package init() {}
}
