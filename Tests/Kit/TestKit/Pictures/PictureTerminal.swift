internal import Basics
internal import CZlib
internal import Foundation
public import TextUI

/// A terminal that shows pictures: it reads what a program writes in kitty's, iTerm2's or DEC's protocol, also through
/// tmux, and knows the colour of each pixel. Of text it knows which cells were written.
public struct PictureTerminal {
  public let size: Size
  /// In pixels.
  public let cell: Size
  /// Sequences that no such terminal understands.
  public private(set) var problems: [String] = []
  /// Pictures that were sent, by kitty's protocol.
  public private(set) var sentCount = 0
  /// Pictures in shared memory are read at once; otherwise they stay there, and are not shown.
  public var readsMemory = true
  private var cursor = Point(0, 0)
  private var drawn: [UInt32?]
  private var images: [Int: Image] = [:]
  private var placements: [PlacementKey: Placement] = [:]
  private var pending: (keys: [String: String], text: [UInt8])?
  private var color = 0
  /// The placeholder that is being read, and those of the cells.
  private var reading: (cell: Point, marks: [Unicode.Scalar])?
  private var placeholders: [Point: Placeholder] = [:]
  private let marks: [Unicode.Scalar]

  private struct Image {
    let width: Int
    let height: Int
    let bytes: [UInt8]
    func color(_ x: Int, _ y: Int) -> UInt32 {
      let at = 3 * (y * width + x)
      return UInt32(bytes[at]) << 16 | UInt32(bytes[at + 1]) << 8 | UInt32(bytes[at + 2])
    }
  }

  private struct PlacementKey: Hashable {
    let image: Int
    let number: Int
  }

  private struct Placement {
    let place: Point
    let source: Rect
    let cells: Size?
    let isVirtual: Bool
  }

  private struct Placeholder {
    let image: Int
    let place: Point
  }

  /// `marks` are those of kitty's placeholders, by the numbers that they stand for.
  public init(_ size: Size, cell: Size, marks: [Unicode.Scalar] = []) {
    (self.size, self.cell, self.marks) = (size, cell, marks)
    drawn = Array(repeating: nil, count: size.width * cell.width * size.height * cell.height)
  }

  private var width: Int { size.width * cell.width }

  /// Nothing of a picture is seen.
  public var isEmpty: Bool { colors.allSatisfy { $0 == nil } }

  /// No picture is kept.
  public var keepsNothing: Bool { images.isEmpty && placements.isEmpty }

  /// 0xRRGGBB of each pixel, rows from the top; nil where the terminal's own background is seen.
  public var colors: [UInt32?] {
    var colors = drawn
    for (key, placement) in placements where !placement.isVirtual {
      guard let image = images[key.image] else { continue }
      let source = placement.source
      let shown = placement.cells.map { Size($0.width * cell.width, $0.height * cell.height) }
      let extent = shown ?? Size(source.width, source.height)
      for y in 0..<extent.height {
        for x in 0..<extent.width {
          let (column, row) = (placement.place.x * cell.width + x, placement.place.y * cell.height + y)
          guard column < width, row < size.height * cell.height else { continue }
          colors[row * width + column] = image.color(
            source.x + (2 * x + 1) * source.width / (2 * extent.width),
            source.y + (2 * y + 1) * source.height / (2 * extent.height))
        }
      }
    }
    for (point, placeholder) in placeholders {
      guard let image = images[placeholder.image],
        let placement = placements.first(where: { $0.key.image == placeholder.image && $0.value.isVirtual })?.value,
        let cells = placement.cells
      else { continue }
      for y in 0..<cell.height {
        for x in 0..<cell.width {
          let (column, row) = (placeholder.place.x * cell.width + x, placeholder.place.y * cell.height + y)
          colors[(point.y * cell.height + y) * width + point.x * cell.width + x] = image.color(
            column * image.width / (cells.width * cell.width), row * image.height / (cells.height * cell.height))
        }
      }
    }
    return colors
  }

  public func color(x: Int, y: Int) -> UInt32? { colors[y * width + x] }

