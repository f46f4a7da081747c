public import Basics
public import FileStores

extension ClubBackup {
  public struct Check: Sendable {
    public var club = ""
    /// Seconds since 1970.
    public var made: Int64 = 0
    public var files = 0
    public var versions = 0
    /// Paths and old versions that cannot be restored.
    public var damaged: [String] = []
  }

  /// Reads all of the newest backup in a directory, without the club, and changes nothing.
  /// - Throws: `notFound` without a whole backup; `corrupt` if more is damaged than contents.
  public static func check(_ path: String, pool: BlockingPool) async throws(StoreError) -> Check {
    try await pool.run { () throws(StoreError) in
      let folder = try BackupFolder(opening: path, pool: pool)
      defer { folder.unlock() }
      let manifest = try folder.newest()
      try folder.check(manifest)
      var check = Check()
      (check.club, check.made) = (manifest.club, manifest.made)
      // Files and old versions share contents.
      var known: [ContentHash: Bool] = [:]
      var offset: UInt64 = 0
      while true {
        let page = try folder.lines(of: manifest, at: offset)
        if page.lines.isEmpty { return check }
        offset = page.end
        for line in page.lines {
          let (hash, size): (ContentHash, UInt64)
          switch line {
          case .folder: continue
          case .file(_, let content, let bytes, _):
            (hash, size) = (content, bytes)
            check.files += 1
          case .version(let content, let bytes):
            (hash, size) = (content, bytes)
            check.versions += 1
          }
          var isWhole = known[hash]
          if isWhole == nil { isWhole = try folder.isWhole(hash, size) }
          known[hash] = isWhole
          if isWhole == false { check.damaged.append(line.name) }
        }
      }
    }
  }
}
