internal import Imaging
internal import TextUI

/// The way in which the photos' tab shows its photos, as the member chose it.
public enum PhotosLayout: String, Sendable, Hashable {
  /// A grid where it has room.
  case auto
  case grid
  case list

  private static let leastColumns = 60

  func isGrid(_ frame: Frame) -> Bool {
    switch self {
    case .auto: frame.size.width >= Self.leastColumns && frame.isRoomy
    case .grid: true
    case .list: false
    }
  }
}

/// The places of a grid's cells. Neighbours share the lines of their frames, of which only the selected cell's is drawn.
struct PhotoGrid: Sendable, Hashable {
  let columns: Int
  /// From a cell to the next: a line of the frame, the picture, its name and its facts.
  let cell: Size

  private static let usual = Size(24, 8)
  private static let narrowest = 18

  /// `size` is the room for cells.
  init(_ size: Size) {
    // The last column has the frame's last line and the mark of the position.
    let width = max(2, size.width - 2)
    columns = max(1, width < 2 * Self.usual.width ? width / Self.narrowest : width / Self.usual.width)
    let lines = max(1, (size.height - 1) / Self.usual.height)
    cell = Size(width / columns, max(4, (size.height - 1) / lines))
  }

  /// Between the frame's lines, with a column of air on each side.
  var picture: Size { Size(max(1, cell.width - 3), max(1, cell.height - 3)) }

  func place(_ index: Int) -> Point { Point(index % columns * cell.width, index / columns * cell.height) }
}
