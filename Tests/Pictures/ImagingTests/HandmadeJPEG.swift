/// Writes baseline JPEG files of one flat colour, with any number of components, scans and extra segments.
struct HandmadeJPEG {
  var width = 8
  var height = 8
  /// The stored value of each component.
  var values: [Int] = [128]
  var frame: UInt8 = 0xC0
  var precision: UInt8 = 8
  /// A scan for each component rather than one for all.
  var hasScanEach = false
  /// Whole segments after SOI.
  var segments: [UInt8] = []
  /// Leaves out the coded data, as a bomb does.
  var hasData = true

  static func segment(_ marker: UInt8, _ body: [UInt8]) -> [UInt8] { [0xFF, marker] + big(body.count + 2, 2) + body }

  static let adobe = segment(0xEE, Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0])

  func bytes() -> [UInt8] {
    var file: [UInt8] = [0xFF, 0xD8] + segments
    // All steps 8: a DC value of k is k levels of brightness.
    file += Self.segment(0xDB, [0] + [UInt8](repeating: 8, count: 64))
    var body: [UInt8] = [precision] + big(height, 2) + big(width, 2) + [UInt8(values.count)]
    for index in values.indices { body += [UInt8(index + 1), 0x11, 0] }
    file += Self.segment(frame, body)
    // DC: categories 0 to 11 with 4 bits each. AC: only "end of block", with 1 bit.
    file += Self.segment(0xC4, [0x00] + [0, 0, 0, 12] + [UInt8](repeating: 0, count: 12) + (0..<12).map { UInt8($0) })
    file += Self.segment(0xC4, [0x10] + [1] + [UInt8](repeating: 0, count: 15) + [0])
    for scan in hasScanEach ? values.indices.map({ [$0] }) : [Array(values.indices)] {
      file += Self.segment(0xDA, [UInt8(scan.count)] + scan.flatMap { [UInt8($0 + 1), 0] } + [0, 63, 0])
      if hasData { file += coded(scan) }
    }
    return file + [0xFF, 0xD9]
  }

  private func coded(_ scan: [Int]) -> [UInt8] {
    var bits: [Bool] = []
    func put(_ value: Int, _ count: Int) {
      for shift in (0..<count).reversed() { bits.append(value >> shift & 1 != 0) }
    }
    for block in 0..<(((width + 7) / 8) * ((height + 7) / 8)) {
      for component in scan {
        let change = block == 0 ? values[component] - 128 : 0
        var category = 0
        while abs(change) >> category != 0 { category += 1 }
        put(category, 4)
        put(change < 0 ? change + (1 << category) - 1 : change, category)
        put(0, 1)
      }
    }
    while bits.count % 8 != 0 { bits.append(true) }
    var out: [UInt8] = []
    for at in stride(from: 0, to: bits.count, by: 8) {
      let byte = bits[at..<(at + 8)].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
      out.append(byte)
      if byte == 0xFF { out.append(0) }
    }
    return out
  }
}
