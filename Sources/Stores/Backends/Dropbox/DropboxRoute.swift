internal import FileStores
internal import JSON

/// The routes of the API that byteclub uses, without the prefix `/2/`.
enum DropboxRoute: String, Sendable {
  case listFolder = "files/list_folder"
  case listFolderContinue = "files/list_folder/continue"
  case latestCursor = "files/list_folder/get_latest_cursor"
  case longPoll = "files/list_folder/longpoll"
  case metadata = "files/get_metadata"
  case download = "files/download"
  case downloadZip = "files/download_zip"
  case upload = "files/upload"
  case sessionStart = "files/upload_session/start"
  case sessionAppend = "files/upload_session/append_v2"
  case sessionFinish = "files/upload_session/finish"
  case sessionFinishBatch = "files/upload_session/finish_batch_v2"
  case listRevisions = "files/list_revisions"
  case restore = "files/restore"
  case search = "files/search_v2"
  case searchContinue = "files/search/continue_v2"
  case thumbnails = "files/get_thumbnail_batch"
  case createFolder = "files/create_folder_v2"
  case delete = "files/delete_v2"
  case move = "files/move_v2"
  case accounts = "users/get_account_batch"
  case spaceUsage = "users/get_space_usage"
  case makeLink = "sharing/create_shared_link_with_settings"
  case listLinks = "sharing/list_shared_links"
  case linkMetadata = "sharing/get_shared_link_metadata"
  case revokeLink = "sharing/revoke_shared_link"
  /// Of byteclub's own server alone.
  case dropPage = "byteclub/drop_page"
  case about = "byteclub/about"
  case show = "byteclub/show"
  case watch = "byteclub/watch"

  enum Style: Sendable {
    /// JSON both ways.
    case rpc
    /// Argument in a header field, bytes in the request body, JSON result.
    case upload
    /// Argument and result in header fields, bytes in the response body.
    case download
  }

  var style: Style {
    switch self {
    case .download, .downloadZip: .download
    case .upload, .sessionStart, .sessionAppend, .sessionFinish: .upload
    default: .rpc
    }
  }

  /// False for the longpoll: its cursor suffices, and its host must not see tokens.
  var needsToken: Bool { self != .longPoll && self != .about }

  var onlyReads: Bool {
    switch self {
    case .listFolder, .listFolderContinue, .latestCursor, .longPoll, .metadata, .download, .downloadZip, .listRevisions,
      .search, .searchContinue, .thumbnails, .accounts, .spaceUsage, .listLinks, .linkMetadata, .about, .watch:
      true
    default: false
    }
  }
}

struct DropboxCall: DropboxCalling {
  let route: DropboxRoute
  let argument: JSONValue
  let path: StorePath
  var body = HTTPBody.bytes([])
  var sent: (@Sendable (UInt64) -> Void)?
  /// Of a download; nil for the whole file.
  var range: String?
  /// True for a download of a file that is known to be short.
  var isShort = false
  var isLongPoll: Bool { route == .longPoll }
  var requestSent: (@Sendable (UInt64) -> Void)? { sent }

  init(_ route: DropboxRoute, _ argument: JSONValue, about path: StorePath) {
    (self.route, self.argument, self.path) = (route, argument, path)
  }

  /// Longer than the server waits: the requested seconds plus up to 90 that it may add.
  private var longPollTimeouts: HTTPTimeouts {
    let asked = Int64(argument["timeout"]?.count ?? 30)
    return HTTPTimeouts(idle: .seconds(asked + 100), whole: .seconds(asked + 110))
  }

  /// The token is sent in the `Authorization` field only, to the server's own origins only.
  func request(_ server: DropboxServer, token: String?) -> HTTPRequest {
    var request: HTTPRequest
    let text = argument.ascii
    let target = "/2/" + route.rawValue
    switch route.style {
    case .rpc:
      // Thumbnails are content, although they come as JSON.
      let origin = route == .longPoll ? server.notify : route == .thumbnails ? server.content : server.api
      request = HTTPRequest(
        .post, origin + target, body: .bytes(Array(text.utf8)), kind: route == .thumbnails ? .content : .call)
      request.headers["Content-Type"] = "application/json"
      if route == .longPoll {
        request.kind = .longPoll
        request.timeouts = longPollTimeouts
      } else if route == .watch {
        request.kind = .longPoll
        request.timeouts = DropboxPresence.timeouts
      }
    case .upload, .download:
      request = HTTPRequest(.post, server.content + target, kind: isShort ? .shortContent : .content)
      request.headers["Dropbox-API-Arg"] = text
      // Also for a download with its empty body: otherwise the POST counts as a form.
      request.headers["Content-Type"] = "application/octet-stream"
      if route.style == .upload {
        request.body = body
      }
      if let range { request.headers["Range"] = range }
    }
    switch route {
    // The server responds after all its work, which takes long for a large file or a full folder.
    case .sessionFinish, .sessionFinishBatch, .move, .delete, .upload, .restore, .thumbnails, .downloadZip:
      request.timeouts = HTTPTimeouts(
        idle: .seconds(100), whole: request.kind == .call ? HTTPTimeouts.longestCall : nil)
    default: break
    }
    if let token { request.headers["Authorization"] = "Bearer " + token }
    request.isRepeatable = route.onlyReads
    return request
  }
}
