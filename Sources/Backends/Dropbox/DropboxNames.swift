internal import FileStores
internal import Synchronization

/// The folders' names in their right case, by folded path: what the API says of a file has only the file's own name so.
final class DropboxNames: Sendable {
  private static let most = 20_000
  private let folder: DropboxFolder
  private let known = Mutex<[String: StorePath]>([:])

  init(_ folder: DropboxFolder) { self.folder = folder }

  /// Where something lies, below the club's folder; nil for what does not, and for names that no path can hold.
  /// What it says of folders is remembered for what lies in them.
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
