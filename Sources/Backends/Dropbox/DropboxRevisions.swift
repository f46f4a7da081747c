internal import FileStores
internal import Synchronization

/// Which revisions were seen at which path.
///
/// A put over a revision is refused where the file has changed or was deleted, but the API does not promise that for a
/// path where nothing ever was. Where the revision was seen at the path, something was.
final class DropboxRevisions: Sendable {
  private static let most = 4096
  private let seen = Mutex<[Revision: String]>([:])

  func note(_ entry: FileEntry) {
    guard let revision = entry.revision else { return }
    seen.withLock { seen in
      if seen.count >= DropboxRevisions.most { seen.removeAll() }
      seen[revision] = DropboxFolder.fold(entry.path.bytes)
    }
  }

  func wereSeen(_ revision: Revision, at path: StorePath) -> Bool {
    seen.withLock { $0[revision] } == DropboxFolder.fold(path.bytes)
  }

  /// Whether it can be a revision of this API at all (nine hexadecimal digits or more).
  static func isPossible(_ revision: Revision) -> Bool {
    revision.value.utf8.count >= 9
      && revision.value.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x61...0x66 ~= $0 }
  }
}
