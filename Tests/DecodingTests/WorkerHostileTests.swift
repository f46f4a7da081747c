import Decoding
@testable import Imaging
import TestKit
import Testing

/// Broken files through a real worker: each ends in time, with a picture or a reason, and none ends the worker.
@Suite(.serialized) struct WorkerHostileTests {
  private func tryAll(_ file: [UInt8], _ pool: WorkerPool) async throws {
    let content = try PictureContent(file)
    let start = ContinuousClock.now
    for work in [PictureWork.decode(atLeast: nil), .thumbnail(box: PixelSize(width: 8, height: 8)), .check] {
      let limits = PictureLimits(maxPixels: 4_000_000)
      let error = await failure { () async throws(ImageError) in
        try await pool.perform(work, on: content, orientation: .upright, limits: limits, isUrgent: false)
      }
      if let error {
        #expect(![.slow, .crashed, .unavailable, .cancelled].contains(error.kind), "\(error)")
        #expect(error.message.hasSuffix("."))
      }
    }
    #expect(ContinuousClock.now - start < .seconds(5))
  }

  @Test func `a JPEG cut at any byte ends with a part or a reason`() async throws {
    let pool = try WorkerKit.pool()
    for file in [
      try Encoder.jpeg(WorkerKit.gradient(24, 16), quality: 80),
      try Encoder.jpeg(WorkerKit.gradient(24, 16), quality: 80, isProgressive: true),
    ] {
      for length in 0..<file.count { try await tryAll(Array(file.prefix(length)), pool) }
    }
    #expect(pool.processes == 1)
  }

  @Test(arguments: 0..<4) func `1,000 seeded mutations end with a picture or a reason`(index: Int) async throws {
    // Workers of earlier tests may be ending still.
    let others = WorkerKit.children()
    let pool = try WorkerKit.pool()
    let pixels = WorkerKit.gradient(24, 16)
    let seed = [
      try Encoder.jpeg(pixels, quality: 80), try Encoder.jpeg(pixels, quality: 80, isProgressive: true),
      try Encoder.png(pixels), try Encoder.webP(pixels, quality: index == 3 ? 80 : nil),
    ][index]
    var numbers = SeededNumbers(UInt64(index) + 31)
    _ = try await pool.decode(seed)
    let worker = WorkerKit.children().subtracting(others)
    for _ in 0..<1000 {
      var file = seed
      for _ in 0...numbers.below(4) where !file.isEmpty {
        let at = numbers.below(file.count)
        switch numbers.below(4) {
        case 0: file[at] = UInt8(truncatingIfNeeded: numbers.below(256))
        case 1: file[at] ^= 1 << UInt8(numbers.below(8))
        case 2: file.removeSubrange(at..<min(file.count, at + 1 + numbers.below(8)))
        default: file.insert(contentsOf: file[at..<min(file.count, at + 16)], at: at)
        }
      }
      try await tryAll(file, pool)
    }
    #expect(worker.count == 1 && WorkerKit.children().subtracting(others) == worker)
  }

  @Test func `a progressive JPEG of very many scans, and one that claims gigapixels, end with a reason`() async throws {
    let pool = try WorkerKit.pool()
    let file = try Encoder.jpeg(WorkerKit.gradient(1000, 1000), quality: 80, isProgressive: true)
    let scans = file.indices.dropLast().filter { file[$0] == 0xFF && file[$0 + 1] == 0xDA }
    let last = try #require(scans.last)
    let repeated = Array(file[last..<(file.count - 2)])
    var claims = file
    let frame = try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xC2 })
    for at in (frame + 5)..<(frame + 9) { claims[at] = 0xFF }
    for (file, kind) in [
      (Array(file[..<last] + Array(repeatElement(repeated, count: 5000).joined()) + [0xFF, 0xD9]), .tooLarge),
      (claims, .tooLarge),
    ] as [([UInt8], ImageError.Kind)] {
      let start = ContinuousClock.now
      let content = try PictureContent(file)
      let error = await failure { () async throws(ImageError) in
        try await pool.pixels(.decode(atLeast: nil), of: content, orientation: .upright)
      }
      #expect(error?.kind == kind)
      #expect(ContinuousClock.now - start < .seconds(5))
    }
  }
}
