import Decoding
@testable import Imaging
import POSIX
import TestKit
import Testing

/// Broken files through a real worker: each ends in time, with a picture or a reason, and none ends the worker.
@Suite(.serialized, .timeLimit(.minutes(10))) struct WorkerHostileTests {
  /// What another program takes of the machine counts for nothing.
  private func expectQuick(_ worker: pid_t, _ body: () async throws -> Void) async throws {
    let before = try #require(WorkerKit.worked(worker))
    try await body()
    // at any pace: the worker's own time, of which it takes some milliseconds.
    #expect(try #require(WorkerKit.worked(worker)) - before < .seconds(5))
  }

  private func tryAll(_ file: [UInt8], _ pool: WorkerPool) async throws {
    let content = try PictureContent(file)
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
  }

  @Test func `a JPEG cut at any byte ends with a part or a reason`() async throws {
    let (pool, worker) = try await WorkerKit.poolWithWorker()
    for file in [
      try Encoder.jpeg(WorkerKit.gradient(24, 16), quality: 80),
      try Encoder.jpeg(WorkerKit.gradient(24, 16), quality: 80, isProgressive: true),
    ] {
      for length in 0..<file.count {
        try await expectQuick(worker) { try await tryAll(Array(file.prefix(length)), pool) }
      }
    }
    #expect(pool.processes == 1)
  }

  @Test(arguments: 0..<4) func `1,000 seeded mutations end with a picture or a reason`(index: Int) async throws {
    let (pool, worker) = try await WorkerKit.poolWithWorker()
    let pixels = WorkerKit.gradient(24, 16)
    let seed = [
      try Encoder.jpeg(pixels, quality: 80), try Encoder.jpeg(pixels, quality: 80, isProgressive: true),
      try Encoder.png(pixels), try Encoder.webP(pixels, quality: index == 3 ? 80 : nil),
    ][index]
    var numbers = SeededNumbers(UInt64(index) + 31)
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
      try await expectQuick(worker) { try await tryAll(file, pool) }
    }
    #expect(WorkerKit.children().contains(worker) && pool.processes == 1)
  }

  @Test func `a progressive JPEG of very many scans, and one that claims gigapixels, end with a reason`() async throws {
    let (pool, worker) = try await WorkerKit.poolWithWorker()
    let pixels = WorkerKit.gradient(1000, 1000)
    let file = try Encoder.jpeg(pixels, quality: 80, isProgressive: true)
    var claims = file
    let frame = try #require(file.indices.dropLast().first { file[$0] == 0xFF && file[$0 + 1] == 0xC2 })
    for at in (frame + 5)..<(frame + 9) { claims[at] = 0xFF }
    for file in [try WorkerKit.scans(of: pixels, 5000), claims] {
      let content = try PictureContent(file)
      try await expectQuick(worker) {
        let error = await failure { () async throws(ImageError) in
          try await pool.pixels(.decode(atLeast: nil), of: content, orientation: .upright)
        }
        #expect(error?.kind == .tooLarge)
      }
    }
  }
}
