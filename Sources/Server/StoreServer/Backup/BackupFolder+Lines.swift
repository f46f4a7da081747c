import Basics
import FileStores

extension BackupFolder {
  /// More than the longest path, encoded.
  private static let longestLine = 16 << 10
  private static let pageBytes = 256 << 10

  /// Some lines of a backup's list from a byte on, and the byte after them, so that a list of any length takes little
  /// memory; no lines at the end.
  /// - Throws: `corrupt` for anything that is no line.
  func lines(of manifest: BackupManifest, at offset: UInt64) throws(StoreError) -> (lines: [BackupLine], end: UInt64) {
    let name = manifest.list.name
    let bytes: [UInt8]
    do throws(SystemError) {
      bytes = try OpenFile(reading: directory.path(of: name)).read(from: offset, count: BackupFolder.pageBytes)
    } catch {
      throw .system(error.code, "read", directory.path(of: name))
    }
    guard let end = bytes.lastIndex(of: UInt8(ascii: "\n")) else {
      guard bytes.isEmpty else { throw damaged(name) }
      return ([], offset)
    }
    var lines: [BackupLine] = []
    for text in bytes[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      guard text.count <= BackupFolder.longestLine,
        let line = BackupLine(Substring(String(decoding: text, as: UTF8.self)))
      else { throw damaged(name) }
      lines.append(line)
    }
    return (lines, offset + UInt64(end) + 1)
  }

  /// False if the content is missing, damaged, or on a part of the disk that cannot be read.
  /// - Throws: `notPermitted` if this user may not read it.
  func isWhole(_ hash: ContentHash, _ size: UInt64) throws(StoreError) -> Bool {
    guard holds(hash, size) else { return false }
    do throws(StoreError) { return try isSound(hash) } catch {
      guard error.kind == .server else { throw error }
      return false
    }
  }

  /// Looks at all of a backup before anything is restored.
  /// - Throws: `corrupt`.
  func check(_ manifest: BackupManifest) throws(StoreError) {
    for part in manifest.parts { try check(part) }
    var offset: UInt64 = 0
    while true {
      let page = try lines(of: manifest, at: offset)
      if page.lines.isEmpty { return }
      offset = page.end
    }
  }
}
