import Basics
@testable import Decoding
import POSIX
@testable import Imaging
import Synchronization
import TestKit
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct WorkerTests {
  private static func files() throws -> [[UInt8]] {
    let pixels = WorkerKit.gradient(300, 200)
    return [
      try Encoder.jpeg(pixels, quality: 90), try Encoder.jpeg(pixels, quality: 80, isProgressive: true),
      try Encoder.png(pixels), try Encoder.webP(pixels, quality: 80), try Encoder.webP(pixels, quality: nil),
      try linear(pixels), gif,
    ]
  }

  /// A red pixel, and one to see through.
  private static let gif: [UInt8] =
    Array("GIF89a".utf8) + [2, 0, 1, 0, 0x80, 0, 0, 255, 0, 0, 0, 0, 255, 0x21, 0xF9, 4, 1, 0, 0, 1, 0]
    + [0x2C, 0, 0, 0, 0, 2, 0, 1, 0, 0, 2, 2, 0x44, 0x0A, 0, 0x3B]

  @Test func `a locked worker unpacks a GIF`() async throws {
    let pool = try WorkerKit.pool()
    let content = try PictureContent(Self.gif)
    let result = try await pool.pixels(.decode(atLeast: nil), of: content, orientation: .upright)
    #expect(!result.isDamaged && [result.pixels[0, 0], result.pixels[1, 0]] == [0xFF0000, 0x808080])
  }

  /// A PNG that says that its samples are linear.
  private static func linear(_ pixels: Pixels) throws -> [UInt8] {
    var file = try PictureChunks(png: try Encoder.png(pixels))
    file.chunks.insert(PictureChunks.Chunk(kind: "gAMA", body: [0, 1, 0x86, 0xA0]), at: 1)
    return file.pngBytes
  }

  @Test func `a locked worker converts colours`() async throws {
    let pool = try WorkerKit.pool()
    let content = try PictureContent(try Self.linear(Pixels(width: 4, height: 4, colour: 0x808080)))
    let result = try await pool.pixels(.decode(atLeast: nil), of: content, orientation: .upright)
    #expect(result.pixels == Pixels(width: 4, height: 4, colour: 0xBCBCBC))
  }

  private static let works: [PictureWork] = [
    .decode(atLeast: nil), .decode(atLeast: PixelSize(width: 40, height: 30)),
    .thumbnail(box: PixelSize(width: 64, height: 64)),
    .thumbnailFile(box: PixelSize(width: 64, height: 64), format: .png, quality: 80),
    .thumbnailFile(box: PixelSize(width: 64, height: 64), format: .webp, quality: 80), .check,
    .copy(maxEdge: 100, format: .jpeg, quality: 60), .copy(maxEdge: nil, format: .png, quality: nil),
  ]

  @Test func `a worker gives what this process gives`() async throws {
    let pool = try WorkerKit.pool()
    let here = InProcessDecoder(pool: BlockingPool(threads: 1))
    for file in try Self.files() {
      let content = try PictureContent(file)
      for work in Self.works {
        for orientation in [Orientation.upright, .quarterRight] {
          let limits = PictureLimits()
          let (ours, theirs) = (
            try await here.perform(work, on: content, orientation: orientation, limits: limits, isUrgent: false),
            try await pool.perform(work, on: content, orientation: orientation, limits: limits, isUrgent: true)
          )
          #expect(ours == theirs, "\(work)")
        }
      }
    }
    #expect(pool.processes == 1)
  }

  @Test func `errors of a picture come with their sentences`() async throws {
    let pool = try WorkerKit.pool()
    let here = InProcessDecoder(pool: BlockingPool(threads: 1))
    var half = try Self.files()[0]
    half = Array(half.prefix(half.count / 2))
    for (file, limits) in [
      (Array("no picture at all".utf8), PictureLimits()), (half, PictureLimits()), (half, PictureLimits(maxPixels: 5)),
    ] {
      let content = try PictureContent(file)
      var errors: [ImageError?] = []
      for decoder in [here, pool] as [any PictureDecoding] {
        errors.append(
          await failure { () async throws(ImageError) in
            try await decoder.perform(.check, on: content, orientation: .upright, limits: limits, isUrgent: false)
          })
      }
      #expect(errors[0] != nil && errors[0] == errors[1])
    }
  }

  @Test(
    arguments: [
      .decode(atLeast: nil), .decode(atLeast: PixelSize(width: 5, height: 9)), .check,
      .thumbnail(box: PixelSize(width: 1, height: 70_000)),
      .thumbnailFile(box: PixelSize(width: 8, height: 9), format: .webp, quality: 90),
      .area(PixelRect(x: 0, y: 900, width: 17, height: 1), eighths: 4), .copy(maxEdge: nil, format: .png, quality: nil),
      .copy(maxEdge: 900, format: .jpeg, quality: 60),
    ] as [PictureWork])
  func `a request is read as it was written, and no part of it is`(work: PictureWork) throws {
    let request = WorkerRequest(
      number: 7, count: 1 << 40, orientation: .transversed, limits: PictureLimits(maxPixels: 9, maxScanWork: 3),
      work: work)
    #expect(WorkerRequest(request.bytes) == request)
    for length in 0..<request.bytes.count { #expect(WorkerRequest(Array(request.bytes.prefix(length))) == nil) }
  }

  @Test func `no mutation of a request or an answer is believed against the limits`() throws {
    var numbers = SeededNumbers(5)
    let limits = PictureLimits(maxPixels: 10_000, maxSide: 200)
    let request = WorkerRequest(
      number: 3, count: 10, orientation: .upright, limits: limits,
      work: .thumbnail(box: PixelSize(width: 50, height: 50)))
    let answers: [WorkerAnswer.Content] = [
      .pixels(PixelSize(width: 50, height: 20), isDamaged: true), .checked, .failed(ImageError(.corrupt, "It is.")),
      .file(PixelSize(width: 5, height: 5), count: 40),
    ]
    for _ in 0..<20_000 {
      var bytes = WorkerAnswer(number: 3, answers[numbers.below(answers.count)]).bytes
      for _ in 0...numbers.below(4) {
        bytes[numbers.below(bytes.count)] = UInt8(truncatingIfNeeded: numbers.below(256))
      }
      if let answer = WorkerAnswer(bytes, to: request, room: 3 * 50 * 50), case .pixels(let size, _) = answer.content {
        #expect((1...50).contains(size.width) && (1...50).contains(size.height))
      }
      var asked = request.bytes
      asked[numbers.below(asked.count)] = UInt8(truncatingIfNeeded: numbers.below(256))
      _ = WorkerRequest(asked)
    }
  }

  /// A worker can be in the hands of a picture's author.
  @Test(
    arguments: [
      ("answers-garbage", .crashed), ("answers-at-length", .crashed), ("answers-huge", .crashed),
      ("answers-negative", .crashed), ("answers-another", .crashed), ("answers-a-file", .crashed),
      ("fails-at-length", .crashed), ("fails-with-control", .corrupt), ("aborts", .crashed), ("exits", .crashed),
      ("hangs", .slow), ("spins", .slow), ("ends-at-start", .unavailable), ("greets-wrongly", .unavailable),
      ("answers-with-files", nil), ("shrinks-result", nil),
    ] as [(String, ImageError.Kind?)])
  func `a worker that fails costs one picture with a reason`(fault: String, kind: ImageError.Kind?) async throws {
    let file = try Encoder.png(WorkerKit.gradient(8, 8))
    let descriptors = WorkerKit.openDescriptors()
    let children = WorkerKit.children()
    do {
      // The pool gives up two of them; to hear of the others it may take as long as it likes.
      let pool = try WorkerKit.pool(
        ["worker", fault], patience: kind == .slow ? .milliseconds(50) : WorkerKit.longest)
      for _ in 0..<2 {
        let error = await failure { () async throws(ImageError) in try await pool.decode(file) }
        #expect(error?.kind == kind, "\(error?.message ?? "none")")
        #expect(error.map { $0.message.utf8.allSatisfy { $0 >= 0x20 } } != false)
      }
    }
    try await WorkerKit.until {
      WorkerKit.children().isSubset(of: children) && WorkerKit.openDescriptors() <= descriptors
    }
  }

  @Test func `the pool warns once of workers that the system does not lock down`() async throws {
    let (warnings, said) = AsyncStream<String>.makeStream()
    let pool = try WorkerKit.pool(["worker", "is-refused"]) { said.yield($0) }
    let file = try Encoder.png(WorkerKit.gradient(8, 8))
    for _ in 0..<2 { _ = await failure { () async throws(ImageError) in try await pool.decode(file) } }
    said.finish()
    var count = 0
    for await _ in warnings { count += 1 }
    #expect(count == 1)
  }

  @Test func `a program that cannot be started is a reason`() async throws {
    let pool = WorkerPool("/nonexistent/byteclub", WorkerProgram.arguments, atOnce: 1)
    let file = try Encoder.png(WorkerKit.gradient(8, 8))
    let error = await failure { () async throws(ImageError) in try await pool.decode(file) }
    #expect(error?.kind == .unavailable)
    #expect(error?.message.contains("No such file or directory") == true)
  }

  @Test func `a locked down process reaches no file, socket, process or code`() throws {
    let results = try WorkerKit.attempts([try WorkerKit.probe(), "escape"])
    #expect(results["before"] == "true" && results["thread"]?.hasPrefix("error") == true)
    #expect(results["clone3"] == "error \(EPERM)")
    #expect(results["refusals"] == "0")
    for name in WorkerKit.forbidden { #expect(results[name] == "error \(EPERM)", "\(name)") }
    // Its own limits can only be lowered.
    #expect(results["limit"] == "error \(EINVAL)" || results["limit"] == "error \(EPERM)")
    for name in ["raise-data", "raise-files"] {
      #expect(results[name] == "error \(EPERM)", "\(name)")
    }
    #expect(results["gigabyte"] == "error \(ENOMEM)")
    #expect(results["memory"] == "succeeded" && results["signal-own"] == "succeeded")
  }

  @Test func `a killed worker costs at most the picture that it had`() async throws {
    // Workers of earlier tests may be ending still.
    let others = WorkerKit.children()
    let pool = try WorkerKit.pool()
    let large = try Encoder.jpeg(WorkerKit.gradient(3000, 2000), quality: 80, isProgressive: true)
    let small = try Encoder.png(WorkerKit.gradient(8, 8))
    var numbers = SeededNumbers(3)
    var failed = 0
    for _ in 0..<25 {
      _ = try await pool.decode(small)
      let worker = try #require(WorkerKit.children().subtracting(others).first)
      let work = Duration.milliseconds(numbers.below(60))
      let isOver = Mutex(false)
      let before = try #require(WorkerKit.worked(worker))
      // It has done that much of the picture, whatever else the machine does, or is ready before.
      let killing = Task.detached {
        while let now = WorkerKit.worked(worker), now - before < work, !isOver.withLock({ $0 }) {
          await Task.yield()
        }
        kill(worker, SIGKILL)
        // A worker that is ending may still take the next picture with it. The pool may have waited for it already.
        var end = siginfo_t()
        while waitid(P_PID, id_t(worker), &end, WEXITED | WNOWAIT) != 0, errno == EINTR {}
      }
      let error = await failure { () async throws(ImageError) in try await pool.decode(large) }
      isOver.withLock { $0 = true }
      await killing.value
      if let error {
        failed += 1
        #expect(error.kind == .crashed)
        #expect(error.message == "The picture made byteclub's decoder fail (signal 9).")
      }
      #expect(try await pool.decode(small).size == PixelSize(width: 8, height: 8))
    }
    #expect(failed > 0)
    #expect(pool.processes == 1 && WorkerKit.children().subtracting(others).count == 1)
  }

  /// Starts a picture with a worker that has read its request and never answers, then cancels it.
  private func cancel(_ pool: WorkerPool, asked: String) async throws {
    let small = try Encoder.png(WorkerKit.gradient(8, 8))
    let task = Task { await failure { () async throws(ImageError) in try await pool.decode(small) } }
    try await WorkerKit.until { access(asked, F_OK) == 0 }
    task.cancel()
    #expect(await task.value?.kind == .cancelled)
  }

  @Test(arguments: ["hangs", "spins"])
  func `cancelling ends the wait at once, whatever the worker does`(fault: String) async throws {
    let others = WorkerKit.children()
    let folder = try TemporaryFolder()
    // Nobody's patience ends the wait.
    let pool = try WorkerKit.pool(["worker", fault, folder.file("asked")])
    try await cancel(pool, asked: folder.file("asked"))
    #expect(pool.processes == 1)
    let worker = try #require(WorkerKit.children().subtracting(others).first)
    #expect(kill(worker, SIGKILL) == 0)
  }

  @Test(arguments: ["hangs", "spins"])
  func `a worker that does not stop when it is told to is killed`(fault: String) async throws {
    let others = WorkerKit.children()
    let folder = try TemporaryFolder()
    // at any pace: it never stops by itself, so the limit has to expire.
    let pool = try WorkerKit.pool(["worker", fault, folder.file("asked")], cancelPatience: .milliseconds(1))
    try await cancel(pool, asked: folder.file("asked"))
    try await WorkerKit.until { pool.processes == 0 && WorkerKit.children().isSubset(of: others) }
  }

  @Test(.timing("a worker has five seconds of processor time until it stops"))
  func `a worker stops on request, and takes the next picture`() async throws {
    let (pool, worker) = try await WorkerKit.poolWithWorker()
    let small = try Encoder.png(WorkerKit.gradient(8, 8))
    let endless = try PictureContent(try WorkerKit.scans(of: Pixels(width: 1500, height: 1500, colour: 0x804020), 5000))
    let limits = PictureLimits(maxScans: .max, maxScanWork: .max)
    for step in 1...5 {
      let before = try #require(WorkerKit.worked(worker))
      let task = Task {
        await failure { () async throws(ImageError) in
          try await pool.perform(.check, on: endless, orientation: .upright, limits: limits, isUrgent: false)
        }
      }
      try await WorkerKit.until { try #require(WorkerKit.worked(worker)) - before > .milliseconds(10 * step) }
      task.cancel()
      #expect(await task.value?.kind == .cancelled)
      #expect(try await pool.decode(small).width == 8)
      // The whole picture would have taken it far longer.
      #expect(try #require(WorkerKit.worked(worker)) - before < .seconds(5))
    }
    // It stopped by itself, and was not killed.
    #expect(WorkerKit.children().contains(worker) && pool.processes == 1)
  }

  @Test func `urgent work goes first, and cancelled work that waits is never done`() async throws {
    let folder = try TemporaryFolder()
    #expect(mkfifo(folder.file("asked.gate"), 0o600) == 0)
    let pool = try WorkerKit.pool(["worker", "waits", folder.file("asked")])
    let small = try PictureContent(try Encoder.png(WorkerKit.gradient(8, 8)))
    let start = { @Sendable (isUrgent: Bool) in
      Task {
        await failure { () async throws(ImageError) in
          try await pool.pixels(.decode(atLeast: nil), of: small, orientation: .upright, isUrgent: isUrgent)
        }
      }
    }
    // The worker has this one, and waits with it.
    var works = [start(false)]
    try await WorkerKit.until { pool.processes == 1 }
    for (index, isUrgent) in [false, false, true, true, false, true, false].enumerated() {
      works.append(start(isUrgent))
      try await WorkerKit.until { pool.waiting == index + 1 }
    }
    for index in [3, 5] {
      works[index].cancel()
      #expect(await works[index].value?.kind == .cancelled)
    }
    #expect(pool.waiting == 5)
    // No worker opens it before it has read its request.
    var gate: Int32 = -1
    try await WorkerKit.until {
      gate = open(folder.file("asked.gate"), O_WRONLY | O_NONBLOCK)
      return gate >= 0
    }
    close(gate)
    for index in [0, 1, 2, 4, 6, 7] { #expect(await works[index].value == nil) }
    // The requests that the worker read, counted from the first.
    let numbers = try String(contentsOfFileAt: folder.file("asked")).split(separator: "\n").compactMap { Int($0) }
    #expect(numbers.map { $0 - (numbers.first ?? 0) } == [0, 4, 6, 1, 2, 7])
  }
}
