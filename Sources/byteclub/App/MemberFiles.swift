import FileStores
import Glibc
import Imaging
import Screens

/// The member's own files, for typed paths.
struct MemberFiles: LocalFiles {
  private let home: String?
  private let pool = BlockingPool(threads: 1)
  /// At most so many possibilities are shown: more are narrowed by typing on.
  private static let limit = 500

  init(paths: Paths) { home = paths.home }

  /// Where downloads go at first: `~/Downloads` where it is there, else the working directory.
  var downloads: String {
    guard let home, LocalDirectory.exists(home + "/Downloads") else { return "." }
    return "~/Downloads"
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

  func complete(_ typed: String, for purpose: PathPurpose) async -> PathCompletion {
    let cut = typed.lastIndex(of: "/").map { typed.index(after: $0) } ?? typed.startIndex
    let shownDirectory = String(typed[..<cut])
    let directory = shownDirectory.isEmpty ? "." : resolve(shownDirectory)
    let prefix = String(typed[cut...])
    return await pool.run {
      MemberFiles.choices(in: directory, shownAs: shownDirectory, prefix: prefix, typed: typed, for: purpose)
    }
  }

  private static func choices(
    in directory: String, shownAs shown: String, prefix: String, typed: String, for purpose: PathPurpose
  ) -> PathCompletion {
    guard let stream = opendir(directory) else {
      let reason = SystemError.sentence(errno)
      return PathCompletion(choices: [], common: typed, problem: "\(directory) cannot be read: \(reason).")
    }
    defer { closedir(stream) }
    var choices: [PathCompletion.Choice] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name != ".", name != "..", name.hasPrefix(prefix), prefix.hasPrefix(".") || !name.hasPrefix(".")
      else { continue }
      let isDirectory = LocalDirectory.exists(directory + "/" + name)
      guard isDirectory || purpose == .upload && PictureFormat.named(name) != nil else { continue }
      choices.append(.init(path: shown + name + (isDirectory ? "/" : ""), isDirectory: isDirectory))
    }
    choices.sort { $0.path < $1.path }
    let common = choices.dropFirst().reduce(choices.first?.path ?? typed) { beginning($0, $1.path) }
    return PathCompletion(choices: Array(choices.prefix(limit)), common: common.isEmpty ? typed : common)
  }

  private static func beginning(_ left: String, _ right: String) -> String {
    String(zip(left, right).prefix { $0 == $1 }.map(\.0))
  }
}
