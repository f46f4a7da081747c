/// The kinds of picture files that are read here.
public enum PictureFormat: String, Sendable, CaseIterable {
  case jpeg
  case png
  case webp

  /// Tells the format by the first 12 bytes; nil when it is none of these.
  public static func recognise(_ bytes: UnsafeRawBufferPointer) -> PictureFormat? {
    let reader = ByteReader(bytes)
    if reader.has([0xFF, 0xD8, 0xFF], at: 0) { return .jpeg }
    if reader.has([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], at: 0) { return .png }
    if reader.has(Array("RIFF".utf8), at: 0), reader.has(Array("WEBP".utf8), at: 8) { return .webp }
    return nil
  }

  /// Tells the format by a file name's ending, in any case; nil when it is none of `.jpg`, `.jpeg`, `.png`, `.webp`.
  /// A name is no proof: `recognise` looks at the bytes.
  public static func named(_ fileName: String) -> PictureFormat? {
    guard let dot = fileName.utf8.lastIndex(of: UInt8(ascii: ".")), dot != fileName.utf8.startIndex else { return nil }
    switch fileName[fileName.utf8.index(after: dot)...].lowercased() {
    case "jpg", "jpeg": return .jpeg
    case "png": return .png
    case "webp": return .webp
    default: return nil
    }
  }
}
