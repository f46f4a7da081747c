public import FileStores

/// Some of the files in a folder as the member saw them: they show later if the folder at its path is still the same one.
public struct FolderSight: Sendable, Hashable {
  /// Enough to know a folder in which others have changed much.
  private static let most = 256
  private static let fields = 4
  /// Begins each row: an empty blob would be NULL.
  private static let version: UInt8 = 1

  /// By their paths in the folder.
  private let files: [StorePath: FileEntry]

  /// - Parameter entries: all that is in the folder.
  public init(_ folder: StorePath, _ entries: [FileEntry]) {
    let all = entries.filter { $0.kind == .file }
    let step = max(1, (all.count + FolderSight.most - 1) / FolderSight.most)
    self.init(
      files: stride(from: 0, to: all.count, by: step).map { index in
        let file = all[index]
        return FileEntry(
          path: FolderSight.name(of: file, in: folder), kind: .file, size: file.size, revision: file.revision,
          contentHash: file.contentHash)
      })
  }

  private init(files: [FileEntry]) { self.files = Dictionary(files.map { ($0.path, $0) }) { first, _ in first } }

  public var isEmpty: Bool { files.isEmpty }

  /// True if one of the files is in the folder as the member saw it, or as others have written on in it.
  /// - Parameters:
  ///   - entries: all that is in the folder now.
  ///   - latest: the newest known revision of the file that had this one.
  public func knows(
    _ folder: StorePath, _ entries: [FileEntry], latest: (Revision) -> Revision = { $0 }
  ) -> Bool {
    entries.contains { now in
      guard now.kind == .file, let seen = files[FolderSight.name(of: now, in: folder)] else { return false }
      return FolderSight.isSame(seen, now) || now.revision != nil && seen.revision.map(latest) == now.revision
    }
  }

  /// A store without letter case may spell the folder another way.
  private static func name(of file: FileEntry, in folder: StorePath) -> StorePath {
    let parts = file.path.components.dropFirst(folder.components.count)
    return .root.descending(Array(parts.joined(separator: [UInt8(ascii: "/")]))[...])
  }

  private static func isSame(_ seen: FileEntry, _ now: FileEntry) -> Bool {
    if let old = seen.contentHash, let new = now.contentHash { return old == new }
    if let revision = seen.revision, revision == now.revision { return true }
    // Some stores give moved files another revision.
    return seen.size.map { $0 == now.size } ?? true
  }

  /// As a row of the outbox has it; nil for anything else.
  init?(_ bytes: [UInt8]) {
    guard bytes.first == FolderSight.version, bytes.count == 1 || bytes.last == 0 else { return nil }
    let parts = bytes.dropFirst().split(separator: 0, omittingEmptySubsequences: false).dropLast()
    guard parts.count.isMultiple(of: FolderSight.fields) else { return nil }
    var files: [FileEntry] = []
    for start in stride(from: 0, to: parts.count, by: FolderSight.fields) {
      guard let path = storedPath(Array(parts[start])) else { return nil }
      let (revision, hash, size) = (text(parts[start + 1]), text(parts[start + 2]), text(parts[start + 3]))
      files.append(
        FileEntry(
          path: path, kind: .file, size: UInt64(size), revision: revision.isEmpty ? nil : Revision(revision),
          contentHash: ContentHash(hex: hash)))
    }
    self.init(files: files)
    func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
  }

  /// Path, revision, content hash and size of each file, and a zero byte after each of them: none of them has one.
  var bytes: [UInt8] {
    [FolderSight.version]
      + files.values.sorted { $0.path < $1.path }.flatMap { file in
        let texts = [file.revision?.value ?? "", file.contentHash?.hex ?? "", file.size.map { "\($0)" } ?? ""]
        return file.path.bytes + [0] + texts.flatMap { Array($0.utf8) + [0] }
      }
  }
}
