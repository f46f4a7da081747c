import POSIX
import Imaging

/// A computed landscape: sky, sun, mountains, and a foreground. Its sides meet, as in a 360° panorama.
struct DemoScene: Sendable {
  /// 0xRRGGBB.
  struct Palette: Sendable {
    let zenith: UInt32
    let haze: UInt32
    let sun: UInt32
    let far: UInt32
    let near: UInt32
    let meadow: UInt32
    let foot: UInt32

    static let day = Palette(
      zenith: 0x1E5FA8, haze: 0xBFE0F2, sun: 0xFFF6D0, far: 0x7F9DB5, near: 0x2F5D3A, meadow: 0x6E9E46, foot: 0x35541F)
    static let dawn = Palette(
      zenith: 0x34406E, haze: 0xF6B58C, sun: 0xFFE7B0, far: 0x8A6F8E, near: 0x3A3550, meadow: 0x6F7F8F, foot: 0x26304A)
    static let dusk = Palette(
      zenith: 0x141B3C, haze: 0xD8663F, sun: 0xFFC56B, far: 0x5A3A58, near: 0x231B33, meadow: 0x43303F, foot: 0x160F1E)
    static let winter = Palette(
      zenith: 0x5B7FA6, haze: 0xE9EFF4, sun: 0xFFFFFF, far: 0xC3D0DC, near: 0x5E7389, meadow: 0xEEF3F7, foot: 0xB9C7D4)
  }

  let width: Int
  let height: Int
  let palette: Palette
  /// A share of the picture's height.
  let horizon: Double
  /// The mountains, as a share of the picture's height.
  let relief: Double
  let seed: UInt64
  /// Random variation of each pixel, from 0 to 255.
  var grain: UInt32 = 0

  func pixels() -> Pixels? {
    let ridges = (0..<3).map { ridge($0) }
    var bytes = [UInt8](repeating: 0, count: 3 * width * height)
    bytes.withUnsafeMutableBufferPointer { out in
      var noise = UInt32(truncatingIfNeeded: seed) | 1
      for y in 0..<height {
        let (sky, ground) = (skyColour(y), groundColour(y))
        let layers = (0..<3).map { mix(palette.far, palette.near, Double($0) / 2) }
        var at = 3 * y * width
        for x in 0..<width {
          var colour = sky
          if y >= Int(Double(height) * horizon) {
            colour = ground
          } else if y >= ridges[2][x] {
            colour = layers[2]
          } else if y >= ridges[1][x] {
            colour = layers[1]
          } else if y >= ridges[0][x] {
            colour = y < ridges[0][x] + height / 60 ? 0xF4F8FB : layers[0]
          }
          if grain > 0 {
            noise = noise &* 1_664_525 &+ 1_013_904_223
            colour = lighter(colour, by: Int(noise >> 16 % (2 * grain + 1)) - Int(grain))
          }
          out[at] = UInt8(truncatingIfNeeded: colour >> 16)
          out[at &+ 1] = UInt8(truncatingIfNeeded: colour >> 8)
          out[at &+ 2] = UInt8(truncatingIfNeeded: colour)
          at &+= 3
        }
      }
      shine(out, ridges[0])
    }
    return Pixels(width: width, height: height, bytes: bytes)
  }

  /// A row of mountains. Whole numbers of waves make the sides meet.
  private func ridge(_ row: Int) -> [Int] {
    let base = Double(height) * (horizon - relief * (0.62 - 0.24 * Double(row)))
    let waves: [(count: Double, share: Double)] = [(3, 0.45), (7, 0.28), (13, 0.14), (29, 0.08), (61, 0.05)]
    return (0..<width).map { x in
      let turn = 2 * Double.pi * Double(x) / Double(width)
      let lift = waves.enumerated().reduce(0.0) { sum, wave in
        let phase = Double((seed &* 0x9E37_79B9 &+ UInt64(row * 7919 + wave.offset * 104_729)) >> 4 % 628) / 100
        return sum + wave.element.share * sin(turn * (wave.element.count + Double(row)) + phase)
      }
      return Int(base - Double(height) * relief * 0.5 * lift)
    }
  }

  private func skyColour(_ y: Int) -> UInt32 {
    mix(palette.zenith, palette.haze, min(1, Double(y) / (Double(height) * horizon)))
  }

  private func groundColour(_ y: Int) -> UInt32 {
    mix(palette.meadow, palette.foot, min(1, max(0, Double(y) / Double(height) - horizon) / (1 - horizon)))
  }

  private func shine(_ out: UnsafeMutableBufferPointer<UInt8>, _ ridge: [Int]) {
    let (middleX, middleY) = (Double(width) * 0.7, Double(height) * horizon * 0.55)
    let (disc, glow) = (Double(height) * 0.025, Double(height) * 0.16)
    for y in max(0, Int(middleY - glow))..<min(height, Int(middleY + glow)) {
      for x in max(0, Int(middleX - glow))..<min(width, Int(middleX + glow)) where y < ridge[x] {
        let (dx, dy) = (Double(x) - middleX, Double(y) - middleY)
        let distance = (dx * dx + dy * dy).squareRoot()
        guard distance < glow else { continue }
        let share = distance < disc ? 1 : 0.8 * (1 - (distance - disc) / (glow - disc)) * (1 - distance / glow)
        let at = 3 * (y * width + x)
        for part in 0..<3 {
          let old = Double(out[at + part])
          let new = Double(palette.sun >> UInt32(16 - 8 * part) & 255)
          out[at + part] = UInt8(old + (new - old) * share)
        }
      }
    }
  }

  private func mix(_ left: UInt32, _ right: UInt32, _ share: Double) -> UInt32 {
    var colour: UInt32 = 0
    for shift in [16, 8, 0] as [UInt32] {
      let (from, to) = (Double(left >> shift & 255), Double(right >> shift & 255))
      colour |= UInt32(from + (to - from) * share) << shift
    }
    return colour
  }

  private func lighter(_ colour: UInt32, by amount: Int) -> UInt32 {
    let red = min(255, max(0, Int(colour >> 16) &+ amount))
    let green = min(255, max(0, Int(colour >> 8 & 255) &+ amount))
    let blue = min(255, max(0, Int(colour & 255) &+ amount))
    return UInt32(truncatingIfNeeded: red << 16 | green << 8 | blue)
  }
}
