internal import FileStores
internal import JSON

/// What the API says of a file or folder. Fields that are not known are passed over.
struct DropboxV1Metadata: Sendable {
  /// The components of the whole path, in the case that it has.
  let parts: [String]
  let isFolder: Bool
  let isDeleted: Bool
  let revision: Revision?
  let size: UInt64?
  let modified: Timestamp?
  /// Of a folder that was listed: a word that changes with anything in it.
  let hash: String?
  /// When the server took it in.
  let arrived: Timestamp?
  /// Byteclub's own server says so of a version that it could not keep.
  let isKept: Bool
  /// Of a folder that was listed: what is in it.
  let contents: [DropboxV1Metadata]?

  /// The last component; empty for the root.
  var name: String { parts.last ?? "" }
  /// The whole path, folded: the key.
  var lower: String { DropboxFolder.fold(path.utf8) }
  /// The whole path, with a leading slash.
  var path: String { parts.map { "/" + $0 }.joined() }

  /// Reads metadata; nil when something is missing that must be there.
  init?(_ json: JSONValue) {
    guard let path = json["path"]?.text, let isFolder = json["is_dir"]?.boolean else { return nil }
    parts = PathText.parts(path)
    self.isFolder = isFolder
    isDeleted = json["is_deleted"]?.boolean == true
    revision = json["rev"]?.text.map { Revision($0) }
    size = json["bytes"]?.count
    // What a client says of its clock is not believed where it lies after the server's own time.
    modified = [json["client_mtime"], json["modified"]].compactMap { $0?.text.flatMap(DropboxV1Metadata.time) }.min()
    hash = json["hash"]?.text
    arrived = json["modified"]?.text.flatMap(DropboxV1Metadata.time)
    isKept = json["is_kept"]?.boolean != false
    if let values = json["contents"]?.elements {
      var contents: [DropboxV1Metadata] = []
      for value in values {
        guard let metadata = DropboxV1Metadata(value) else { return nil }
        contents.append(metadata)
      }
      self.contents = contents
    } else {
      contents = nil
    }
    if !isFolder, !isDeleted, revision == nil || size == nil || parts.isEmpty { return nil }
  }

  /// What a store says of it. Nil for what was deleted.
  func entry(at path: StorePath) -> FileEntry? {
    if isDeleted { return nil }
    if isFolder { return FileEntry(path: path, kind: .folder) }
    return FileEntry(path: path, kind: .file, size: size, modified: modified, revision: revision)
  }

  /// What a history says of a file's version; the time is that of its coming.
  func version(at path: StorePath) -> FileEntry? {
    guard !isDeleted, !isFolder else { return nil }
    return FileEntry(
      path: path, kind: .file, size: size, modified: arrived ?? modified, revision: revision, isKept: isKept)
  }

  /// A date as the API writes it: `Sat, 10 Aug 2013 23:21:03 +0000`.
  private static func time(_ text: String) -> Timestamp? {
    guard text.hasSuffix(" +0000") else { return nil }
    return HTTPDate.seconds(of: text.dropLast(5) + "GMT").map { Timestamp(seconds: $0) }
  }
}
