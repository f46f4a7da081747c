import Decoding
import POSIX
@testable import Imaging
import TestKit
import Testing

/// Workers of the test's own program, which stands beside the tests.
enum WorkerKit {
  struct Missing: Error {}

  /// No machine is so busy that a test's work takes so long.
  static let longest = Duration.seconds(600)

  static func probe() throws -> String {
    guard let path = PtySession.builtProgram("WorkerProbe") else { throw Missing() }
    return path
  }

  static func pool(
    _ arguments: [String] = WorkerProgram.arguments, patience: Duration = longest, cancelPatience: Duration = longest,
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> WorkerPool {
    WorkerPool(try probe(), arguments, atOnce: 1, patience: patience, cancelPatience: cancelPatience, warn: warn)
  }

  /// A pool whose worker runs.
  static func poolWithWorker() async throws -> (WorkerPool, pid_t) {
    // Workers of earlier tests may be ending still.
    let others = children()
    let pool = try pool()
    _ = try await pool.decode(try Encoder.png(gradient(8, 8)))
    return (pool, try #require(children().subtracting(others).first))
  }

  /// What no worker may do.
  static let forbidden = [
    "open", "create", "unlink", "socket", "fork", "clone", "vfork-clone", "new-user", "kill", "signal", "execute",
    "code",
  ]

  /// Runs a program that prints the results of what it tried.
  static func attempts(_ words: [String]) throws -> [String: String] {
    let outcome = try Spawn(words[0], Array(words.dropFirst()), environment: [:]).finish()
    var results: [String: String] = [:]
    for line in outcome.text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 1)
      if words.count == 2 { results[String(words[0])] = String(words[1]) }
    }
    return results
  }

  /// A progressive JPEG whose last scan comes once more, so often.
  static func scans(of pixels: Pixels, _ count: Int) throws -> [UInt8] {
    let file = try Encoder.jpeg(pixels, quality: 80, isProgressive: true)
    let last = try #require(file.indices.dropLast().last { file[$0] == 0xFF && file[$0 + 1] == 0xDA })
    let repeated = Array(file[last..<(file.count - 2)])
    return Array(file[..<last] + Array(repeatElement(repeated, count: count).joined()) + [0xFF, 0xD9])
  }

  /// Waits, however long it takes, for what another process or thread does; the test's time limit ends it.
  static func until(_ condition: () throws -> Bool) async throws {
    while try !condition() {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  /// How long a process has worked: a busy machine adds nothing to it. Nil once it was waited for.
  static func worked(_ process: pid_t) -> Duration? {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return nil }
    return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
  }

  /// Red grows to the right, green downwards.
  static func gradient(_ width: Int, _ height: Int) -> Pixels {
    var pixels = Pixels(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        pixels[x, y] = UInt32(255 * x / max(1, width - 1)) << 16 | UInt32(255 * y / max(1, height - 1)) << 8 | 64
      }
    }
    return pixels
  }

  /// The processes that this one started and has not waited for.
  static func children() -> Set<pid_t> {
    var found: Set<pid_t> = []
    for thread in names(in: "/proc/self/task") {
      guard let text = try? String(contentsOfFileAt: "/proc/self/task/\(thread)/children") else { continue }
      found.formUnion(text.split(separator: " ").compactMap { pid_t($0) })
    }
    return found
  }

  static func openDescriptors() -> Int { names(in: "/proc/self/fd").count }

  private static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names
  }
}

extension String {
  init(contentsOfFileAt path: String) throws {
    guard let file = fopen(path, "r") else { throw WorkerKit.Missing() }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 64 * 1024)
    let count = fread(&bytes, 1, bytes.count, file)
    self = String(decoding: bytes.prefix(count), as: UTF8.self)
  }
}

/// Runs `body` and gives its error; nil if there was none.
func failure(_ body: () async throws(ImageError) -> some Any) async -> ImageError? {
  do throws(ImageError) {
    _ = try await body()
    return nil
  } catch {
    return error
  }
}

extension PictureDecoding {
  func decode(_ bytes: [UInt8], atLeast: PixelSize? = nil) async throws(ImageError) -> Pixels {
    let content = try PictureContent(bytes)
    return try await pixels(.decode(atLeast: atLeast), of: content, orientation: try content.header().orientation)
      .pixels
  }
}
