/// The calls of the API that byteclub uses, each `/2/` and its name.
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

  /// How the argument goes there and the result comes back.
  enum Style: Sendable {
    /// JSON both ways.
    case rpc
    /// The argument in a header field, bytes in the body, JSON back.
    case upload
    /// The argument in a header field, the result in another, bytes back.
    case download
  }

  var style: Style {
    switch self {
    case .download, .downloadZip: .download
    case .upload, .sessionStart, .sessionAppend, .sessionFinish: .upload
    default: .rpc
    }
  }

  /// Whether a token is sent: the longpoll's cursor is enough, and its host is not to see tokens.
  var needsToken: Bool { self != .longPoll }

  /// Whether it changes nothing, so that it may be sent twice.
  var onlyReads: Bool {
    switch self {
    case .listFolder, .listFolderContinue, .latestCursor, .longPoll, .metadata, .download, .downloadZip, .listRevisions,
      .search, .searchContinue, .thumbnails:
      true
    default: false
    }
  }
}
