import Foundation
import POSIX
import Synchronization

/// A folder of its own for one test, gone with the last reference. Whatever is at a path of ours goes once more with the
/// process: a task that is still at work may hold a folder, and a program that ends later than its test may have made its
/// files anew.
public final class TemporaryFolder: Sendable {
  private static let there = Mutex<Set<String>>([])
  private static let endsWithProcess: Bool =
    atexit {
      let paths = there.withLock { $0 }
      ProgramsLeft.end(of: paths)
      paths.forEach(removeFolder)
    } == 0

  /// The folder's path, without links.
  public let path: String

  public init() throws {
    let path = TemporaryFolder.newPath()
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let real = realpath(path, nil)
    defer { free(real) }
    let whole = real.map { String(cString: $0) } ?? path
    self.path = whole
    TemporaryFolder.there.withLock { _ = $0.insert(whole) }
  }

  deinit {
    let path = path
    removeFolder(path)
  }

  /// A path for temporary files at which nothing is. It is short: the path of a socket has 107 bytes at most.
  public static func newPath() -> String {
    _ = endsWithProcess
    let name = "byteclub-" + String(UInt64.random(in: 0 ... .max), radix: 36)
    let path = FileManager.default.temporaryDirectory.appending(path: name).path
    there.withLock { _ = $0.insert(path) }
    return path
  }

  public func file(_ name: String) -> String { "\(path)/\(name)" }

  /// The names in the folder or in one inside it, sorted.
  public func names(in folder: String = "") -> [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: file(folder))) ?? []).sorted()
  }

  public func bytes(_ name: String) -> [UInt8]? { FileManager.default.contents(atPath: file(name)).map { Array($0) } }
  public func text(_ name: String) -> String? { bytes(name).map { String(decoding: $0, as: UTF8.self) } }
  public func write(_ name: String, _ bytes: [UInt8]) throws { try Data(bytes).write(to: URL(filePath: file(name))) }
  public func remove(_ name: String) { removeFolder(file(name)) }

  /// The permissions of a file.
  public func mode(_ name: String) -> Int? {
    (try? FileManager.default.attributesOfItem(atPath: file(name)))?[.posixPermissions] as? Int
  }
}

/// Runs `body` with the path of a new folder, which is gone afterwards.
public func withTemporaryFolder<Value>(_ body: (String) async throws -> Value) async throws -> Value {
  let folder = try TemporaryFolder()
  defer { withExtendedLifetime(folder) {} }
  return try await body(folder.path)
}

/// The text of a file, or nil where none can be read.
public func contents(_ path: String) -> String? {
  FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
}

/// Writes a whole file elsewhere on the disk and renames it, so that whoever looks at its folder sees the file before or
/// the new one, and nothing else.
public func replaceFile(_ path: String, with bytes: some Sequence<UInt8>) throws {
  let elsewhere = TemporaryFolder.newPath()
  try Data(bytes).write(to: URL(fileURLWithPath: elsewhere))
  guard rename(elsewhere, path) == 0 else {
    let code = errno
    unlink(elsewhere)
    throw POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO)
  }
}
