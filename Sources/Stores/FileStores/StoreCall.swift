public enum StoreCallName: String, Sendable, CaseIterable {
  case list, entry, read, put, move, delete, createFolder
  case begin, append, offset, finish, abandon, abandonLost
  case discard, contents, readDiscarded, restore, deleteDiscarded, empty
  case start, wait, poll
  case versions, readVersion, restoreVersion
  case search
  case thumbnails, thumbnail
  case batch, batched
  case readFolder
  case link, dropPage, links, revokeLink
  case adopt
  case show, watch

  /// True if a call whose answer was lost may simply be repeated. The other calls must not happen twice, or hand out
  /// bytes that the caller already has.
  public var isRepeatable: Bool {
    switch self {
    case .list, .entry, .createFolder, .begin, .offset, .abandon, .abandonLost, .contents, .readDiscarded,
      .deleteDiscarded, .start, .poll, .versions, .search, .thumbnails, .thumbnail, .link, .links:
      true
    case .read, .put, .move, .delete, .append, .finish, .discard, .restore, .empty, .wait, .readVersion,
      .restoreVersion, .batch, .batched, .readFolder, .dropPage, .revokeLink, .adopt, .show,
      .watch:
      false
    }
  }
}

/// One call to a store: the member, the path (the root if it concerns none), and words for a log. The words quote paths
/// on one line, and never contain a file's content or the words of a search.
public struct StoreCall<Answer: Sendable>: Sendable {
  public let name: StoreCallName
  public let path: StorePath
  private let requestWords: @Sendable () -> String
  private let answerWords: @Sendable (Answer) -> String

  package init(
    _ name: StoreCallName, _ path: StorePath = .root, _ request: @autoclosure @escaping @Sendable () -> String,
    _ answer: @escaping @Sendable (Answer) -> String = { _ in "done" }
  ) {
    (self.name, self.path, requestWords, answerWords) = (name, path, request, answer)
  }

  public var request: String { requestWords() }
  public func words(for answer: Answer) -> String { answerWords(answer) }
}

extension StoreCall<FileEntry> {
  package static func entry(_ path: StorePath) -> Self { Self(.entry, path, "entry \(path.quoted)", size) }
  package static func read(_ path: StorePath, _ options: ReadOptions) -> Self {
    Self(.read, path, "read \(path.quoted) from \(options.offset)", size)
  }
  package static func put(_ path: StorePath, _ mode: WriteMode) -> Self {
    Self(.put, path, "put \(path.quoted) \(mode.word)", size)
  }
  package static func move(_ path: StorePath, to target: StorePath) -> Self {
    Self(.move, path, "move \(path.quoted) to \(target.quoted)", size)
  }
  package static func finish(_ path: StorePath, _ mode: WriteMode) -> Self {
    Self(.finish, path, "finish upload of \(path.quoted) \(mode.word)", size)
  }
  package static func restore(_ path: StorePath?) -> Self {
    Self(.restore, path ?? .root, "restore from the trash") { $0.path.quoted }
  }
  package static func readVersion(_ path: StorePath) -> Self {
    Self(.readVersion, path, "read a version of \(path.quoted)", size)
  }
  package static func restoreVersion(_ path: StorePath) -> Self {
    Self(.restoreVersion, path, "restore a version of \(path.quoted)", size)
  }
  package static func batched(_ file: BatchFile) -> Self {
    Self(.batched, file.path, "put \(file.path.quoted) \(file.mode.word)", size)
  }
  private static var size: @Sendable (FileEntry) -> String { { $0.size.map { "\($0) bytes" } ?? "folder" } }
}

extension StoreCall<FileEntry?> {
  package static func adopt(_ path: StorePath, _ mode: WriteMode) -> Self {
    Self(.adopt, path, "adopt a file as \(path.quoted) \(mode.word)") { $0 == nil ? "copy it instead" : "done" }
  }
}

extension StoreCall<ListPage> {
  package static func list(_ folder: StorePath, _ options: ListOptions, after cursor: ListCursor?) -> Self {
    let detail = options.detail == .full ? "full" : "names"
    let rest = (options.recursive ? " recursive" : "") + (cursor == nil ? "" : " next")
    return Self(.list, folder, "list \(folder.quoted) \(detail)\(rest)") {
      "\($0.entries.count) entries\($0.unreadable == 0 ? "" : ", \($0.unreadable) unreadable")"
        + ($0.next == nil ? "" : ", more to come")
    }
  }
}

