@testable import Imaging
import TestKit
import Testing

@Suite struct ResamplerTests {
  private func grey(_ width: Int, _ values: [UInt8]) throws -> Pixels {
    try #require(
      Pixels(width: width, height: values.count / width, bytes: values.flatMap { [$0, $0, UInt8(255 - $0)] }))
  }

  @Test func `halving takes the rounded mean of four`() throws {
    let small = try Resampler.resize(try grey(4, [0, 1, 10, 20, 2, 4, 30, 41]), to: PixelSize(width: 2, height: 1))
    // 7 / 4 rounds to 2, 101 / 4 to 25; blue is the complement: 1013 / 4 to 253, 919 / 4 to 230.
    #expect(small.bytes == [2, 2, 253, 25, 25, 230])
  }

  @Test func `a pixel across two new ones counts by its parts`() throws {
    let small = try Resampler.resize(try grey(3, [0, 90, 240]), to: PixelSize(width: 2, height: 1))
    // (0 + 90 / 2) / 1.5 = 30 and (90 / 2 + 240) / 1.5 = 190.
    #expect(small.bytes == [30, 30, 225, 190, 190, 65])
    let column = try Resampler.resize(try grey(1, [0, 90, 240]), to: PixelSize(width: 1, height: 2))
    #expect(column.bytes == small.bytes)
  }

  @Test(arguments: [(1, 1), (7, 5), (16, 12), (3, 11), (16, 1)])
  func `shrinking is the exact area mean`(width: Int, height: Int) throws {
    let pixels = SamplePictures.checkerboard(17, 13, square: 2)
    let small = try Resampler.resize(pixels, to: PixelSize(width: width, height: height))
    for y in 0..<height {
      for x in 0..<width {
        // In units of 1/width and 1/height, so that all is whole.
        var sum = 0
        for row in 0..<13 {
          let down = max(0, min((row + 1) * height, (y + 1) * 13) - max(row * height, y * 13))
          for column in 0..<17 where down > 0 {
            let across = max(0, min((column + 1) * width, (x + 1) * 17) - max(column * width, x * 17))
            sum += Int(pixels[column, row] & 255) * across * down
          }
        }
        #expect(small[x, y] & 255 == UInt32((sum + 17 * 13 / 2) / (17 * 13)))
      }
    }
  }

  @Test func `white stays white at any size, and a size of its own is the same picture`() throws {
    let white = Pixels(width: 301, height: 77, colour: 0xFFFFFF)
    for size in [(1, 1), (300, 76), (7, 77), (400, 9), (301, 200)] {
      let size = PixelSize(width: size.0, height: size.1)
      #expect(try Resampler.resize(white, to: size) == Pixels(width: size.width, height: size.height, colour: 0xFFFFFF))
    }
    let sample = SamplePictures.gradient(9, 9)
    #expect(try Resampler.resize(sample, to: sample.size) == sample)
  }

  @Test func `sampling at the pixels' own places gives the pixels`() {
    let pixels = SamplePictures.checkerboard(12, 8, square: 3)
    let crop = CropRect(x: 2, y: 1, width: 6, height: 5)
    for filter in Resampler.Filter.allCases {
      let part = Resampler.sample(pixels, crop: crop, size: PixelSize(width: 6, height: 5), filter: filter)
      for y in 0..<5 { for x in 0..<6 { #expect(part[x, y] == pixels[x + 2, y + 1]) } }
    }
  }

  @Test func `bilinear sampling mixes neighbours, nearest does not`() throws {
    let pair = try grey(2, [0, 200])
    let crop = CropRect(x: 0, y: 0, width: 2, height: 1)
    let size = PixelSize(width: 4, height: 1)
    let mixed = Resampler.sample(pair, crop: crop, size: size, filter: .bilinear)
    #expect((0..<4).map { mixed[$0, 0] >> 16 } == [0, 50, 150, 200])
    let nearest = Resampler.sample(pair, crop: crop, size: size, filter: .nearest)
    #expect((0..<4).map { nearest[$0, 0] >> 16 } == [0, 0, 200, 200])
  }

  @Test func `places outside take the nearest edge`() throws {
    let pair = try grey(2, [10, 200])
    let part = Resampler.sample(
      pair, crop: CropRect(x: -50, y: -9, width: 102, height: 20), size: PixelSize(width: 3, height: 2),
      filter: .bilinear)
    #expect(part[0, 0] >> 16 == 10 && part[2, 1] >> 16 == 200)
  }

  @Test func `cancelling stops it`() {
    let pixels = Pixels(width: 100, height: 100)
    let result = kind { () throws(ImageError) in
      try Resampler.resize(pixels, to: PixelSize(width: 9, height: 9)) { true }
    }
    #expect(result == .cancelled)
  }

  @Test(arguments: [
    (8000, 2000, 512, 512, 512, 128), (100, 50, 512, 512, 100, 50), (3, 9000, 100, 100, 1, 100),
    (2000, 8000, 60, 512, 60, 240),
  ])
  func `a size fits into a box in its shape`(width: Int, height: Int, across: Int, down: Int, x: Int, y: Int) {
    let fitted = PixelSize(width: width, height: height).fitted(into: PixelSize(width: across, height: down))
    #expect(fitted == PixelSize(width: x, height: y))
  }

  @Test func `a size keeps its shape under a number of pixels`() {
    #expect(PixelSize(width: 8000, height: 2000).fitted(pixels: 1_000_000) == PixelSize(width: 2000, height: 500))
    #expect(PixelSize(width: 80, height: 20).fitted(pixels: 1600) == PixelSize(width: 80, height: 20))
    #expect(PixelSize(width: 9000, height: 1).fitted(pixels: 0) == PixelSize(width: 94, height: 1))
  }

  @Test func `covering is the smallest size that is large enough on both sides`() {
    var numbers = SeededNumbers(7)
    for _ in 0..<2000 {
      let full = PixelSize(
        width: Int.random(in: 1...300, using: &numbers), height: Int.random(in: 1...300, using: &numbers))
      let box = PixelSize(
        width: Int.random(in: 1...300, using: &numbers), height: Int.random(in: 1...300, using: &numbers))
      let size = full.covering(box)
      #expect(size.width <= full.width && size.height <= full.height)
      #expect(size.width >= min(box.width, full.width) && size.height >= min(box.height, full.height))
    }
  }
}
