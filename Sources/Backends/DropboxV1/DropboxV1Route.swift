/// The calls of the API that byteclub uses, each `/1/` and its name.
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

  /// What follows `/1/` in the address.
  var word: String { self == .form ? "files" : rawValue }

  var method: HTTPMethod {
    switch self {
    case .account, .metadata, .download, .longPoll, .revisions, .search, .thumbnail: .get
    case .put, .chunk: .put
    default: .post
    }
  }

  /// Whether the path is in the address, after the root.
  var hasPath: Bool {
    switch self {
    case .metadata, .download, .put, .form, .commit, .revisions, .restore, .search, .thumbnail: true
    default: false
    }
  }

  /// Whether files' bytes, or pictures of them, are in it.
  var isContent: Bool {
    switch self {
    case .download, .put, .form, .chunk, .commit, .thumbnail: true
    default: false
    }
  }

  /// Whether the request is signed: the cursor of a longpoll is enough, and its host is not to see tokens.
  var needsSignIn: Bool { self != .longPoll }

  /// Whether it changes nothing, so that it may be sent twice.
  var onlyReads: Bool { method == .get || self == .delta || self == .latestCursor }
}
