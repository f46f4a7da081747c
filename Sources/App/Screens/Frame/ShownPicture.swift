public import Imaging
internal import TextUI

/// A picture in the size in cells at which it is shown: as blocks and, for terminals that show more, as pixels.
public struct ShownPicture: Sendable {
  /// Two pixels a cell; also seen before and instead of pixels.
  public let blocks: HalfBlockPicture
  /// nil if the terminal draws blocks.
  let fine: Pixels?
  /// The width divided by the height.
  let shape: Float
  private let source = PictureSource()

  public init(_ blocks: HalfBlockPicture) {
    (self.blocks, fine) = (blocks, nil)
    shape = Float(blocks.columns) / Float(max(1, 2 * blocks.rows))
  }

  /// In the picture's own shape, in at most so many cells.
  /// - Throws: only `cancelled`.
  public init(
    _ pixels: Pixels, columns: Int, rows: Int, in resolution: PictureResolution, isCancelled: () -> Bool = { false }
  ) throws(ImageError) {
    shape = Float(pixels.width) / Float(max(1, pixels.height))
    guard resolution.blocks != .halves || resolution.hasPixels else {
      (blocks, fine) = (
        try HalfBlocks.picture(pixels, columns: columns, rows: rows, isCancelled: isCancelled), nil
      )
      return
    }
    let pixelsOfCell = resolution.cell
    let box = PixelSize(width: max(1, columns) * pixelsOfCell.width, height: max(1, rows) * pixelsOfCell.height)
    let fine = try Resampler.resize(pixels, to: pixels.size.scaled(toFit: box), isCancelled: isCancelled)
    let cells = (
      columns: (fine.width + pixelsOfCell.width - 1) / pixelsOfCell.width,
      rows: (fine.height + pixelsOfCell.height - 1) / pixelsOfCell.height
    )
    guard resolution.hasPixels else {
      let size = PixelSize(width: cells.columns * pixelsOfCell.width, height: cells.rows * pixelsOfCell.height)
      blocks = HalfBlockPicture(
        try Resampler.resize(fine, to: size, isCancelled: isCancelled), in: resolution.blocks)
      self.fine = nil
      return
    }
    let size = HalfBlocks.pixels(columns: cells.columns, rows: cells.rows)
    blocks = HalfBlockPicture(try Resampler.resize(fine, to: size, isCancelled: isCancelled))
    self.fine = fine
  }

  var columns: Int { blocks.columns }
  var rows: Int { blocks.rows }

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
