internal import ClubServices
internal import FileStores
internal import Imaging
internal import TextUI

/// A photo's metadata, over the view in which it was requested.
struct PhotoFacts: PhotosView {
  let places: [KeyCommand.Place] = [.reader]
  private(set) var reader: TextReader

  /// `kind` is how the member sees the photo, `offset` the seconds of their time from UTC at its last change. Replaces
  /// line ends in names, so a name cannot fake a line.
  init(_ info: PhotoInfo, shownAs kind: PictureKind?, offset: Int = 0) {
    let lines = Self.lines(info, kind, offset).map { $0.utf8.map { $0 == 0x0A ? UInt8(ascii: "?") : $0 } }
    reader = TextReader(Array(lines.joined(separator: [0x0A])))
  }

  var footer: [CommandID] { (reader.fits ? [] : [.readerPageDown]) + [.help, .quit] }

  mutating func move(_ command: CommandID) -> Bool {
    reader.move(command)
    return TextReader.scroll(command) != nil
  }

  mutating func scroll(by rows: Int) { reader.scroll(by: rows) }

  /// All but the borders.
  mutating func resize(_ frame: Frame) {
    reader.resize(Size(max(1, frame.size.width - 2), max(1, frame.bodyHeight - 1)))
  }

  func handle(_ command: CommandID, _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    switch command {
    case .close, .quit: state.views.removeLast()
    case .readerFindNext, .readerFindPrevious: frame.say("Find works in lists and notes.")
    default: break
    }
    return []
  }

  func reason(against command: CommandID, _ frame: Frame) -> String? {
    if [.readerFindNext, .readerFindPrevious, .close, .quit].contains(command) { return nil }
    if let end = reader.end(of: command) { return end }
    return TextReader.scroll(command) == nil && KeyCommand.named(command)?.place == .reader || command == .refresh
      ? "These facts are only read." : nil
  }

  func draw(_ state: PhotosState, _ frame: Frame, on canvas: inout Canvas) {
    canvas.text("Information", x: 1, y: 0, style: canvas[.title])
    canvas.inside(Rect(1, 1, canvas.size.width - 2, canvas.size.height - 1)) { reader.draw(on: &$0) }
  }

  private static func lines(_ info: PhotoInfo, _ kind: PictureKind?, _ offset: Int) -> [String] {
    let header = info.header
    let size = header.size
    var lines = [
      "Name          \(info.entry.path)",
      "Size          \(info.entry.size.map { ByteCount.text($0) } ?? "unknown")",
      "Picture       \(size.width) x \(size.height), \(megapixels(size)) megapixels, \(header.format)",
    ]
    if let modified = info.entry.modified {
      lines.append("Changed       \(Age.time(of: Int(modified.seconds), offset: offset))")
    }
    if let captured = header.captured { lines.append("Taken         \(captured.zoned)") }
    let camera = [header.cameraMake, header.cameraModel].compactMap { $0 }.joined(separator: " ")
    if !camera.isEmpty { lines.append("Camera        \(camera)") }
    if header.hasPosition { lines.append("Position      the file contains the place") }
    if let panorama = header.panorama { lines += facts(panorama) }
    let guess = PictureGeometry(header)
    let isGuess = kind == nil || kind == guess.kind
    lines.append("Shown as      \((kind ?? guess.kind).word)\(isGuess ? ". \(guess.reason)" : " (your choice).")")
    lines += header.partsNotShown.map { "Not shown     \($0)" }
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