  public mutating func feed(_ bytes: some Sequence<UInt8>) {
    let bytes = Array(bytes)
    var at = 0
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      switch byte {
      case 0x1B where at < bytes.count: escape(bytes, &at)
      case 0x0D: cursor.x = 0
      case 0x0A: cursor.y = min(size.height - 1, cursor.y + 1)
      case 0x08: cursor.x = max(0, cursor.x - 1)
      case 0..<0x20: break
      default:
        let count = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : byte >= 0xC0 ? 2 : 1
        let end = min(bytes.count, at - 1 + count)
        if let scalar = String(decoding: bytes[(at - 1)..<end], as: UTF8.self).unicodeScalars.first { put(scalar) }
        at = end
      }
    }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    if scalar.properties.canonicalCombiningClass == .above, var reading {
      reading.marks.append(scalar)
      self.reading = reading
      let numbers = reading.marks.compactMap { mark in marks.firstIndex(of: mark) }
      guard numbers.count == 3 else { return }
      placeholders[reading.cell] = Placeholder(image: numbers[2] << 24 | color, place: Point(numbers[1], numbers[0]))
      return
    }
    reading = scalar.value == 0x10EEEE ? (cursor, []) : nil
    erase(cursor)
    cursor.x = min(size.width, cursor.x + 1)
  }

  private mutating func erase(_ point: Point) {
    guard point.x < size.width, point.y < size.height else { return }
    placeholders[point] = nil
    for y in (point.y * cell.height)..<((point.y + 1) * cell.height) {
      for x in (point.x * cell.width)..<((point.x + 1) * cell.width) { drawn[y * width + x] = nil }
    }
  }

  private mutating func escape(_ bytes: [UInt8], _ at: inout Int) {
    let kind = bytes[at]
    at += 1
    switch kind {
    case 0x5B:
      let start = at
      while at < bytes.count, bytes[at] < 0x40 { at += 1 }
      guard at < bytes.count else { return }
      let inner = String(decoding: bytes[start..<at], as: UTF8.self)
      let final = bytes[at]
      at += 1
      control(inner, final)
    case 0x50, 0x5D, 0x5F:
      let start = at
      let isTmux = bytes[at...].starts(with: "tmux;".utf8)
      while at < bytes.count {
        if kind == 0x5D, bytes[at] == 0x07 { break }
        if bytes[at] == 0x1B, at + 1 < bytes.count {
          if bytes[at + 1] == 0x5C { break }
          if isTmux { at += 1 }
        }
        at += 1
      }
      // Its end is still to come.
      guard at < bytes.count else { return }
      let inner = Array(bytes[start..<at])
      at += bytes[at] == 0x07 ? 1 : 2
      string(kind, inner, isTmux: isTmux)
    default: break
    }
  }

  private mutating func control(_ inner: String, _ final: UInt8) {
    let numbers = inner.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    switch final {
    case UInt8(ascii: "H"):
      cursor = Point(max(1, numbers.count > 1 ? numbers[1] : 1) - 1, max(1, numbers.first ?? 1) - 1)
    case UInt8(ascii: "J") where inner == "2": clear()
    case UInt8(ascii: "m"):
      if let index = numbers.firstIndex(of: 38), numbers.count > index + 2, numbers[index + 1] == 5 {
        color = numbers[index + 2]
      }
    default: break
    }
  }

  private mutating func clear() {
    drawn = Array(repeating: nil, count: drawn.count)
    placements = placements.filter { $0.value.isVirtual }
    placeholders = [:]
  }

  private mutating func string(_ kind: UInt8, _ inner: [UInt8], isTmux: Bool) {
    if isTmux {
      var unwrapped: [UInt8] = []
      var at = 5
      while at < inner.count {
        unwrapped.append(inner[at])
        at += inner[at] == 0x1B ? 2 : 1
      }
      return feed(unwrapped)
    }
    switch kind {
    case 0x5F where inner.first == UInt8(ascii: "G"): kitty(inner.dropFirst())
    case 0x50: sixel(inner)
    case 0x5D where inner.starts(with: "1337;File=".utf8): inlineImage(inner.dropFirst("1337;File=".utf8.count))
    default: break
    }
  }
}

// kitty's protocol.
extension PictureTerminal {
  private mutating func kitty(_ inner: ArraySlice<UInt8>) {
    let parts = inner.split(separator: UInt8(ascii: ";"), maxSplits: 1, omittingEmptySubsequences: false)
    var keys: [String: String] = [:]
    for pair in String(decoding: parts[0], as: UTF8.self).split(separator: ",") {
      let halves = pair.split(separator: "=", maxSplits: 1)
      if halves.count == 2 { keys[String(halves[0])] = String(halves[1]) }
    }
    let text = parts.count > 1 ? Array(parts[1]) : []
    if text.count > 4096 { problems.append("a chunk of \(text.count) bytes") }
    if let pending {
      if keys["a"] != nil { problems.append("a command between two chunks") }
      self.pending = (pending.keys, pending.text + text)
    } else if keys["a"] == "t" {
      pending = (keys, text)
    } else {
      return command(keys)
    }
    if keys["m"] != "1" { store() }
  }

