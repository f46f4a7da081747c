import Foundation
import POSIX
import Synchronization

/// A folder of its own for one test, gone with the last reference, or with the process: a task that is still at work then
/// may hold one.
public final class TemporaryFolder: Sendable {
  private static let there = Mutex<Set<String>>([])
  private static let endsWithProcess: Bool = atexit { there.withLock { $0 }.forEach(removeFolder) } == 0

  /// The folder's path, without links.
  public let path: String
  private let isHome: Bool

  /// - Parameter isHome: programs have it in their environment. They end before the folder goes, because one that goes on
  ///   would make its files anew.
  public init(isHome: Bool = false) throws {
    self.isHome = isHome
    _ = TemporaryFolder.endsWithProcess
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
    if isHome { TemporaryFolder.endPrograms(of: path) }
    removeFolder(path)
    TemporaryFolder.there.withLock { _ = $0.remove(path) }
  }

  /// Kills the programs whose environment names the folder, says which, and returns when they are gone.
  private static func endPrograms(of path: String) {
    let word = Data(path.utf8)
    var said: Set<pid_t> = []
    while true {
      let all = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
      let mine = all.compactMap { pid_t($0) }.filter { process in
        process != getpid()
          && FileManager.default.contents(atPath: "/proc/\(process)/environ")?.range(of: word) != nil
      }
      guard !mine.isEmpty else { return }
      for process in mine {
        if said.insert(process).inserted {
          let command = FileManager.default.contents(atPath: "/proc/\(process)/cmdline") ?? Data()
          print("Outlived its test: \(String(decoding: command, as: UTF8.self).replacing("\0", with: " "))")
        }
        kill(process, SIGKILL)
      }
      sched_yield()
    }
  }

  /// A path for temporary files at which nothing is. It is short: the path of a socket has 107 bytes at most.
  public static func newPath() -> String {
    let name = "byteclub-" + String(UInt64.random(in: 0 ... .max), radix: 36)
    return FileManager.default.temporaryDirectory.appending(path: name).path
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
