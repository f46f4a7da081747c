import Imaging

/// Pictures that tests are made of.
enum SamplePictures {
  /// Red grows to the right, green downwards, blue stays.
  static func gradient(_ width: Int, _ height: Int) -> Pixels {
    var pixels = Pixels(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        let red = UInt32(255 * x / max(1, width - 1))
        let green = UInt32(255 * y / max(1, height - 1))
        pixels[x, y] = red << 16 | green << 8 | 64
      }
    }
    return pixels
  }

  /// Black and white squares, white at the top left.
  static func checkerboard(_ width: Int, _ height: Int, square: Int) -> Pixels {
    var pixels = Pixels(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width where (x / square + y / square) % 2 == 0 { pixels[x, y] = 0xFFFFFF }
    }
    return pixels
  }

  /// A sphere's picture, twice as wide as high: a line every 30 degrees, each 90 degrees of longitude in a colour.
  static func equirectangularGrid(height: Int) -> Pixels {
    let width = 2 * height
    let quarters: [UInt32] = [0xC04040, 0x40C040, 0x4040C0, 0xC0C040]
    var pixels = Pixels(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        let isLine = x * 12 % width < 12 || y * 6 % height < 6
        pixels[x, y] = isLine ? 0xFFFFFF : quarters[x * 4 / width]
      }
    }
    return pixels
  }

  /// Four quarters of different colours, so that every turn of it differs: red, green above blue, white.
  static func quarters(_ width: Int, _ height: Int) -> Pixels {
    var pixels = Pixels(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        pixels[x, y] = [0xFF0000, 0x00FF00, 0x0000FF, 0xFFFFFF][(y < height / 2 ? 0 : 2) + (x < width / 2 ? 0 : 1)]
      }
    }
    return pixels
  }
}

/// The largest difference of any sample.
func difference(_ one: Pixels, _ other: Pixels) -> Int {
  guard one.size == other.size else { return 256 }
  return zip(one.bytes, other.bytes).reduce(0) { max($0, abs(Int($1.0) - Int($1.1))) }
}

/// Runs `body` and gives the kind of its error; nil when there was none.
func kind<R>(_ body: () throws(ImageError) -> R) -> ImageError.Kind? {
  do throws(ImageError) {
    _ = try body()
    return nil
  } catch {
    return error.kind
  }
}
