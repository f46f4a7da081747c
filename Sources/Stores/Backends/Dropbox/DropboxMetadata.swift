internal import Basics
internal import FileStores
internal import JSON
internal import Synchronization

struct DropboxMetadata: DropboxListed {
  enum Kind: Sendable, Equatable {
    case file, folder, deleted
    /// A link, a document without bytes, or an unknown tag.
    case other
  }

  let kind: Kind
  let name: String
  /// The folded path, which identifies an entry.
  let lower: String
  /// Only the last component is sure to have its original case.
  let display: String
  let id: String?
  let revision: Revision?
  let size: UInt64?
  let modified: Timestamp?
  let hash: ContentHash?
  let arrived: Timestamp?
  /// False for a version without content at the server. Only byteclub's own server reports this.
  let isKept: Bool
  /// The id of the account that wrote the file. Dropbox reports it only in shared folders.
  let author: String?

  /// Returns nil if a required field is missing. `implied` is the kind if the protocol omits the tag. With `isListed`,
  /// a file may lack size and revision: one bad entry does not spoil a list.
  init?(_ json: JSONValue, kind implied: Kind? = nil, isListed: Bool = false) {
    guard let name = json["name"]?.text, !name.isEmpty else { return nil }
    switch json[".tag"]?.text {
    case "file": kind = DropboxMetadata.isPlain(json) ? .file : .other
    case "folder": kind = .folder
    case "deleted": kind = .deleted
    // The result of a batch has its own tag here.
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
    // A client's time is ignored if it is later than the server's.
    modified = [client, server].compactMap { $0.flatMap(DropboxTime.init)?.timestamp }.min()
    arrived = server.flatMap(DropboxTime.init)?.timestamp
    isKept = json["is_kept"]?.boolean != false
    author = json["sharing_info"]?["modified_by"]?.text
    hash = json["content_hash"]?.text.flatMap { ContentHash(hex: $0) }
    if kind == .file, !isListed, revision == nil || size == nil { return nil }
  }

  private static func isPlain(_ json: JSONValue) -> Bool {
    json["symlink_info"] == nil && json["is_downloadable"]?.boolean != false
  }

  func entry(at path: StorePath, _ authors: DropboxAuthors) -> FileEntry? {
    let kind: FileEntry.Kind
    switch self.kind {
    case .file: kind = .file
    case .folder: kind = .folder
    case .other: kind = .other
    case .deleted: return nil
    }
    guard kind != .folder else { return FileEntry(path: path, kind: kind) }
    return FileEntry(
      path: path, kind: kind, size: size, modified: modified, revision: revision, contentHash: hash,
      member: authors.name(of: author))
  }

  /// The entry for a history. Its time is the upload's, so a restored version is younger than older ones.
  func version(at path: StorePath, _ authors: DropboxAuthors) -> FileEntry? {
    guard kind == .file else { return nil }
    return FileEntry(
      path: path, kind: .file, size: size, modified: arrived ?? modified, revision: revision, contentHash: hash,
      member: authors.name(of: author), isKept: isKept)
  }
}

/// Folder names in their original case, by folded path: the API returns that case only for the last component.
final class DropboxNames: Sendable {
  private static let most = 20_000
  private let folder: DropboxFolder
  private let known = Mutex<[String: StorePath]>([:])

  init(_ folder: DropboxFolder) { self.folder = folder }

  /// The path below the club's folder; nil outside it and for names that no path can hold. Remembers folder names.
  func path(of metadata: DropboxMetadata) -> StorePath? {
    let lower = PathText.parts(metadata.lower)
    guard lower.count > folder.depth else { return nil }
    guard let path = try? parent(metadata, lower).appending(metadata.name) else { return nil }
    known.withLock { known in
      switch metadata.kind {
      case .folder:
        if known.count >= DropboxNames.most { known.removeAll() }
        known[metadata.lower] = path
      case .deleted: known[metadata.lower] = nil
      case .file, .other: break
      }
    }
    return path
  }

  private func parent(_ metadata: DropboxMetadata, _ lower: [String]) throws(StoreError) -> StorePath {
    if lower.count == folder.depth + 1 { return .root }
    let key = lower.dropLast().map { "/" + $0 }.joined()
    if let path = known.withLock({ $0[key] }) { return path }
    let display = PathText.parts(metadata.display)
    let parts = display.count == lower.count ? display : lower
    return try StorePath(parts[folder.depth..<(parts.count - 1)].joined(separator: "/"))
  }
}

/// A time of the API: `2015-05-12T15:50:38Z`, in UTC. Fractions are dropped.
struct DropboxTime: Sendable {
  let timestamp: Timestamp

  init?(_ text: String) {
    guard text.hasSuffix("Z"), let seconds = HTTPDate.seconds(ofUTC: text) else { return nil }
    timestamp = Timestamp(seconds: seconds)
  }

  /// In whole seconds, as the API takes them.
  static func text(_ time: Timestamp) -> String { CivilTime(secondsSince1970: Int(time.seconds)).utc }
}
