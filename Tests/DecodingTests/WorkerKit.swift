import Decoding
import POSIX
import Imaging
import TestKit
import Testing

/// Workers of the test's own program, which stands beside the tests.
enum WorkerKit {
  struct Missing: Error {}

  static func probe() throws -> String {
    guard let path = PtySession.builtProgram("WorkerProbe") else { throw Missing() }
    return path
  }

  static func pool(
    _ arguments: [String] = WorkerProgram.arguments, atOnce: Int = 1, patience: Duration = .seconds(5),
    warn: @escaping @Sendable (String) -> Void = { _ in }
  ) throws -> WorkerPool {
    WorkerPool(try probe(), arguments, atOnce: atOnce, patience: patience, warn: warn)
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
