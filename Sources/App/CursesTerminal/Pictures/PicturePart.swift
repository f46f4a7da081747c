internal import TextUI

/// A rectangle of cells that shows a part of a picture.
struct PicturePart: Hashable {
  let identity: CanvasPicture.Identity
  /// The key of the picture in the frame.
  let mark: UInt32
  /// In pixels of the picture.
  let source: Rect
  /// The first of the cells, within the picture's cells.
  var first = Point(0, 0)
  /// On the screen.
  let cells: Rect
  /// True if the source fills the cells whatever its size.
  let isStretched: Bool

  /// The pixels of the terminal that the part covers.
  func extent(_ cell: Size) -> Size {
    isStretched ? Size(cells.width * cell.width, cells.height * cell.height) : Size(source.width, source.height)
  }

  /// Exactly the pixels that the terminal shows. Stretching takes the nearest pixel: only coarse pictures, which finer
  /// ones replace, are stretched here.
  func pixels(of whole: PicturePixels, extent: Size) -> PicturePixels {
    let size = Size(max(1, extent.width), max(1, extent.height))
    if size == Size(whole.width, whole.height), source == Rect(0, 0, size.width, size.height) { return whole }
    let columns = (0..<size.width).map { x in
      3 * min(whole.width - 1, max(0, source.x + (2 * x + 1) * source.width / (2 * size.width)))
    }
    let bytes = [UInt8](unsafeUninitializedCapacity: 3 * size.width * size.height) { target, count in
      whole.bytes.withUnsafeBufferPointer { bytes in
        for y in 0..<size.height {
          let line = min(whole.height - 1, max(0, source.y + (2 * y + 1) * source.height / (2 * size.height)))
          let from = 3 * whole.width * line
          for column in columns {
            for colour in 0..<3 { target.initializeElement(at: count + colour, to: bytes[from + column + colour]) }
            count += 3
          }
        }
      }
    }
    return PicturePixels(width: size.width, height: size.height, bytes: bytes)
  }
}

/// The parts of pictures that a grid shows.
enum PictureLayout {
  /// A picture in more parts is shown as blocks: a dialog in its middle leaves four.
  private static let mostParts = 6

  /// Rectangles of cells that show neighbouring cells of one picture. `cell` is in pixels.
  static func parts(of grid: Grid, cell: Size) -> [PicturePart] {
    guard !grid.pictures.isEmpty else { return [] }
    var open: [Run] = []
    var done: [Run] = []
    grid.withRows { rows in
      for y in 0..<grid.size.height {
        var next: [Run] = []
        for run in runs(in: rows[y], y) {
          if let index = open.firstIndex(where: { $0.continues(in: run) }) {
            var whole = open.remove(at: index)
            whole.cells.height += 1
            next.append(whole)
          } else {
            next.append(run)
          }
        }
        done += open
        open = next
      }
    }
    done += open
    let counts = Dictionary(grouping: done, by: \.mark).mapValues(\.count)
    return done.compactMap { run in
      guard let picture = grid.pictures[run.mark], counts[run.mark, default: 0] <= mostParts else { return nil }
      return run.part(of: picture, cell)
    }
  }

  private struct Run {
    let mark: UInt32
    /// In the picture's cells.
    let first: Point
    var cells: Rect

    func continues(in next: Run) -> Bool {
      mark == next.mark && cells.x == next.cells.x && cells.width == next.cells.width
        && cells.y + cells.height == next.cells.y && first.x == next.first.x && first.y + cells.height == next.first.y
    }

    func part(of picture: CanvasPicture, _ cell: Size) -> PicturePart? {
      let (crop, all) = (picture.crop, picture.cells)
      var source: Rect
      if picture.isStretched {
        let (left, right) = (first.x * crop.width / all.width, (first.x + cells.width) * crop.width / all.width)
        let (top, bottom) = (first.y * crop.height / all.height, (first.y + cells.height) * crop.height / all.height)
        source = Rect(crop.x + left, crop.y + top, max(1, right - left), max(1, bottom - top))
      } else {
        let place = Rect(
          crop.x + first.x * cell.width, crop.y + first.y * cell.height, cells.width * cell.width,
          cells.height * cell.height)
        source = place.intersection(crop)
      }
      guard source.width > 0, source.height > 0 else { return nil }
      return PicturePart(
        identity: picture.identity, mark: mark, source: source, first: first, cells: cells,
        isStretched: picture.isStretched)
    }
  }

  private static func runs(in row: UnsafeBufferPointer<Cell>, _ y: Int) -> [Run] {
    var runs: [Run] = []
    var x = 0
    while x < row.count {
      guard let mark = row[x].picture else {
        x += 1
        continue
      }
      let first = row[x].pictureCell
      var end = x + 1
      while end < row.count, row[end].picture == mark, row[end].pictureCell == Point(first.x + end - x, first.y) {
        end += 1
      }
      runs.append(Run(mark: mark, first: first, cells: Rect(x, y, end - x, 1)))
      x = end
    }
    return runs
  }
}
