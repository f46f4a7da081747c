internal import FileStores
internal import JSON

/// What the API says of a file or folder. Fields that are not known are passed over.
struct DropboxMetadata: Sendable {
  enum Kind: Sendable, Equatable {
    case file, folder, deleted
    /// A link, a document that only lives at Dropbox, or a tag that this client does not know.
    case other
  }

  let kind: Kind
  /// The last component, in the case that it was given.
  let name: String
  /// The whole path, folded: the key.
  let lower: String
  /// The whole path; only its last component is sure to have the right case.
  let display: String
  let id: String?
  let revision: Revision?
  let size: UInt64?
  let modified: Timestamp?
  let hash: ContentHash?
  /// When the server took it in.
  let arrived: Timestamp?
  /// Byteclub's own server says so of a version that it could not keep.
  let isKept: Bool

  /// Reads metadata; nil when something is missing that must be there. `kind` is what it is where the protocol leaves
  /// the tag out.
  init?(_ json: JSONValue, kind implied: Kind? = nil) {
    guard let name = json["name"]?.text, !name.isEmpty else { return nil }
    switch json[".tag"]?.text {
    case "file": kind = DropboxMetadata.isPlain(json) ? .file : .other
    case "folder": kind = .folder
    case "deleted": kind = .deleted
    // What a batch says of a file has its own tag in the place.
    case nil, "success":
      guard let implied else { return nil }
      kind = implied == .file && !DropboxMetadata.isPlain(json) ? .other : implied
    default: kind = .other
    }
    self.name = name
    display = json["path_display"]?.text ?? json["path_lower"]?.text ?? "/" + name
    lower = json["path_lower"]?.text ?? display.lowercased()
    id = json["id"]?.text
    revision = json["rev"]?.text.map { Revision($0) }
    size = json["size"]?.count
    let (client, server) = (json["client_modified"]?.text, json["server_modified"]?.text)
    // What a client says of its clock is not believed where it lies after the server's own time.
    modified = [client, server].compactMap { $0.flatMap(DropboxTime.init)?.timestamp }.min()
    arrived = server.flatMap(DropboxTime.init)?.timestamp
    isKept = json["is_kept"]?.boolean != false
    hash = json["content_hash"]?.text.flatMap { ContentHash(hex: $0) }
    if kind == .file, revision == nil || size == nil { return nil }
  }

  /// Neither a link nor a document without bytes.
  private static func isPlain(_ json: JSONValue) -> Bool {
    json["symlink_info"] == nil && json["is_downloadable"]?.boolean != false
  }

  /// What a store says of it. Nil for what was deleted.
  func entry(at path: StorePath) -> FileEntry? {
    let kind: FileEntry.Kind
    switch self.kind {
    case .file: kind = .file
    case .folder: kind = .folder
    case .other: kind = .other
    case .deleted: return nil
    }
    guard kind != .folder else { return FileEntry(path: path, kind: kind) }
    return FileEntry(path: path, kind: kind, size: size, modified: modified, revision: revision, contentHash: hash)
  }

  /// What a history says of a file's version: the time is that of its coming, so that one that was restored is younger
  /// than what was there before.
  func version(at path: StorePath) -> FileEntry? {
    guard kind == .file else { return nil }
    return FileEntry(
      path: path, kind: .file, size: size, modified: arrived ?? modified, revision: revision, contentHash: hash,
      isKept: isKept)
  }
}