extension StoreCall<Void> {
  package static func delete(_ path: StorePath) -> Self { Self(.delete, path, "delete \(path.quoted)") }
  package static func createFolder(_ path: StorePath) -> Self {
    Self(.createFolder, path, "create folder \(path.quoted)")
  }
  package static var abandon: Self { Self(.abandon, .root, "abandon upload") }
  package static func abandonLost(_ path: StorePath) -> Self {
    Self(.abandonLost, path, "abandon lost uploads of \(path.quoted)")
  }
  /// The address is a secret.
  package static var revokeLink: Self { Self(.revokeLink, .root, "revoke a link") }
  /// A sight is no matter for a log.
  package static var show: Self { Self(.show, .root, "show a sight") }
  package static var watch: Self { Self(.watch, .root, "watch the other members") }
  package static var deleteDiscarded: Self { Self(.deleteDiscarded, .root, "delete from the trash") }
  package static func readFolder(_ files: [FileEntry], below folder: StorePath) -> Self {
    Self(.readFolder, folder, "read \(files.count) files below \(folder.quoted)")
  }
}

extension StoreCall<SharedLink> {
  package static func link(_ path: StorePath) -> Self { Self(.link, path, "link to \(path.quoted)") }
  package static func dropPage(_ folder: StorePath) -> Self {
    Self(.dropPage, folder, "drop page into \(folder.quoted)")
  }
}

extension StoreCall<[SharedLink]> {
  package static func links(_ path: StorePath?) -> Self {
    Self(.links, path ?? .root, "links" + (path.map { " to \($0.quoted)" } ?? "")) { "\($0.count) links" }
  }
}

extension StoreCall<UploadSession> {
  package static func begin(_ path: StorePath) -> Self { Self(.begin, path, "begin upload of \(path.quoted)") }
}

extension StoreCall<UInt64> {
  package static func append(_ count: Int, at offset: UInt64) -> Self {
    Self(.append, .root, "append \(count) bytes at \(offset)") { "now \($0)" }
  }
  package static var offset: Self { Self(.offset, .root, "ask for the upload's offset") { "\($0)" } }
}

extension StoreCall<TrashedFile> {
  package static func discard(_ path: StorePath) -> Self {
    Self(.discard, path, "discard \(path.quoted)") { "\($0.size) bytes" }
  }
}

extension StoreCall<[TrashedFile]> {
  package static var contents: Self { Self(.contents, .root, "trash") { "\($0.count) files" } }
}

extension StoreCall<FileBeginning> {
  package static var readDiscarded: Self {
    Self(.readDiscarded, .root, "read from the trash") { "\($0.bytes.count) bytes" }
  }
}

extension StoreCall<Int> {
  package static var empty: Self { Self(.empty, .root, "empty the trash") { "\($0) files" } }
}

extension StoreCall<ChangeCursor> {
  package static var start: Self { Self(.start, .root, "begin to wait for changes") }
}

extension StoreCall<ChangeSet> {
  package static var wait: Self {
    Self(.wait, .root, "wait for changes") { $0.mustRelist ? "list anew" : "\($0.changes.count)" }
  }
}

extension StoreCall<ChangeSet> {
  package static var poll: Self {
    Self(.poll, .root, "ask for changes") { $0.mustRelist ? "list anew" : "\($0.changes.count)" }
  }
}

extension StoreCall<[FileEntry]> {
  package static func versions(_ path: StorePath) -> Self {
    Self(.versions, path, "versions of \(path.quoted)") { "\($0.count)" }
  }
}

extension StoreCall<[StoreMatch]> {
  package static func search(_ folder: StorePath) -> Self {
    Self(.search, folder, "search below \(folder.quoted)") { "\($0.count) files" }
  }
}

extension StoreCall<[Result<StoreThumbnail, StoreError>]> {
  package static func thumbnails(_ count: Int) -> Self { Self(.thumbnails, .root, "thumbnails of \(count) files") }
}

extension StoreCall<StoreThumbnail> {
  package static func thumbnail(_ path: StorePath) -> Self { Self(.thumbnail, path, "thumbnail of \(path.quoted)") }
}

extension StoreCall<[Result<FileEntry, StoreError>]> {
  package static func batch(_ count: Int) -> Self { Self(.batch, .root, "put \(count) files") }
}

extension WriteMode {
  fileprivate var word: String {
    switch self {
    case .create: "create"
    case .replace: "replace"
    case .overwrite: "overwrite"
    }
  }
}

extension StorePath {
  fileprivate var quoted: String { "\"\(description.onOneLine)\"" }
}
