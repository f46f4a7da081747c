import Database

/// How much of a folder goes into one archive.
struct ArchiveLimits: Sendable {
  /// Files and folders, with the folder itself.
  var entries = 10_000
  /// The size that no file in it may have.
  var fileBytes: UInt64 = 4 << 30
  /// The most that all files may have together.
  var totalBytes: UInt64 = 20 << 30

  /// Whether files are small enough, each and all together.
  func mayHold(_ nodes: [ServerNode]) -> Bool {
    var left = totalBytes
    for node in nodes {
      guard node.size < fileBytes, node.size <= left else { return false }
      left -= node.size
    }
    return true
  }
}
