/// Writes ICC profiles (ICC.1:2010) of the kinds that cameras and programs write.
struct HandmadeProfile {
  /// `RGB `, `GRAY` or `CMYK`.
  var space = "RGB "
  var kind = "mntr"
  /// The columns of the matrix: XYZ of red, green and blue by the light of D50.
  var primaries = HandmadeProfile.screen
  var gamma = 2.2
  /// Instead of `gamma`: a curve's tag.
  var curve: [UInt8]?
  /// Instead of matrix and curves: the tag `A2B0`.
  var table: [UInt8]?
  /// Beside matrix and curves: the tag `D2B0`.
  var formulas: [UInt8]?

  static let screen = [(0.4361, 0.2225, 0.0139), (0.3851, 0.7169, 0.0971), (0.1431, 0.0606, 0.7141)]
  static let adobe = [(0.6097, 0.3111, 0.0195), (0.2053, 0.6257, 0.0609), (0.1492, 0.0632, 0.7446)]
  static let displayP3 = [(0.51512, 0.2412, -0.00105), (0.29198, 0.69225, 0.04189), (0.1571, 0.06657, 0.78407)]
  static let swapped = HandmadeProfile(primaries: [screen[1], screen[0], screen[2]])
  /// The curve of sRGB as a formula, which `Display P3` has, too.
  static let screenCurve =
    Array("para\0\0\0\0".utf8) + big(3, 2) + [0, 0]
    + [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].flatMap { fixed($0) }

  static func fixed(_ value: Double) -> [UInt8] { big(Int((value * 65536).rounded()), 4) }

  private func xyz(_ value: (Double, Double, Double)) -> [UInt8] {
    Array("XYZ \0\0\0\0".utf8) + [value.0, value.1, value.2].flatMap { Self.fixed($0) }
  }

  func bytes() -> [UInt8] {
    let curve = curve ?? Array("curv\0\0\0\0".utf8) + big(1, 4) + big(Int((gamma * 256).rounded()), 2) + [0, 0]
    var tags: [(String, [UInt8])] = [("wtpt", xyz((0.9642, 1, 0.8249)))]
    if let table {
      tags.append(("A2B0", table))
    } else if space == "GRAY" {
      tags.append(("kTRC", curve))
    } else {
      tags += zip(["rXYZ", "gXYZ", "bXYZ"], primaries.map(xyz))
      tags += ["rTRC", "gTRC", "bTRC"].map { ($0, curve) }
    }
    if let formulas { tags.append(("D2B0", formulas)) }
    var (list, body): ([UInt8], [UInt8]) = (big(tags.count, 4), [])
    let start = 132 + 12 * tags.count
    for (name, data) in tags {
      list += Array(name.utf8) + big(start + body.count, 4) + big(data.count, 4)
      body += data + [UInt8](repeating: 0, count: (4 - data.count % 4) % 4)
    }
    var head = big(start + body.count, 4) + big(0, 4) + big(0x0240_0000, 4)
    head += Array("\(kind)\(space)\(table == nil ? "XYZ " : "Lab ")".utf8) + [UInt8](repeating: 0, count: 12)
    head += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
    head += [0.9642, 1, 0.8249].flatMap { Self.fixed($0) }
    return head + [UInt8](repeating: 0, count: 128 - head.count) + list + body
  }

  /// A table of four inks: `colour` gives L, a and b, 128 for no hue, at the corners of full and no inks.
  static func inks(_ colour: (_ isInked: [Bool]) -> [UInt8]) -> [UInt8] {
    let line = (0...255).map { UInt8($0) }
    var table = Array("mft1\0\0\0\0".utf8) + [4, 3, 2, 0]
    table += [1.0, 0, 0, 0, 1, 0, 0, 0, 1].flatMap { fixed($0) }
    for _ in 0..<4 { table += line }
    for corner in 0..<16 { table += colour((0..<4).map { corner >> (3 - $0) & 1 == 1 }) }
    for _ in 0..<3 { table += line }
    return table
  }

  /// A chain of formulas (ICC.1:2010, section 10.14): the same matrix, which changes nothing, so many times.
  static func formulas(_ count: Int) -> [UInt8] {
    let one: [UInt8] = [0x3F, 0x80, 0, 0]
    let zero: [UInt8] = [0, 0, 0, 0]
    let matrix = [one, zero, zero, zero, one, zero, zero, zero, one, zero, zero, zero].flatMap { $0 }
    let element = Array("matf\0\0\0\0".utf8) + big(3, 2) + big(3, 2) + matrix
    let place = big(16 + 8 * count, 4) + big(element.count, 4)
    let head = Array("mpet\0\0\0\0".utf8) + big(3, 2) + big(3, 2) + big(count, 4)
    return head + Array(repeatElement(place, count: count).joined()) + element
  }

  /// As segments of a JPEG.
  func segments(_ count: Int = 1) -> [[UInt8]] { Self.segments(bytes(), count) }

  static func segments(_ profile: [UInt8], _ count: Int = 1) -> [[UInt8]] {
    let length = (profile.count + count - 1) / count
    return (0..<count).map { index in
      let part = profile[min(index * length, profile.count)..<min((index + 1) * length, profile.count)]
      return HandmadeJPEG.segment(0xE2, Array("ICC_PROFILE\0".utf8) + [UInt8(index + 1), UInt8(count)] + part)
    }
  }
}
