public import Imaging
internal import TextUI

/// A picture in the size in cells at which it is shown: as blocks and, for terminals that show more, as pixels.
public struct ShownPicture: Sendable {
  /// Two pixels a cell; also seen before and instead of pixels.
  public let blocks: HalfBlockPicture
  /// nil if the terminal draws blocks.
  let fine: Pixels?
  /// Of the picture before it was made as large as the cells allow.
  private let original: PixelSize
  private let cell: PixelSize
  private let source = PictureSource()

  public init(_ blocks: HalfBlockPicture) {
    (self.blocks, fine) = (blocks, nil)
    original = HalfBlocks.pixels(columns: blocks.columns, rows: blocks.rows)
    cell = PictureResolution().cell
  }

  /// In the picture's own shape, in at most so many cells.
  /// - Throws: only `cancelled`.
  public init(
    _ pixels: Pixels, columns: Int, rows: Int, in resolution: PictureResolution, isCancelled: () -> Bool = { false }
  ) throws(ImageError) {
    (original, cell) = (pixels.size, resolution.cell)
    guard resolution.blocks != .halves || resolution.hasPixels else {
      (blocks, fine) = (
        try HalfBlocks.picture(pixels, columns: columns, rows: rows, isCancelled: isCancelled), nil
      )
      return
    }
    let largest = Self.largest(original, in: Size(columns, rows), of: cell)
    let fine = try Resampler.resize(pixels, to: largest.pixels, isCancelled: isCancelled)
    let cells = largest.cells
    guard resolution.hasPixels else {
      let size = PixelSize(width: cells.width * cell.width, height: cells.height * cell.height)
      blocks = HalfBlockPicture(
        try Resampler.resize(fine, to: size, isCancelled: isCancelled), in: resolution.blocks)
      self.fine = nil
      return
    }
    let size = HalfBlocks.pixels(columns: cells.width, rows: cells.height)
    blocks = HalfBlockPicture(try Resampler.resize(fine, to: size, isCancelled: isCancelled))
    self.fine = fine
  }

  private static func largest(
    _ size: PixelSize, in box: Size, of cell: PixelSize
  ) -> (pixels: PixelSize, cells: Size) {
    let box = PixelSize(width: max(1, box.width) * cell.width, height: max(1, box.height) * cell.height)
    let pixels = size.scaled(toFit: box)
    return (
      pixels, Size((pixels.width + cell.width - 1) / cell.width, (pixels.height + cell.height - 1) / cell.height)
    )
  }

  var columns: Int { blocks.columns }
  var rows: Int { blocks.rows }

  /// The width divided by the height.
  var shape: Float { Float(original.width) / Float(max(1, original.height)) }

  /// True if the picture would be as large if it were made for this box.
  func isFitted(into box: Size) -> Bool {
    Self.largest(original, in: box, of: cell).cells == Size(columns, rows)
  }

  /// nil without finer pixels.
  var picture: CanvasPicture? {
    guard let fine else { return nil }
    return CanvasPicture(
      .init(source), size: Size(fine.width, fine.height), cells: Size(columns, rows), isStretched: false,
      pixels: { PicturePixels(fine) })
  }
}

/// The pixels in which a terminal shows pictures.
public struct PictureResolution: Hashable, Sendable {
  /// The square pixels of a cell.
  var cell: PixelSize
  var hasPixels: Bool
  var blocks: Mosaic

  /// Half-blocks.
  public init() { (cell, hasPixels, blocks) = (HalfBlocks.pixels(columns: 1, rows: 1), false, .halves) }

  init(_ abilities: TerminalAbilities) {
    let size = abilities.pixelsOfCell
    cell = PixelSize(width: size.width, height: size.height)
    hasPixels = abilities.graphics.hasPixels
    blocks =
      switch abilities.graphics {
      case .quadrants: .quadrants
      case .sextants: .sextants
      case .halfBlocks, .sixel, .iTerm2, .kitty, .kittyInTmux: .halves
      }
    // Characters by brightness have no finer blocks.
    if abilities.colors == .none || abilities.asciiOnly, !hasPixels { self = PictureResolution() }
  }
}

extension PicturePixels {
  init(_ pixels: Pixels) { self.init(width: pixels.width, height: pixels.height, bytes: pixels.bytes) }
}
