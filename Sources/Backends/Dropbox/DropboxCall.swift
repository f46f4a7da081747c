internal import FileStores
internal import JSON

/// One call: a route with its argument, and what becomes a request of it.
struct DropboxCall: Sendable {
  let route: DropboxRoute
  let argument: JSONValue
  /// The path concerned, for errors.
  let path: StorePath
  /// What an upload sends.
  var body = HTTPBody.bytes([])
  /// Hears how many bytes of the body the server can have.
  var sent: (@Sendable (UInt64) -> Void)?
  /// Where a download begins; nil for the beginning.
  var offset: UInt64?

  init(_ route: DropboxRoute, _ argument: JSONValue, about path: StorePath) {
    (self.route, self.argument, self.path) = (route, argument, path)
  }

  /// Longer than the server waits: the seconds that were asked for, and up to 90 that it adds at its own choice.
  private var longPollTimeouts: HTTPTimeouts {
    let asked = Int64(argument["timeout"]?.count ?? 30)
    return HTTPTimeouts(idle: .seconds(asked + 100), whole: .seconds(asked + 110))
  }

  /// The request. Nothing is sent to another origin than the server's; the token goes in its own field alone.
  func request(_ server: DropboxServer, token: String?) -> HTTPRequest {
    var request: HTTPRequest
    let text = argument.ascii
    let target = "/2/" + route.rawValue
    switch route.style {
    case .rpc:
      // Pictures are content, though they come as JSON.
      let origin = route == .longPoll ? server.notify : route == .thumbnails ? server.content : server.api
      request = HTTPRequest(
        .post, origin + target, body: .bytes(Array(text.utf8)), kind: route == .thumbnails ? .content : .call)
      request.headers["Content-Type"] = "application/json"
      if route == .longPoll {
        request.kind = .longPoll
        request.timeouts = longPollTimeouts
      }
    case .upload, .download:
      request = HTTPRequest(.post, server.content + target, kind: .content)
      request.headers["Dropbox-API-Arg"] = text
      // Also for a download, whose body is empty: a POST must not be taken for a form.
      request.headers["Content-Type"] = "application/octet-stream"
      if route.style == .upload {
        request.body = body
      }
      if let offset { request.headers["Range"] = "bytes=\(offset)-" }
    }
    switch route {
    // The answer comes when all is done, which takes its time for a large file or a full folder.
    case .sessionFinish, .sessionFinishBatch, .move, .delete, .upload, .restore, .thumbnails, .downloadZip:
      request.timeouts = HTTPTimeouts(idle: .seconds(100))
    default: break
    }
    if let token { request.headers["Authorization"] = "Bearer " + token }
    request.isRepeatable = route.onlyReads
    return request
  }
}
