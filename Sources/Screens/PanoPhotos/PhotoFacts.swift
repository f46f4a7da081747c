internal import ClubServices
internal import FileStores
internal import Imaging
internal import TextUI

/// What is known of a photo, as lines.
enum PhotoFacts {
  /// The lines as a text. A line end in a name begins no line: it could pass for a fact.
  static func reader(_ info: PhotoInfo) -> TextReader {
    let lines = lines(info).map { $0.utf8.map { $0 == 0x0A ? UInt8(ascii: "?") : $0 } }
    return TextReader(Array(lines.joined(separator: [0x0A])))
  }

  private static func lines(_ info: PhotoInfo) -> [String] {
    let header = info.header
    let size = header.size
    var lines = [
      "Name          \(info.entry.path)",
      "Size          \(info.entry.size.map { ByteCount.text($0) } ?? "unknown")",
      "Picture       \(size.width) x \(size.height), \(megapixels(size)) megapixels, \(header.format)",
    ]
    if let modified = info.entry.modified { lines.append("Changed       \(Age.date(of: Int(modified.seconds)))") }
    if let captured = header.captured { lines.append("Taken         \(captured)") }
    let camera = [header.cameraMake, header.cameraModel].compactMap { $0 }.joined(separator: " ")
    if !camera.isEmpty { lines.append("Camera        \(camera)") }
    if header.hasPosition { lines.append("Position      the file contains the place") }
    if let panorama = header.panorama { lines += facts(panorama) }
    if let revision = info.entry.revision { lines.append("Revision      \(revision)") }
    lines.append("Content hash  \(info.contentHash)")
    return lines
  }

  private static func facts(_ panorama: PanoramaFacts) -> [String] {
    var lines: [String] = []
    if let projection = panorama.projection { lines.append("Panorama      \(projection)") }
    if let full = panorama.fullSize { lines.append("Full panorama \(full.width) x \(full.height)") }
    return lines
  }

  private static func megapixels(_ size: PixelSize) -> String {
    let tenths = (size.width * size.height + 50_000) / 100_000
    return "\(tenths / 10).\(tenths % 10)"
  }
}
