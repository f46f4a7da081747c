import TextUI

/// A terminal that draws an overlay, and counts the columns of clusters in one of several ways.
struct CountingTerminal {
  enum Counting: String, CaseIterable {
    /// As the app counts.
    case clusters
    /// As terminals that give a letter with marks its base's columns.
    case bases
    /// Each scalar by itself, whatever the terminal has answered.
    case scalars
  }

  private let counting: Counting
  private(set) var rows: [[String]]
  private var place = Point(0, 0)
  private(set) var wraps = true
  /// Text that went on in the next row.
  private(set) var hasWrapped = false

  init(_ size: Size, _ counting: Counting) {
    self.counting = counting
    rows = Array(repeating: Array(repeating: " ", count: size.width), count: size.height)
  }

  /// Puts a cell as ncurses does.
  mutating func put(_ cell: Cell, x: Int, y: Int) {
    place = Point(x, y)
    if cell.width > 0 { write(cell.text, Int(cell.width)) }
  }

  mutating func feed(_ bytes: [UInt8]) {
    var text = Substring(String(decoding: bytes, as: UTF8.self))
    while !text.isEmpty {
      if text.hasPrefix("\u{1B}[") {
        let end = text.dropFirst(2).firstIndex { ("@"..."~").contains($0) } ?? text.index(before: text.endIndex)
        take(String(text.dropFirst(2)[..<end]), text[end])
        text = text[text.index(after: end)...]
      } else {
        let end = text.firstIndex { $0 == "\u{1B}" } ?? text.endIndex
        write(text[..<end])
        text = text[end...]
      }
    }
  }

  private mutating func take(_ parameters: String, _ final: Character) {
    switch (parameters, final) {
    case ("?7", "l"): wraps = false
    case ("?7", "h"): wraps = true
    case (_, "H"):
      let numbers = parameters.split(separator: ";").compactMap { Int($0) }
      if numbers.count == 2 { place = Point(numbers[1] - 1, numbers[0] - 1) }
    default: break
    }
  }

  private mutating func write(_ text: Substring) {
    for character in text {
      let scalars = Array(character.unicodeScalars)
      switch counting {
      case .scalars:
        for scalar in scalars {
          let columns = max(0, GlyphWidth.columns(of: scalar))
          if columns == 0 { extend(scalar) } else { write(String(scalar), columns) }
        }
      case .clusters, .bases:
        let sum = scalars.reduce(0) { $0 + max(0, GlyphWidth.columns(of: $1)) }
        let isEmoji = scalars.contains { $0.value == 0xFE0F || (0x1F1E6...0x1F1FF).contains($0.value) }
        let base = max(1, GlyphWidth.columns(of: scalars[0]))
        write(String(character), isEmoji ? 2 : counting == .bases ? base : min(2, max(1, sum)))
      }
    }
  }

  private mutating func extend(_ scalar: Unicode.Scalar) {
    let x = max(0, min(place.x, rows[place.y].count) - 1)
    let start = rows[place.y][x].isEmpty ? max(0, x - 1) : x
    rows[place.y][start].unicodeScalars.append(scalar)
  }

  private mutating func write(_ text: String, _ columns: Int) {
    let width = rows[place.y].count
    if place.x + columns > width {
      if wraps { hasWrapped = true }
      place.x = max(0, width - columns)
    }
    for x in place.x..<(place.x + columns) { erase(x) }
    rows[place.y][place.x] = text
    if columns == 2 { rows[place.y][place.x + 1] = "" }
    place.x += columns
  }

  /// Both halves of a wide glyph go.
  private mutating func erase(_ x: Int) {
    let row = rows[place.y]
    if row[x].isEmpty, x > 0 { rows[place.y][x - 1] = " " }
    if x + 1 < row.count, row[x + 1].isEmpty { rows[place.y][x + 1] = " " }
    rows[place.y][x] = " "
  }
}
