/// Between pictures and terminal cells that are twice as high as wide.
public enum HalfBlocks {
  /// How many pixels a box of cells has.
  public static func pixels(columns: Int, rows: Int) -> PixelSize { PixelSize(width: columns, height: 2 * rows) }

  /// The largest box of cells, centred in `columns` x `rows`, that has the shape of a picture; at least one cell
  /// unless there is none.
  public static func letterbox(_ picture: PixelSize, columns: Int, rows: Int) -> CellRect {
    guard columns > 0, rows > 0 else { return CellRect(column: 0, row: 0, columns: 0, rows: 0) }
    let size = picture.scaled(toFit: pixels(columns: columns, rows: rows))
    let (across, down) = (min(columns, size.width), min(rows, (size.height + 1) / 2))
    return CellRect(column: (columns - across) / 2, row: (rows - down) / 2, columns: across, rows: down)
  }

  /// A picture as cells: resized to fit into `columns` x `rows` in its own shape. The result may have fewer cells;
  /// `letterbox` says where they go.
  /// - Throws: `cancelled` only.
  public static func picture(
    _ pixels: Pixels, columns: Int, rows: Int, background: UInt32 = 0, isCancelled: () -> Bool = { false }
  ) throws(ImageError) -> HalfBlockPicture {
    let size = pixels.size.scaled(toFit: self.pixels(columns: max(1, columns), rows: max(1, rows)))
    return HalfBlockPicture(
      try Resampler.resize(pixels, to: size, isCancelled: isCancelled), background: background)
  }
}
