internal import TextUI

/// Decides for each frame what the terminal draws as a picture, and what it erases.
struct PictureStage {
  private var driver: (any PictureDriver)?
  private var mode = GraphicsMode.halfBlocks
  private var cell = Size(10, 20)
  private var sharesMemory = false
  /// The cells under pictures after the last frame.
  private var covered: [Rect] = []

  struct Frame {
    /// The cells of the text; blank under pictures.
    let grid: Grid
    /// Written before the text, and after it.
    let before: [UInt8]
    let after: [UInt8]
  }

  /// The cell is in pixels. Everything is placed anew. Returns the bytes that remove what the old mode has shown.
  /// - Parameter sharesMemory: the terminal reads pictures in this machine's shared memory.
  mutating func use(_ mode: GraphicsMode, cell: Size, sharesMemory: Bool = false) -> [UInt8] {
    guard mode != self.mode || cell != self.cell || sharesMemory != self.sharesMemory else { return [] }
    var leaving: [UInt8] = []
    if mode == self.mode, sharesMemory == self.sharesMemory {
      driver?.forget()
    } else {
      leaving = driver?.leaving ?? []
      driver =
        switch mode {
        case .halfBlocks, .quadrants, .sextants: nil
        case .sixel: SixelDriver()
        case .iTerm2: ITerm2Driver()
        case .kitty: KittyDriver(sharesMemory ? SharedPictures() : nil)
        case .kittyInTmux: PlaceholderDriver()
        }
    }
    (self.mode, self.cell, self.sharesMemory) = (mode, cell, sharesMemory)
    return leaving
  }

  /// The screen was lost, or is repainted.
  mutating func forget() {
    driver?.forget()
    covered = []
  }

  var leaving: [UInt8] { driver?.leaving ?? [] }

  var hasPictures: Bool { !covered.isEmpty }

  /// nil if neither this frame nor the last one has pictures that the terminal draws.
  mutating func frame(of grid: Grid) -> Frame? {
    guard driver != nil, !grid.pictures.isEmpty || hasPictures else { return nil }
    let parts = PictureLayout.parts(of: grid, cell: cell)
    guard !parts.isEmpty || hasPictures else { return nil }
    let frame = PictureFrame(pictures: grid.pictures, cell: cell, size: grid.size)
    let cells = parts.map(\.cells)
    let before = driver?.isInCells == true ? Self.erasing(covered, except: cells, in: grid.size) : []
    let after = driver?.show(parts, frame) ?? []
    covered = cells
    return Frame(grid: grid.without(pictures: Set(parts.map(\.mark))), before: before, after: after)
  }

  /// Writes spaces on cells that pictures have left. ncurses takes these cells for blank, and would not write them.
  private static func erasing(_ old: [Rect], except new: [Rect], in size: Size) -> [UInt8] {
    var bytes: [UInt8] = []
    for rect in old where !new.contains(rect) {
      for y in rect.y..<min(size.height, rect.y + rect.height) {
        var x = rect.x
        let end = min(size.width, rect.x + rect.width)
        while x < end {
          if let kept = new.first(where: { $0.contains(Point(x, y)) }) {
            x = kept.x + kept.width
            continue
          }
          var last = x + 1
          while last < end, !new.contains(where: { $0.contains(Point(last, y)) }) { last += 1 }
          if bytes.isEmpty { bytes.append("\u{1B}[0m") }
          bytes.append(moveTo: Point(x, y))
          bytes += [UInt8](repeating: 0x20, count: last - x)
          x = last
        }
      }
    }
    return bytes
  }
}