  private mutating func store() {
    guard let (keys, text) = pending else { return }
    pending = nil
    if keys["f"] == "100", let id = keys["i"].flatMap({ Int($0) }),
      let file = Base64.bytes(of: String(decoding: text, as: UTF8.self)), let image = Self.png(file)
    {
      sentCount += 1
      placements = placements.filter { $0.key.image != id }
      images[id] = image
      return
    }
    guard let id = keys["i"].flatMap({ Int($0) }), let width = keys["s"].flatMap({ Int($0) }),
      let height = keys["v"].flatMap({ Int($0) }), keys["f"] == "24",
      var bytes = Base64.bytes(of: String(decoding: text, as: UTF8.self))
    else {
      problems.append("a picture that cannot be read: \(keys)")
      return
    }
    if keys["t"] == "s" {
      guard readsMemory else { return }
      let name = "/dev/shm" + String(decoding: bytes, as: UTF8.self)
      guard let content = FileManager.default.contents(atPath: name), keys["S"] == "\(content.count)" else {
        problems.append("a picture that is not in shared memory: \(keys)")
        return
      }
      bytes = Array(content)
      unlink(name)
    }
    if keys["o"] == "z" { bytes = Inflation.bytes(of: bytes) }
    guard bytes.count == 3 * width * height else {
      problems.append("\(bytes.count) bytes for \(width) x \(height)")
      return
    }
    sentCount += 1
    placements = placements.filter { $0.key.image != id }
    images[id] = Image(width: width, height: height, bytes: bytes)
  }

  private mutating func command(_ keys: [String: String]) {
    func number(_ key: String) -> Int? { keys[key].flatMap { Int($0) } }
    switch (keys["a"], keys["d"]) {
    case ("p", _):
      guard let id = number("i"), let image = images[id] else {
        problems.append("a placement of no picture: \(keys)")
        return
      }
      let source = Rect(
        number("x") ?? 0, number("y") ?? 0, number("w") ?? image.width, number("h") ?? image.height)
      if source.x + source.width > image.width || source.y + source.height > image.height {
        problems.append("a part outside of its picture: \(keys)")
        return
      }
      var cells: Size?
      if let columns = number("c"), let rows = number("r") { cells = Size(columns, rows) }
      placements[PlacementKey(image: id, number: number("p") ?? 0)] = Placement(
        place: cursor, source: source, cells: cells, isVirtual: keys["U"] == "1")
    case ("d", "A"):
      // Pictures without a placement stay.
      for key in placements.keys { images[key.image] = nil }
      placements = [:]
    case ("d", "i"):
      placements[PlacementKey(image: number("i") ?? 0, number: number("p") ?? 0)] = nil
    case ("d", "I"):
      let id = number("i") ?? 0
      images[id] = nil
      placements = placements.filter { $0.key.image != id }
    case ("q", _): break
    default: problems.append("a command: \(keys)")
    }
  }
}

// Sixels and inline images.
extension PictureTerminal {
  private mutating func sixel(_ inner: [UInt8]) {
    guard let start = inner.firstIndex(of: UInt8(ascii: "q")) else { return }
    var at = start + 1
    var palette: [Int: UInt32] = [:]
    var (color, x, band) = (0, 0, 0)
    func number() -> Int {
      var value = 0
      while at < inner.count, inner[at] >= 0x30, inner[at] <= 0x39 {
        value = value * 10 + Int(inner[at] - 0x30)
        at += 1
      }
      return value
    }
    func numbers() -> [Int] {
      var all = [number()]
      while at < inner.count, inner[at] == 0x3B {
        at += 1
        all.append(number())
      }
      return all
    }
    let origin = Point(cursor.x * cell.width, cursor.y * cell.height)
    while at < inner.count {
      let byte = inner[at]
      at += 1
      switch byte {
      case UInt8(ascii: "\""): _ = numbers()
      case UInt8(ascii: "#"):
        let all = numbers()
        color = all[0]
        if all.count == 5 {
          let parts = all[2...].map { UInt32(($0 * 255 + 50) / 100) }
          palette[color] = parts[0] << 16 | parts[1] << 8 | parts[2]
        }
      case UInt8(ascii: "$"): x = 0
      case UInt8(ascii: "-"): (x, band) = (0, band + 1)
      case UInt8(ascii: "!"), 0x3F...0x7E:
        let count = byte == UInt8(ascii: "!") ? number() : 1
        var bits = byte
        if byte == UInt8(ascii: "!"), at < inner.count {
          bits = inner[at]
          at += 1
        }
        for column in x..<(x + count) {
          for bit in 0..<6 where (bits - 0x3F) >> UInt8(bit) & 1 == 1 {
            let (left, top) = (origin.x + column, origin.y + band * 6 + bit)
            guard left < width, top < size.height * cell.height else {
              problems.append("a sixel outside of the screen")
              return
            }
            drawn[top * width + left] = palette[color]
          }
        }
        x += count
      default: problems.append("a byte in sixels: \(byte)")
      }
    }
  }

