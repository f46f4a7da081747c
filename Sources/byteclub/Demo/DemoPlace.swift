import FileStores
import Glibc
import JSON
import Synchronization

/// The one folder that everything of a demo is in, and that goes with it.
final class DemoPlace: Sendable {
  /// The folder, in full.
  let path: String
  private let isGone = Mutex(false)

  /// What the server serves.
  var club: String { path + "/club" }
  /// The club's photos.
  var photos: String { club + "/photos" }
  /// The home directory that byteclub sees.
  var home: String { path + "/home" }
  /// Photos to be brought into the club: `~/Pictures` there.
  var pictures: String { home + "/Pictures" }
  /// Where byteclub's own files go, by the variables that say so.
  var directories: [String: String] {
    [
      "HOME": home, "XDG_CONFIG_HOME": path + "/config", "XDG_DATA_HOME": path + "/data",
      "XDG_CACHE_HOME": path + "/cache", "XDG_STATE_HOME": path + "/state", "XDG_RUNTIME_DIR": path + "/run",
    ]
  }
  /// Where the server's own files go.
  var serverData: String { path + "/server" }
  /// What the server says.
  var serverLog: String { path + "/server.log" }
  /// The member's access token, for the program that the config names.
  var tokenFile: String { path + "/token" }
  /// The config.
  var configFile: String { path + "/config/byteclub/config.json" }
  /// Byteclub's own data, as `Paths` has it.
  var data: String { path + "/data/byteclub" }

  /// Makes the folder, for this user alone, in the system's place for temporary files. What a demo that was killed has
  /// left there goes.
  init() throws(StoreError) {
    let base = getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    DemoPlace.removeAbandoned(in: base)
    var template = Array((base + DemoPlace.template).utf8CString)
    guard mkdtemp(&template) != nil else {
      throw StoreError(
        .notPermitted, "A folder for the demo cannot be made in \(base): \(SystemError.sentence(errno)).",
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

  /// Writes a file whole, for this user alone: nobody sees a part of it.
  /// - Throws: `cancelled` when the folder has gone.
  func write(_ bytes: [UInt8], to file: String) throws(StoreError) {
    try isGone.withLock { (isGone) throws(StoreError) in
      guard !isGone else { throw .cancelled("The writing of \(file)") }
      try writeNow(bytes, to: file)
    }
  }

  private func writeNow(_ bytes: [UInt8], to file: String) throws(StoreError) {
    let scratch = path + "/scratch-\(getpid())-\(UInt64.random(in: 0 ... .max))"
    let descriptor = open(scratch, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw failure(file, errno) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        let code = errno
        close(descriptor)
        throw failure(file, code)
      }
      rest = rest.dropFirst(count)
    }
    guard close(descriptor) == 0, rename(scratch, file) == 0 else { throw failure(file, errno) }
  }

  /// Removes the folder with all that is in it.
  func remove() {
    isGone.withLock { isGone in
      isGone = true
      DemoPlace.remove(path)
    }
  }

  /// Links are removed, never followed.
  static func remove(_ path: String) {
    var facts = stat()
    guard lstat(path, &facts) == 0 else { return }
    guard facts.st_mode & S_IFMT == S_IFDIR, let stream = opendir(path) else {
      unlink(path)
      return
    }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
    closedir(stream)
    for name in names { remove(path + "/" + name) }
    rmdir(path)
  }

  private func failure(_ file: String, _ code: Int32) -> StoreError {
    StoreError(code == ENOSPC ? .quota : .notPermitted, "\(file) cannot be made: \(SystemError.sentence(code)).")
  }
}
