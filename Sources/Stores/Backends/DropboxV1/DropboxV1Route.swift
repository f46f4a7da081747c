internal import Basics
internal import FileStores

/// The routes of the API that byteclub uses, without the prefix `/1/`.
enum DropboxV1Route: String, Sendable {
  case account = "account/info"
  case metadata
  case download = "files"
  case put = "files_put"
  case form = "files (multipart)"
  case chunk = "chunked_upload"
  case commit = "commit_chunked_upload"
  case delta
  case latestCursor = "delta/latest_cursor"
  case longPoll = "longpoll_delta"
  case revisions
  case restore
  case search
  case thumbnail = "thumbnails"
  case createFolder = "fileops/create_folder"
  case delete = "fileops/delete"
  case move = "fileops/move"

  var word: String { self == .form ? "files" : rawValue }

  var method: HTTPMethod {
    switch self {
    case .account, .metadata, .download, .longPoll, .revisions, .search, .thumbnail: .get
    case .put, .chunk: .put
    default: .post
    }
  }

  var hasPath: Bool {
    switch self {
    case .metadata, .download, .put, .form, .commit, .revisions, .restore, .search, .thumbnail: true
    default: false
    }
  }

  var isContent: Bool {
    switch self {
    case .download, .put, .form, .chunk, .commit, .thumbnail: true
    default: false
    }
  }

  /// False for the longpoll: its cursor suffices, and its host must not see tokens.
  var needsSignIn: Bool { self != .longPoll }

  var onlyReads: Bool { method == .get || self == .delta || self == .latestCursor }
}

struct DropboxV1Call: DropboxCalling {
  let route: DropboxV1Route
  let place: String
  let path: StorePath
  var parameters: [(String, String)]
  /// The body of a `PUT`, or the file of a multipart form.
  var body = HTTPBody.bytes([])
  var sent: (@Sendable (UInt64) -> Void)?
  /// Of a download; nil for the whole file.
  var range: String?
  /// True for a download of a file that is known to be short.
  var isShort = false
  var fileName = ""
  var boundary = ""
  var waitSeconds = 0
  var isLongPoll: Bool { route == .longPoll }

  init(
    _ route: DropboxV1Route, at place: String = "", about path: StorePath, _ parameters: KeyValuePairs<String, String?>
  ) {
    (self.route, self.place, self.path) = (route, place, path)
    self.parameters = parameters.compactMap { name, value in value.map { (name, $0) } }
  }

  /// The progress callback of the request. It reports bytes of the file to `sent`.
  var requestSent: (@Sendable (UInt64) -> Void)? {
    guard route == .form, let sent, let length = body.length else { return sent }
    let head = UInt64(form.head.count)
    return { sent(min($0 - min($0, head), length)) }
  }

  private var form: MultipartForm { MultipartForm(fileName: fileName, boundary: boundary) }

  /// - Parameter authorization: makes the `Authorization` field from method, address and all parameters.
  func request(
    _ server: DropboxServer, root: String, authorization: ((String, String, [(String, String)]) -> String)?
  ) -> HTTPRequest {
    let origin = route == .longPoll ? server.notify : route.isContent ? server.content : server.api
    var url = origin + "/1/" + route.word
    if route.hasPath { url += "/" + PercentEncoding.encoded(root + place, keepingSlashes: true) }
    var signed = parameters
    var request = HTTPRequest(route.method, url, kind: !route.isContent ? .call : isShort ? .shortContent : .content)
    switch route {
    case .put, .chunk:
      request.body = body
      request.headers["Content-Type"] = "application/octet-stream"
    case .form:
      request.body = form.around(body)
      request.headers["Content-Type"] = form.contentType
      // The signature covers the file name as if it were a parameter.
      signed.append(("file", fileName))
    case _ where route.method == .post:
      request.body = .bytes(Array(PercentEncoding.form(parameters).utf8))
      request.headers["Content-Type"] = "application/x-www-form-urlencoded"
    default: break
    }
    if route.method != .post || route == .form, !parameters.isEmpty {
      request.url += "?" + PercentEncoding.form(parameters)
    }
    if let range { request.headers["Range"] = range }
    if let authorization { request.headers["Authorization"] = authorization(route.method.word, url, signed) }
    switch route {
    case .longPoll:
      request.kind = .longPoll
      // Longer than the server waits: the requested seconds plus up to 90 that it may add.
      request.timeouts = HTTPTimeouts(idle: .seconds(waitSeconds + 100), whole: .seconds(waitSeconds + 110))
    // The server responds after all its work, which takes long for a large file or a full folder.
    case .put, .form, .commit, .move, .delete:
      request.timeouts = HTTPTimeouts(
        idle: .seconds(100), whole: request.kind == .call ? HTTPTimeouts.longestCall : nil)
    default: break
    }
    request.isRepeatable = route.onlyReads
    return request
  }
}
