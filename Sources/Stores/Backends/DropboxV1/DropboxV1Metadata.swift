internal import Basics
internal import FileStores
internal import JSON

/// Unknown fields are ignored.
struct DropboxV1Metadata: DropboxListed {
  let parts: [String]
  let isFolder: Bool
  let isDeleted: Bool
  let revision: Revision?
  let size: UInt64?
  let modified: Timestamp?
  /// A value that changes with anything in the folder. Only listed folders have it, and `contents`.
  let hash: String?
  let arrived: Timestamp?
  /// False for a version without content at the server. Only byteclub's own server reports this.
  let isKept: Bool
  /// The name of the member who wrote the file. Dropbox reported it only in shared folders.
  let author: String?
  let contents: [DropboxV1Metadata]?
  let unreadable: Int

  var name: String { parts.last ?? "" }
  /// Folded. The key of an entry.
  var lower: String { DropboxFolder.fold(path.utf8) }
  var path: String { parts.map { "/" + $0 }.joined() }

  /// Returns nil if a required field is missing. With `isListed`, a file may lack size and revision: one bad entry does
  /// not spoil a list.
  init?(_ json: JSONValue, isListed: Bool = false) {
    guard let path = json["path"]?.text, let isFolder = json["is_dir"]?.boolean else { return nil }
    parts = PathText.parts(path)
    self.isFolder = isFolder
    isDeleted = json["is_deleted"]?.boolean == true
    revision = json["rev"]?.text.map { Revision($0) }
    size = json["bytes"]?.count
    // A client's time is ignored if it is later than the server's.
    modified = [json["client_mtime"], json["modified"]].compactMap { $0?.text.flatMap(DropboxV1Metadata.time) }.min()
    hash = json["hash"]?.text
    arrived = json["modified"]?.text.flatMap(DropboxV1Metadata.time)
    isKept = json["is_kept"]?.boolean != false
    author = json["modifier"]?["display_name"]?.text
    let listed = json["contents"]?.elements
    contents = listed?.compactMap { DropboxV1Metadata($0, isListed: true) }
    unreadable = (listed?.count ?? 0) - (contents?.count ?? 0)
    if isFolder || isDeleted { return }
    if parts.isEmpty || (!isListed && (revision == nil || size == nil)) { return nil }
  }

  func entry(at path: StorePath) -> FileEntry? {
    if isDeleted { return nil }
    if isFolder { return FileEntry(path: path, kind: .folder) }
    return FileEntry(path: path, kind: .file, size: size, modified: modified, revision: revision, member: author)
  }

  func version(at path: StorePath) -> FileEntry? {
    guard !isDeleted, !isFolder else { return nil }
    return FileEntry(
      path: path, kind: .file, size: size, modified: arrived ?? modified, revision: revision, member: author,
      isKept: isKept)
  }

  /// Parses the API's format, `Sat, 10 Aug 2013 23:21:03 +0000`.
  private static func time(_ text: String) -> Timestamp? {
    guard text.hasSuffix(" +0000") else { return nil }
    return HTTPDate.seconds(of: text.dropLast(5) + "GMT").map { Timestamp(seconds: $0) }
  }
}