  private mutating func inlineImage(_ inner: ArraySlice<UInt8>) {
    let parts = inner.split(separator: UInt8(ascii: ":"), maxSplits: 1)
    guard parts.count == 2, let file = Base64.bytes(of: String(decoding: parts[1], as: UTF8.self)),
      let image = Self.png(file)
    else {
      problems.append("an inline image that cannot be read")
      return
    }
    let keys = String(decoding: parts[0], as: UTF8.self)
    if !keys.contains("size=\(file.count);") { problems.append("another size than \(file.count): \(keys)") }
    func extent(_ name: String, _ cell: Int, _ own: Int) -> Int {
      guard let range = keys.firstRange(of: name + "=") else { return own }
      let value = keys[range.upperBound...].prefix { $0 != ";" }
      return value.hasSuffix("px") ? Int(value.dropLast(2)) ?? own : (Int(value) ?? 0) * cell
    }
    let shown = Size(extent("width", cell.width, image.width), extent("height", cell.height, image.height))
    for y in 0..<shown.height {
      for x in 0..<shown.width {
        drawn[(cursor.y * cell.height + y) * width + cursor.x * cell.width + x] = image.color(
          (2 * x + 1) * image.width / (2 * shown.width), (2 * y + 1) * image.height / (2 * shown.height))
      }
    }
  }

  /// Of an RGB file whose rows hold differences from the left.
  private static func png(_ file: [UInt8]) -> Image? {
    func number(_ at: Int) -> Int { (0..<4).reduce(0) { $0 << 8 | Int(file[at + $1]) } }
    guard file.count > 45, Array(file[1..<4]) == Array("PNG".utf8), Array(file[24..<29]) == [8, 2, 0, 0, 0] else {
      return nil
    }
    let (width, height) = (number(16), number(20))
    var stream: [UInt8] = []
    var at = 8
    while at + 12 <= file.count {
      let length = number(at)
      guard at + 12 + length <= file.count else { return nil }
      let kind = Array(file[(at + 4)..<(at + 8)])
      let content = Array(file[(at + 4)..<(at + 8 + length)])
      guard number(at + 8 + length) == Int(cz_crc32(0, content, content.count)) else { return nil }
      if kind == Array("IDAT".utf8) { stream += file[(at + 8)..<(at + 8 + length)] }
      at += 12 + length
    }
    let rows = Inflation.bytes(of: stream)
    guard rows.count == (3 * width + 1) * height else { return nil }
    var bytes: [UInt8] = []
    for y in 0..<height {
      let start = y * (3 * width + 1)
      guard rows[start] == 1 else { return nil }
      var left: [UInt8] = [0, 0, 0]
      for x in 0..<(3 * width) {
        left[x % 3] = left[x % 3] &+ rows[start + 1 + x]
        bytes.append(left[x % 3])
      }
    }
    return Image(width: width, height: height, bytes: bytes)
  }
}

private enum Inflation {
  /// Of a zlib stream; empty if it is broken.
  static func bytes(of stream: [UInt8]) -> [UInt8] {
    guard stream.count > 6, let inflation = cz_inflate_new() else { return [] }
    defer { cz_inflate_free(inflation) }
    var bytes: [UInt8] = []
    var rest = Array(stream[2...])
    var target = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      var (taken, made) = (0, 0)
      let end = cz_inflate_run(inflation, rest, rest.count, &target, target.count, &taken, &made)
      bytes += target[..<made]
      rest.removeFirst(taken)
      if end != 0 { return end == 1 ? bytes : [] }
      if taken == 0, made == 0 { return [] }
    }
  }
}
