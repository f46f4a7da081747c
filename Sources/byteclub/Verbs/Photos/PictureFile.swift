import FileStores
import Imaging
import TextUI
import Transfers

/// Picture files of this machine.
enum PictureFile {
  /// More than this is not read at once.
  static let largestBytes = 512 << 20

  /// A file's bytes.
  static func read(_ path: String, _ pool: BlockingPool, limit: Int) async throws(StoreError) -> [UInt8] {
    let source = try await FileSource(path: path, pool: pool)
    guard source.size ?? 0 <= UInt64(limit) else {
      throw StoreError(.tooLarge, "\"\(path)\" is larger than \(ByteCount.text(limit)).")
    }
    var reading = try await source.open(at: 0)
    var bytes: [UInt8] = []
    while let chunk = try await reading.next() { bytes += chunk }
    return bytes
  }

  /// Writes a file whole, in place of one that is there.
  static func write(_ bytes: [UInt8], to path: String, _ session: Session) async throws(StoreError) -> Answer {
    if path == "-" {
      guard !session.output.resultsAreShown else {
        throw StoreError(
          .badInput, "byteclub does not print a PNG file on a terminal.", remedy: "Send it to a file or a pipe.")
      }
      session.output.bytes(bytes)
      return Answer()
    }
    let full = LocalDirectory.absolute(path)
    let cut = full.lastIndex(of: "/") ?? full.startIndex
    let name = full[full.index(after: cut)...]
    // Whole or not at all, as every file that byteclub writes: the store of a folder does just that.
    let folder = try session.setup.localFolder(cut == full.startIndex ? "/" : String(full[..<cut]))
    let entry = try await folder.put(
      DataSource(bytes), at: try StorePath.root.appending(String(name)), mode: .overwrite)
    return Answer([Record(.file(entry), line: nil)], notice: "Wrote \"\(path)\".")
  }

  /// What a picture's fault means here.
  static func failure(_ error: ImageError, _ name: String) -> StoreError {
    let kind: StoreError.Kind =
      switch error.kind {
      case .cancelled: .cancelled
      case .tooLarge: .tooLarge
      default: .badInput
      }
    return StoreError(kind, "\"\(name)\": \(error.message)", remedy: error.remedy)
  }
}
