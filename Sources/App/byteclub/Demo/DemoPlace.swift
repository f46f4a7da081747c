import Basics
import FileStores
import POSIX
import Synchronization

final class DemoPlace: Sendable {
  let path: String
  private let isGone = Mutex(false)

  var club: String { path + "/club" }
  var photos: String { club + "/photos" }
  var home: String { path + "/home" }
  var pictures: String { home + "/Pictures" }
  var directories: [String: String] {
    [
      "HOME": home, "XDG_CONFIG_HOME": path + "/config", "XDG_DATA_HOME": path + "/data",
      "XDG_CACHE_HOME": path + "/cache", "XDG_STATE_HOME": path + "/state", "XDG_RUNTIME_DIR": path + "/run",
    ]
  }
  var serverData: String { path + "/server" }
  var serverLog: String { path + "/server.log" }
  var tokenFile: String { path + "/token" }
  var configFile: String { path + "/config/byteclub/config.json" }
  var data: String { path + "/data/byteclub" }

  /// Makes a private folder for temporary files, and removes those of killed demos.
  init() throws(StoreError) {
    let base = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    DemoPlace.removeAbandoned(in: base)
    var template = Array((base + DemoPlace.template).utf8CString)
    guard mkdtemp(&template) != nil else {
      throw StoreError(
        .notPermitted, "A folder for the demo cannot be made in \(base): \(SystemError.text(errno)).",
        remedy: "Set TMPDIR to a directory that you may write to.")
    }
    let made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    path = LocalDirectory.absolute(made)
    do throws(StoreError) {
      try claim()
      for folder in [photos, pictures, home + "/Downloads", path + "/config/byteclub", path + "/run", serverData] {
        let code = LocalDirectory.make(folder)
        guard code == 0 else { throw failure(folder, code) }
      }
      guard chmod(path + "/run", 0o700) == 0 else { throw failure(path + "/run", errno) }
    } catch {
      remove()
      throw error
    }
  }

  /// Writes a private file atomically.
  /// - Throws: `cancelled` if the folder has gone.
  func write(_ bytes: [UInt8], to file: String) throws(StoreError) {
    try isGone.withLock { (isGone) throws(StoreError) in
      guard !isGone else { throw .cancelled("The writing of \(file)") }
      try writeNow(bytes, to: file)
    }
  }

  private func writeNow(_ bytes: [UInt8], to file: String) throws(StoreError) {
    let scratch = path + "/scratch-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    do throws(SystemError) {
      try WholeFile.write(bytes, to: file, by: scratch, isDurable: false)
    } catch {
      throw failure(file, error.code)
    }
  }

  func remove() {
    isGone.withLock { isGone in
      isGone = true
      DemoPlace.remove(path)
    }
  }

  /// Does not follow links.
  static func remove(_ path: String) {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return }
    guard facts.st_mode & S_IFMT == S_IFDIR, let names = try? Folders.names(in: path) else {
      unlink(path)
      return
    }
    for name in names { remove(path + "/" + name) }
    rmdir(path)
  }

  private func failure(_ file: String, _ code: Int32) -> StoreError {
    StoreError(code == ENOSPC ? .quota : .notPermitted, "\(file) cannot be made: \(SystemError.text(code)).")
  }
}

/// A lock on a file owns a demo's folder. The system releases it when the demo and all processes that it started have
/// ended, however they end.
extension DemoPlace {
  private static let prefix = "/byteclub-demo-"
  private static let owner = "/owner"

  static let template = prefix + "XXXXXX"

  /// Children inherit the lock's descriptor.
  func claim() throws(StoreError) {
    // Locked before it gets its name, so no other demo takes the folder for an abandoned one.
    let (early, file) = (path + DemoPlace.owner + "-new", path + DemoPlace.owner)
    let descriptor = open(early, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    guard descriptor >= 0, (try? FileLock.take(descriptor)) == true, rename(early, file) == 0 else {
      throw StoreError(.notPermitted, "\(file) cannot be made: \(SystemError.text(errno)).")
    }
  }

  static func removeAbandoned(in base: String) {
    let folders = ((try? Folders.names(in: base)) ?? []).filter { $0.hasPrefix(prefix.dropFirst()) }.map {
      "\(base)/\($0)"
    }
    for folder in folders {
      var facts = stat()
      // Any other folder belongs to someone else.
      guard lstat(folder, &facts) == 0, facts.st_mode == S_IFDIR | 0o700, facts.st_uid == geteuid() else { continue }
      guard let file = try? OpenFile(folder + owner, O_RDWR | O_NOFOLLOW | O_NONBLOCK) else { continue }
      if (try? FileLock.take(file.descriptor)) == true { remove(folder) }
    }
  }
}
