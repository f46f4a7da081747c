internal import POSIX
internal import TextUI

/// kitty's protocol inside tmux: the picture goes around tmux, and cells of text that tmux knows stand for it (kitty's
/// Unicode placeholders). tmux then moves, covers and repaints the picture like text.
struct PlaceholderDriver: PictureDriver {
  /// Two numbers make an id: the colour of the cells, and the byte of their third mark. The second one tells the
  /// processes in tmux's panes apart.
  private struct Image {
    var identity: CanvasPicture.Identity
    let number: Int
    let cells: Size
  }

  private static let placeholder: Unicode.Scalar = "\u{10EEEE}"

  private let process: Int
  private var images: [Image] = []
  /// Images that the terminal may keep although the screen was lost.
  private var lost: [Int] = []
  /// For each cell of the screen: image, row and column; 0 for others.
  private var cells: [Int] = []
  private var size = Size(0, 0)
  private var old: [Int] = []

  init(process: Int = Int(getpid())) { self.process = 1 + process % 255 }

  var isInCells: Bool { true }

  mutating func show(_ parts: [PicturePart], _ frame: PictureFrame) -> [UInt8] {
    var bytes: [UInt8] = []
    let marks = Set(parts.map(\.mark))
    for number in lost { bytes += remove(number) }
    lost = []
    let before = images
    images = []
    for mark in marks.sorted() {
      guard let picture = frame.pictures[mark], let part = parts.first(where: { $0.mark == mark }) else { continue }
      show(picture, part, frame, before, marks, &bytes)
    }
    for image in before where !images.contains(where: { $0.number == image.number }) {
      bytes += remove(image.number)
    }
    paint(parts, frame, &bytes)
    return bytes
  }

  mutating func forget() {
    lost += images.map(\.number)
    (images, cells, size) = ([], [], Size(0, 0))
  }

  var leaving: [UInt8] { images.flatMap { remove($0.number) } }

  /// A picture that takes the place of one of the same size takes its number: then no cell changes.
  private mutating func show(
    _ picture: CanvasPicture, _ part: PicturePart, _ frame: PictureFrame, _ before: [Image], _ marks: Set<UInt32>,
    _ bytes: inout [UInt8]
  ) {
    if let image = before.first(where: { $0.identity == picture.identity && $0.cells == picture.cells }) {
      return images.append(image)
    }
    let kept = Set(marks.compactMap { frame.pictures[$0]?.identity })
    let taken = Set(images.map(\.number))
    let free = before.first { $0.cells == picture.cells && !kept.contains($0.identity) && !taken.contains($0.number) }
    let used = taken.union(before.map(\.number))
    // Low colours are those of text, which terminals may change.
    let number = free?.number ?? (16..<256).first { !used.contains($0) }
    guard let number, let pixels = frame.pixels(of: part) else { return }
    // The cells cut the picture: it is given whole.
    let whole = PicturePart(
      identity: picture.identity, mark: part.mark, source: picture.crop,
      cells: Rect(0, 0, picture.cells.width, picture.cells.height), isStretched: false)
    let shown = whole.pixels(of: pixels, extent: Size(picture.crop.width, picture.crop.height))
    for sequence in KittySequence.sending(shown, image: id(number)) { bytes += TmuxPassthrough.wrapped(sequence) }
    bytes += command("a=p,U=1,i=\(id(number)),c=\(picture.cells.width),r=\(picture.cells.height),q=2")
    images.append(Image(identity: picture.identity, number: number, cells: picture.cells))
  }

  private func id(_ number: Int) -> Int { process << 24 | number }

  private func remove(_ number: Int) -> [UInt8] { TmuxPassthrough.wrapped(KittySequence.removing(id(number))) }

  private func command(_ keys: String) -> [UInt8] { TmuxPassthrough.wrapped(KittySequence.command(keys)) }

  /// Writes the cells that do not yet stand for their place.
  private mutating func paint(_ parts: [PicturePart], _ frame: PictureFrame, _ bytes: inout [UInt8]) {
    if size != frame.size { cells = [Int](repeating: 0, count: frame.size.width * frame.size.height) }
    size = frame.size
    old = [Int](repeating: 0, count: cells.count)
    swap(&old, &cells)
    for part in parts {
      guard let picture = frame.pictures[part.mark],
        let image = images.first(where: { $0.identity == picture.identity && $0.cells == picture.cells })
      else { continue }
      for y in 0..<part.cells.height {
        var next = -1
        for x in 0..<part.cells.width {
          let place = Point(part.first.x + x, part.first.y + y)
          guard place.x < KittyMarks.all.count, place.y < KittyMarks.all.count else { break }
          let index = (part.cells.y + y) * size.width + part.cells.x + x
          cells[index] = image.number << 40 | place.y << 20 | place.x
          guard old[index] != cells[index] else { continue }
          if next != x {
            bytes.append(moveTo: Point(part.cells.x + x, part.cells.y + y))
            bytes.append("\u{1B}[0;38;5;\(image.number)m")
          }
          next = x + 1
          for scalar in [Self.placeholder, KittyMarks.all[place.y], KittyMarks.all[place.x], KittyMarks.all[process]] {
            bytes += UTF8.encode(scalar).map(Array.init) ?? []
          }
        }
      }
    }
    bytes.append("\u{1B}[0m")
  }
}

enum KittyMarks {
  /// The marks that stand for the numbers from 0 on: the combining marks of class 230 in Unicode 6.0 that decompose into
  /// nothing and are part of no letter (kitty's `rowcolumn-diacritics.txt`).
  static let all: [Unicode.Scalar] = (0x300..<0x1E000).compactMap { value in
    guard !excluded.contains(value), let scalar = Unicode.Scalar(UInt32(value)) else { return nil }
    let properties = scalar.properties
    guard properties.canonicalCombiningClass == .above, properties.generalCategory == .nonspacingMark,
      let age = properties.age, age.major < 6 || age == (6, 0)
    else { return nil }
    return scalar
  }

  private static let excluded: Set<Int> = [
    0x300, 0x301, 0x302, 0x303, 0x304, 0x306, 0x307, 0x308, 0x309, 0x30A, 0x30B, 0x30C, 0x30F, 0x311, 0x313, 0x314,
    0x340, 0x341, 0x342, 0x343, 0x344, 0x653, 0x654,
  ]
}
