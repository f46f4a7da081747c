/// A picture beside the cells of a canvas. Each of its cells holds the picture as blocks, and a mark that says which
/// picture and which part of it the cell shows. Whatever is drawn over a cell takes its mark away, so a terminal knows
/// at each frame what of a picture is still seen.
public struct CanvasPicture: Sendable {
  /// Equal identities have equal pixels.
  public struct Identity: Hashable, Sendable {
    let source: PictureSource
    let variant: Int

    /// `variant` tells the pixels that were made from one source apart.
    public init(_ source: PictureSource, variant: Int = 0) { (self.source, self.variant) = (source, variant) }

    public static func == (left: Self, right: Self) -> Bool {
      left.source === right.source && left.variant == right.variant
    }

    public func hash(into hasher: inout Hasher) {
      hasher.combine(ObjectIdentifier(source))
      hasher.combine(variant)
    }
  }

  public let identity: Identity
  /// In pixels.
  public let size: Size
  /// The shown part, in pixels.
  public let crop: Rect
  /// The columns and rows of the whole picture, of which the screen may show a part.
  public let cells: Size
  /// True if the crop is stretched over the cells. Otherwise each pixel is a pixel of the terminal, and the last column
  /// and row may be filled in part.
  public let isStretched: Bool
  /// Costly; called once while a terminal remembers the identity.
  public let pixels: @Sendable () -> PicturePixels

  /// `crop` is the whole picture if nil.
  public init(
    _ identity: Identity, size: Size, crop: Rect? = nil, cells: Size, isStretched: Bool,
    pixels: @escaping @Sendable () -> PicturePixels
  ) {
    (self.identity, self.size, self.cells, self.isStretched) = (identity, size, cells, isStretched)
    self.crop = crop ?? Rect(0, 0, size.width, size.height)
    self.pixels = pixels
  }

  /// The same in every canvas of this process. Two pictures of a screen share one with probability 2^-31.
  public var mark: UInt32 {
    var hasher = Hasher()
    hasher.combine(identity)
    hasher.combine(crop)
    hasher.combine(cells)
    hasher.combine(isStretched)
    return Cell.pictureBit | UInt32(truncatingIfNeeded: hasher.finalize())
  }
}

/// The origin of pixels; two objects stand for different pixels.
public final class PictureSource: Sendable {
  public init() {}
}

/// 8 bits each of red, green and blue, rows from the top, no gaps.
public struct PicturePixels: Sendable, Equatable {
  public let width: Int
  public let height: Int
  public let bytes: [UInt8]

  /// Missing bytes are black; the others are cut.
  public init(width: Int, height: Int, bytes: [UInt8]) {
    (self.width, self.height) = (max(1, width), max(1, height))
    let count = 3 * self.width * self.height
    self.bytes =
      bytes.count == count ? bytes : bytes.prefix(count) + [UInt8](repeating: 0, count: max(0, count - bytes.count))
  }
}

extension Cell {
  /// No Unicode scalar has this bit, so the marks of text never do.
  static let pictureBit: UInt32 = 0x8000_0000

  /// The picture that the cell shows; nil for text.
  @inlinable
  public var picture: UInt32? { mark1 >= 0x8000_0000 ? mark1 : nil }

  /// The cell's column and row within its picture.
  public var pictureCell: Point { Point(Int(mark2 & 0xFFFF), Int(mark2 >> 16)) }

  /// This cell as a part of a picture, whose blocks it keeps.
  func showing(_ mark: UInt32, column: Int, row: Int) -> Cell {
    var cell = self
    (cell.mark1, cell.mark2) = (mark, UInt32(row & 0xFFFF) << 16 | UInt32(column & 0xFFFF))
    return cell
  }
}

extension Canvas {
  /// Draws one row of a picture: its blocks, and in their place the picture itself where the terminal can.
  public mutating func picture(
    _ picture: CanvasPicture, row: Int, x: Int, y: Int, _ block: (_ column: Int) -> Cell
  ) {
    let mark = picture.mark
    grid.pictures[mark] = picture
    for column in 0..<min(picture.cells.width, size.width - x) {
      cell(block(column).showing(mark, column: column, row: row), x: x + column, y: y)
    }
  }

  /// Forgets the pictures without cells.
  mutating func forgetPictures() {
    guard !grid.pictures.isEmpty else { return }
    let seen = grid.picturesSeen
    grid.pictures = grid.pictures.filter { seen.contains($0.key) }
  }
}

extension Grid {
  var picturesSeen: Set<UInt32> {
    var seen: Set<UInt32> = []
    var last: UInt32 = 0
    withRows { rows in
      for y in 0..<size.height {
        for cell in rows[y] where cell.mark1 >= Cell.pictureBit && cell.mark1 != last {
          last = cell.mark1
          seen.insert(last)
        }
      }
    }
    return seen
  }

  /// This grid with blank cells in place of pictures that the terminal draws itself. The other pictures stay blocks.
  /// Rows with pictures count as drawn anew.
  public func without(pictures: Set<UInt32>) -> Grid {
    var grid = self
    for y in 0..<size.height {
      var hasPicture = false
      grid.changeRow(y) { cells in
        for x in cells.indices where cells[x].mark1 >= Cell.pictureBit {
          hasPicture = true
          if pictures.contains(cells[x].mark1) {
            cells[x] = .blank
          } else {
            (cells[x].mark1, cells[x].mark2) = (0, 0)
          }
        }
      }
      if hasPicture { grid.drawn[y] = 0 }
    }
    return grid
  }
}
