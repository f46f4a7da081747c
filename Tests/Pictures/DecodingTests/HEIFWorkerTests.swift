import Basics
@testable import Decoding
@testable import Imaging
import POSIX
import TestKit
import Testing

/// HEIC and AVIF through workers of their own, which load libheif before they are locked.
@Suite(
  .serialized, .enabled(if: HEIFPrograms.areThere, "libheif-examples is not installed"), .timeLimit(.minutes(10)))
struct HEIFWorkerTests {
  private static let png = try? Encoder.png(WorkerKit.gradient(64, 64))

  private static func file(_ ending: String = "heic") throws -> [UInt8] {
    try HEIFPrograms.file(try #require(png), ending)
  }

  /// Four tiles of one coded picture.
  private static func grid() throws -> HandmadeHEIF {
    let tile = HandmadeHEIF(coded: try file(), 64, 64)
    var file = HandmadeHEIF()
    file.properties = tile.properties + [HandmadeHEIF.size(128, 128)]
    file.items = [.init(1, "grid", [0, 0, 1, 1, 0, 128, 0, 128], [3])]
    file.items += (2...5).map { .init($0, "hvc1", tile.items[0].data, [1, 2]) }
    file.references = [("dimg", 1, [2, 3, 4, 5])]
    return file
  }

  @Test func `a locked worker decodes what this process does`() async throws {
    try #require(Decoder.loadHEIF())
    let pool = try WorkerKit.pool()
    let here = InProcessDecoder(pool: BlockingPool(threads: 1))
    for bytes in [try Self.file(), try Self.file("avif"), try Self.grid().bytes()] {
      let content = try PictureContent(bytes)
      for work in [
        PictureWork.decode(atLeast: nil), .thumbnail(box: PixelSize(width: 20, height: 20)), .check,
        .copy(maxEdge: nil, format: .jpeg, quality: 92),
      ] {
        let limits = PictureLimits()
        let (ours, theirs) = (
          try await here.perform(work, on: content, orientation: .upright, limits: limits, isUrgent: false),
          try await pool.perform(work, on: content, orientation: .upright, limits: limits, isUrgent: true)
        )
        #expect(ours == theirs, "\(work)")
      }
    }
    #expect(pool.processes == 1)
  }

  @Test func `other pictures go to workers without the library`() async throws {
    let (pool, usual) = try await WorkerKit.poolWithWorker()
    _ = try await pool.decode(try Self.file())
    _ = try await pool.decode(try #require(Self.png))
    #expect(pool.processes == 2 && WorkerKit.children().contains(usual))
    // Only root may look into a locked process.
    if let maps = try? String(contentsOfFileAt: "/proc/\(usual)/maps"), !maps.isEmpty {
      #expect(!maps.contains("libheif"))
    }
    let status = try String(contentsOfFileAt: "/proc/\(usual)/status")
    #expect(status.contains("Threads:\t1\n"))
  }

  @Test func `without the library one sentence names its package`() async throws {
    let folder = try TemporaryFolder()
    try folder.write("libheif.so.1", [])
    let pool = try WorkerKit.pool(["worker", "lacks-libheif", folder.path])
    for _ in 0..<2 {
      let error = await failure { () async throws(ImageError) in try await pool.decode(try Self.bytes()) }
      #expect(error == Decoder.noHEIF && error?.remedy.contains("libheif1") == true)
    }
  }

  private static func bytes() throws(ImageError) -> [UInt8] {
    do { return try file() } catch { throw .corrupt("\(error)") }
  }

  private func expectLocked(_ results: [String: String]) {
    #expect(results["refusals"] == "0" && results["thread"] == "succeeded" && results["memory"] == "succeeded")
    for name in WorkerKit.forbidden { #expect(results[name] == "error \(EPERM)", "\(name)") }
    // The C library then starts its threads in the older way.
    #expect(results["clone3"] == "error \(ENOSYS)")
    for name in ["raise-data", "raise-files"] { #expect(results[name] == "error \(EPERM)", "\(name)") }
  }

  @Test func `its lock lets it start threads, and nothing else`() throws {
    expectLocked(try WorkerKit.attempts([try WorkerKit.probe(), "escape-with-threads"]))
  }

  private static let setpriv = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]

  private static var canBeNobody: Bool {
    guard geteuid() == 0, let probe = try? WorkerKit.probe() else { return false }
    let outcome = try? Spawn(setpriv[0], setpriv.dropFirst() + ["/usr/bin/test", "-x", probe], environment: [:])
      .finish()
    return outcome?.status == 0
  }

  @Test(.enabled(if: canBeNobody, "this user cannot become another"))
  func `an ordinary user's lock is the same as root's`() throws {
    expectLocked(try WorkerKit.attempts(Self.setpriv + [try WorkerKit.probe(), "escape-with-threads"]))
  }

  // MARK: Broken files

  private static func expectEnd(_ file: [UInt8], _ pool: WorkerPool, _ what: String = "") async throws {
    let content = try PictureContent(file)
    for work in [PictureWork.decode(atLeast: nil), .thumbnail(box: PixelSize(width: 8, height: 8))] {
      let error = await failure { () async throws(ImageError) in
        try await pool.perform(
          work, on: content, orientation: .upright, limits: PictureLimits(maxPixels: 4_000_000), isUrgent: false)
      }
      if let error {
        #expect(![.slow, .unavailable, .cancelled].contains(error.kind), "\(what): \(error)")
        #expect(error.message.hasSuffix("."))
      }
    }
  }

  @Test(arguments: ["heic", "avif"]) func `a file cut at any byte ends with a reason`(ending: String) async throws {
    let pool = try WorkerKit.pool()
    let file = try Self.file(ending)
    for length in 0..<file.count {
      try await Self.expectEnd(Array(file.prefix(length)), pool, "\(length)")
      #expect(
        (try? PictureHeader.read(Array(file.prefix(length))))?.size ?? PixelSize(width: 64, height: 64)
          == PixelSize(width: 64, height: 64))
    }
  }

  @Test(arguments: 0..<3) func `mutations end with a picture or a reason`(index: Int) async throws {
    let pool = try WorkerKit.pool()
    let seed = [try Self.file(), try Self.file("avif"), try Self.grid().bytes()][index]
    var numbers = SeededNumbers(UInt64(index) + 40)
    for round in 0..<TestTier.process.rounds(670) {
      var file = seed
      for _ in 0...numbers.below(4) where !file.isEmpty {
        // Most of the boxes are at the beginning.
        let at = numbers.below(numbers.below(2) == 0 ? min(file.count, 600) : file.count)
        switch numbers.below(5) {
        case 0: file[at] = UInt8(truncatingIfNeeded: numbers.below(256))
        case 1: file[at] ^= 1 << UInt8(numbers.below(8))
        case 2: file.removeSubrange(at..<min(file.count, at + 1 + numbers.below(8)))
        case 3: file[at] = [0, 1, 0x7F, 0x80, 0xFF][numbers.below(5)]
        default: file.insert(contentsOf: file[at..<min(file.count, at + 16)], at: at)
        }
      }
      try await Self.expectEnd(file, pool, "\(round)")
    }
    // Files that are no pictures any more go to a usual worker.
    #expect(pool.processes <= 2)
  }

  private static let wrong: [(String, @Sendable (inout HandmadeHEIF) -> Void)] = [
    ("a grid of itself", { $0.references = [("dimg", 1, [1, 1, 1, 1])] }),
    (
      "grids in a circle",
      { file in
        file.items[1].kind = "grid"
        file.references.append(("dimg", 2, [1, 1, 1, 1]))
      }
    ),
    ("65,536 tiles", { $0.items[0].data = [0, 0, 255, 255, 255, 255, 255, 255] }),
    (
      "65,535 tiles of one picture",
      { file in
        file.items[0].data = [0, 0, 254, 255, 255, 255, 255, 255]
        file.references = [("dimg", 1, [Int](repeating: 2, count: 65_280))]
      }
    ),
    ("missing tiles", { $0.references = [("dimg", 1, [2, 3, 4, 77])] }),
    ("no tiles", { $0.references = [] }),
    ("an item of 4 GB", { $0.items[1].length = 0xFFFF_FFFF }),
    ("a first picture that is missing", { $0.primary = 9 }),
    ("a size of gigapixels", { $0.properties[2] = HandmadeHEIF.size(0xFFFF_FFFF, 0xFFFF_FFFF) }),
    ("a size of nothing", { $0.properties[2] = HandmadeHEIF.size(0, 128) }),
    ("tiles that claim to be huge", { $0.properties[1] = HandmadeHEIF.size(30_000, 30_000) }),
    ("properties that are missing", { $0.items[0].properties = [90, 127] }),
    ("an embedded picture of itself", { $0.references.append(("thmb", 1, [1])) }),
    ("an alpha plane of itself", { $0.references.append(("auxl", 1, [1])) }),
  ]

  @Test func `boxes that lie end with a reason`() async throws {
    let pool = try WorkerKit.pool()
    for (name, change) in Self.wrong {
      var file = try Self.grid()
      change(&file)
      try await Self.expectEnd(file.bytes(), pool, name)
      let header = try? PictureHeader.read(file.bytes())
      #expect(
        header?.size ?? PixelSize(width: 128, height: 128) == PixelSize(width: 128, height: 128)
          || name.contains("size"))
    }
    let whole = try Self.grid().bytes()
    #expect(try await pool.decode(whole).size == PixelSize(width: 128, height: 128))
  }
}
