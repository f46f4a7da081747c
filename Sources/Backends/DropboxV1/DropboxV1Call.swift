internal import FileStores

/// One call: a route with its parameters, and what becomes a request of it.
struct DropboxV1Call: Sendable {
  let route: DropboxV1Route
  /// The path at the server, for routes that have one in their address.
  let place: String
  /// The path concerned, for errors.
  let path: StorePath
  /// Not yet encoded.
  var parameters: [(String, String)]
  /// The body of a `PUT`, or the file of a multipart form.
  var body = HTTPBody.bytes([])
  /// Hears how many bytes of `body` the server can have.
  var sent: (@Sendable (UInt64) -> Void)?
  /// Where a download begins; nil for the beginning.
  var offset: UInt64?
  /// The name of the file in a multipart form.
  var fileName = ""
  /// The boundary of a multipart form.
  var boundary = ""
  /// How long a longpoll asks the server to wait.
  var waitSeconds = 0

  init(
    _ route: DropboxV1Route, at place: String = "", about path: StorePath, _ parameters: KeyValuePairs<String, String?>
  ) {
    (self.route, self.place, self.path) = (route, place, path)
    self.parameters = parameters.compactMap { name, value in value.map { (name, $0) } }
  }

  /// Hears how many bytes of the request the server can have, and tells `sent` those of the file.
  var requestSent: (@Sendable (UInt64) -> Void)? {
    guard route == .form, let sent, let length = body.length else { return sent }
    let head = UInt64(form.head.count)
    return { sent(min($0 - min($0, head), length)) }
  }

  private var form: MultipartForm { MultipartForm(fileName: fileName, boundary: boundary) }

  /// The request. Nothing is sent to another origin than the server's.
  /// - Parameter authorization: makes the field of that name of the method, the address and all parameters.
  func request(
    _ server: DropboxServer, root: String, authorization: ((String, String, [(String, String)]) -> String)?
  ) -> HTTPRequest {
    let origin = route == .longPoll ? server.notify : route.isContent ? server.content : server.api
    var url = origin + "/1/" + route.word
    if route.hasPath { url += "/" + PercentEncoding.path(root + place) }
    var signed = parameters
    var request = HTTPRequest(route.method, url, kind: route.isContent ? .content : .call)
    switch route {
    case .put, .chunk:
      request.body = body
      request.headers["Content-Type"] = "application/octet-stream"
    case .form:
      request.body = form.around(body)
      request.headers["Content-Type"] = form.contentType
      // The name of the file is signed, too, as if it were a parameter.
      signed.append(("file", fileName))
    case _ where route.method == .post:
      request.body = .bytes(Array(PercentEncoding.pairs(parameters).utf8))
      request.headers["Content-Type"] = "application/x-www-form-urlencoded"
    default: break
    }
    if route.method != .post || route == .form, !parameters.isEmpty {
      request.url += "?" + PercentEncoding.pairs(parameters)
    }
    if let offset { request.headers["Range"] = "bytes=\(offset)-" }
    if let authorization { request.headers["Authorization"] = authorization(route.method.word, url, signed) }
    switch route {
    case .longPoll:
      request.kind = .longPoll
      // Longer than the server waits: what was asked for, and up to 90 seconds that it adds at its own choice.
      request.timeouts = HTTPTimeouts(idle: .seconds(waitSeconds + 100), whole: .seconds(waitSeconds + 110))
    // The answer comes when all is done, which takes its time for a large file or a full folder.
    case .put, .form, .commit, .move, .delete: request.timeouts = HTTPTimeouts(idle: .seconds(100))
    default: break
    }
    request.isRepeatable = route.onlyReads
    return request
  }
}
