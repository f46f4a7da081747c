internal import Merge
internal import TextUI

/// A row of a text, with the places that another version of the text lacks.
struct MarkedRow: Sendable, Hashable {
  let bytes: [UInt8]
  let places: [Range<Int>]

  /// Wraps a text at words. `places` are counted from its beginning. Rows beyond `most` are left out.
  static func rows(
    _ text: ArraySlice<UInt8>, marking places: [Range<Int>] = [], width: Int, most: Int = .max
  ) -> [MarkedRow] {
    guard !text.isEmpty else { return [] }
    let buffer = TextBuffer(Array(text))
    var rows = SoftWrap(width: max(1, width)).rows(from: 0, count: most, in: buffer)
    // A final line end does not begin a row.
    if let last = rows.last, last.start == buffer.count, text.last == 0x0A { rows.removeLast() }
    return rows.map { row in
      let range = row.start..<row.end
      return MarkedRow(
        bytes: buffer.bytes(in: range),
        places: places.filter { $0.overlaps(range) }.map {
          let part = $0.clamped(to: range)
          return (part.lowerBound - row.start)..<(part.upperBound - row.start)
        })
    }
  }

  /// Marked words have colour, weight and a line below.
  func draw(_ style: Style, on canvas: inout Canvas) {
    var marked = canvas[.match]
    marked.attributes.formUnion([.bold, .underline])
    let place = places
    canvas.row(bytes, y: 0) { offset in place.contains { $0.contains(offset) } ? marked : style }
  }
}

/// The rows of the difference of two texts.
struct DifferenceRows: Sendable {
  enum Row: Sendable, Hashable {
    /// The number of the first line that follows, from 1.
    case line(Int)
    case same(MarkedRow)
    case removed(MarkedRow)
    case added(MarkedRow)
  }

  private(set) var rows: [Row] = []

  private static let context = 2
  /// Of one changed block, for each side.
  private static let mostRows = 2000
  /// In bytes; words of further blocks are not compared.
  private static let mostCompared = 512 << 10

  init(_ diff: TextDiff, width: Int) {
    let width = max(1, width - 2)
    var compared = 0
    for hunk in diff.hunks(context: Self.context) {
      rows.append(.line(hunk.new.lowerBound + 1))
      for block in hunk.blocks {
        let (old, new) = (diff.oldText(of: block.old), diff.newText(of: block.new))
        guard !block.isSame else {
          rows += MarkedRow.rows(new, width: width, most: Self.mostRows).map(Row.same)
          continue
        }
        compared += old.count + new.count
        let words =
          old.isEmpty || new.isEmpty || compared > Self.mostCompared ? ([], []) : TextDiff.words(from: old, to: new)
        rows += MarkedRow.rows(old, marking: words.0, width: width, most: Self.mostRows).map(Row.removed)
        rows += MarkedRow.rows(new, marking: words.1, width: width, most: Self.mostRows).map(Row.added)
      }
    }
  }

  func draw(from top: Int, on canvas: inout Canvas) {
    for (y, row) in rows.dropFirst(top).prefix(canvas.size.height).enumerated() {
      let (sign, role, text): (String, Role, MarkedRow?) =
        switch row {
        case .line: ("", .dim, nil)
        case .same(let text): (" ", .dim, text)
        case .removed(let text): ("-", .removed, text)
        case .added(let text): ("+", .added, text)
        }
      if case .line(let number) = row {
        canvas.text("line \(number)", x: 0, y: y, style: canvas[.columnHead])
        continue
      }
      canvas.text(sign, x: 0, y: y, style: canvas[role])
      let style = canvas[role]
      canvas.inside(Rect(2, y, canvas.size.width - 2, 1)) { text?.draw(style, on: &$0) }
    }
  }
}
