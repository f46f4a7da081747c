import Foundation
import TestKit
import TextUI

@testable import CursesTerminal

/// A screen of 12 x 7 cells of 4 x 6 pixels, painted through a stage onto a terminal that shows pictures.
struct PictureScene {
  static let cell = Size(4, 6)
  static let size = Size(12, 7)

  let mode: GraphicsMode
  var stage = PictureStage()
  var terminal = PictureTerminal(size, cell: cell, marks: KittyMarks.all)
  /// The bytes of the last frame.
  private(set) var bytes: [UInt8] = []

  /// The names of this process's pictures in shared memory.
  static var sharedObjects: Set<String> {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/dev/shm")) ?? []
    return Set(names.filter { $0.hasPrefix("byteclub-\(getpid())-") })
  }

  init(_ mode: GraphicsMode, sharesMemory: Bool = false) {
    self.mode = mode
    _ = stage.use(mode, cell: Self.cell, sharesMemory: sharesMemory)
  }

  /// Paints a frame; returns the grid of its text.
  @discardableResult
  mutating func paint(_ draw: (inout Canvas) -> Void) -> Grid {
    var canvas = Canvas(Self.size)
    draw(&canvas)
    guard let frame = stage.frame(of: canvas.grid) else {
      bytes = []
      return canvas.grid
    }
    bytes = frame.before + frame.after
    terminal.feed(frame.before)
    // As ncurses does: only cells with text are written.
    for y in 0..<Self.size.height {
      for x in 0..<Self.size.width where frame.grid[x, y] != .blank {
        terminal.feed(Array("\u{1B}[\(y + 1);\(x + 1)H\(frame.grid[x, y].text)".utf8))
      }
    }
    terminal.feed(frame.after)
    return frame.grid
  }

  /// A picture in which no two neighbouring pixels are equal.
  static func pixels(_ width: Int, _ height: Int, seed: Int = 0) -> PicturePixels {
    PicturePixels(
      width: width, height: height,
      bytes: (0..<(3 * width * height)).map { UInt8(truncatingIfNeeded: ($0 &+ seed) &* 73 ^ $0 >> 3) })
  }

  /// One that fills some cells exactly.
  static func picture(_ cells: Size, source: PictureSource = PictureSource(), seed: Int = 0) -> CanvasPicture {
    let size = Size(cells.width * cell.width, cells.height * cell.height)
    return CanvasPicture(.init(source, variant: seed), size: size, cells: cells, isStretched: false) {
      pixels(size.width, size.height, seed: seed)
    }
  }

  static func draw(_ picture: CanvasPicture, x: Int, y: Int, on canvas: inout Canvas) {
    for row in 0..<picture.cells.height {
      canvas.picture(picture, row: row, x: x, y: y + row) { _ in
        Cell(base: 0x2580, style: .pixels(0x102030, over: 0x405060))
      }
    }
  }

  /// The colour that the protocol can give a pixel of a picture.
  func color(_ pixels: PicturePixels, _ x: Int, _ y: Int) -> UInt32 {
    let at = 3 * (y * pixels.width + x)
    return UInt32(pixels.bytes[at]) << 16 | UInt32(pixels.bytes[at + 1]) << 8 | UInt32(pixels.bytes[at + 2])
  }

  /// True if the screen shows the pixels from a cell on, but for `hidden` cells. Sixels may differ by the distance of
  /// their colours.
  func shows(_ pixels: PicturePixels, at point: Point, hidden: [Rect] = []) -> Bool {
    let colors = terminal.colors
    let width = Self.size.width * Self.cell.width
    for y in 0..<(Self.size.height * Self.cell.height) {
      for x in 0..<width {
        let place = Point(x / Self.cell.width, y / Self.cell.height)
        let (left, top) = (x - point.x * Self.cell.width, y - point.y * Self.cell.height)
        let isInside = left >= 0 && top >= 0 && left < pixels.width && top < pixels.height
        guard isInside, !hidden.contains(where: { $0.contains(place) }) else {
          if colors[y * width + x] != nil { return false }
          continue
        }
        guard let found = colors[y * width + x], isNear(found, color(pixels, left, top)) else { return false }
      }
    }
    return true
  }

  private func isNear(_ one: UInt32, _ other: UInt32) -> Bool {
    guard mode == .sixel else { return one == other }
    return [16, 8, 0].allSatisfy { abs(Int(one >> $0 & 255) - Int(other >> $0 & 255)) <= 54 }
  }
}
