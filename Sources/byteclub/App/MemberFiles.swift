import FileStores
import Glibc
import Screens

/// The member's own files, for typed paths.
struct MemberFiles: LocalFiles {
  let home: String?
  /// Where good folders are kept; nil where none are.
  let memory: FolderMemory?
  let pool = BlockingPool(threads: 1)

  init(home: String?, memory: FolderMemory? = nil) { (self.home, self.memory) = (home, memory) }

  /// The folder that was good last, when it is still there. Blocks.
  func remembered(for purpose: PathPurpose) -> String? {
    guard let folder = memory?.folder(for: purpose), LocalDirectory.exists(resolve(folder)) else { return nil }
    return folder
  }

  func remember(_ folder: String, for purpose: PathPurpose) async throws(StoreError) {
    try await pool.run { [memory] () throws(StoreError) in try memory?.remember(folder, for: purpose) }
  }

  /// Where downloads go at first: `~/Pictures` or `~/Downloads` where one is there, else the home directory.
  var downloads: String {
    guard let home else { return LocalDirectory.absolute(".") }
    return ["/Pictures", "/Downloads"].first { LocalDirectory.exists(home + $0) }.map { "~\($0)" } ?? "~"
  }

  func resolve(_ typed: String) -> String {
    if typed == "~", let home { return home }
    if typed.hasPrefix("~/"), let home { return home + typed.dropFirst() }
    return typed
  }

  func holds(_ file: String, size: UInt64, contentHash: ContentHash?) async -> Bool {
    await pool.run {
      let descriptor = open(file, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)
      guard descriptor >= 0 else { return false }
      defer { close(descriptor) }
      var facts = stat()
      guard fstat(descriptor, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG, UInt64(facts.st_size) == size else {
        return false
      }
      guard let contentHash else { return true }
      let hasher = ContentHasher()
      var buffer = [UInt8](repeating: 0, count: 1 << 18)
      while true {
        let count = buffer.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return count == 0 && hasher.finish() == contentHash }
        hasher.update(buffer[..<count])
      }
    }
  }

  func folder(_ typed: String) async -> FolderFinding {
    await pool.run { [self] in
      let readings = TypedPaths.readings(typed).compactMap { $0.count == 1 ? $0[0] : nil }
      let path = readings.first { LocalDirectory.exists(resolve($0)) } ?? readings.first ?? typed
      let full = resolve(path)
      guard LocalDirectory.exists(full) else {
        return LocalDirectory.holdsAnything(full)
          ? .unusable("\"\(path)\" is not a folder. Choose a folder.") : .missing(path)
      }
      return usable(path)
    }
  }

  func makeFolder(_ path: String) async -> FolderFinding {
    await pool.run { [self] in
      let error = LocalDirectory.make(trimmed(resolve(path)))
      guard error == 0 else {
        return .unusable("The folder \"\(path)\" could not be made: \(SystemError.sentence(error)).")
      }
      return usable(path)
    }
  }

  private func usable(_ path: String) -> FolderFinding {
    guard access(resolve(path), W_OK | X_OK) != 0 else { return .isThere(path) }
    return .unusable("byteclub cannot write to \"\(path)\": \(SystemError.sentence(errno)).")
  }

  private func trimmed(_ path: String) -> String {
    var path = path[...]
    while path.count > 1, path.last == "/" { path.removeLast() }
    return String(path)
  }
}
