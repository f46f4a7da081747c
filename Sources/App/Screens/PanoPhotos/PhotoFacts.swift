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
    let changed = info.entry.modified.map { Age.time(of: Int($0.seconds), offset: offset) }
    let facts = PhotoFact.all(of: info, named: "\(info.entry.path)", changed: changed, shownAs: kind)
    let lines = facts.map { fact in
      let line = fact.name + String(repeating: " ", count: max(1, 14 - fact.name.count)) + fact.value
      return line.utf8.map { $0 == 0x0A ? UInt8(ascii: "?") : $0 }
    }
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
}
