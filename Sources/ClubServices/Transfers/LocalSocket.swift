import CLinux
import FileStores
import Glibc

/// Sockets of this machine, which have a path. All of them are close-on-exec, and do not block.
enum LocalSocket {
  /// Listens at `name` in a directory; a file that is there goes. Only this user can connect.
  static func listen(at name: String, in directory: String) throws(StoreError) -> Int32 {
    let descriptor = try make(name, directory)
    let path = "\(directory)/\(name)"
    unlink(path)
    let code = withAddress(of: name, in: directory) { bind(descriptor, $0, $1) }
    guard code == 0, chmod(path, 0o600) == 0, Glibc.listen(descriptor, 64) == 0 else {
      let reason = errno
      close(descriptor)
      throw failure(path, reason)
    }
    return descriptor
  }

  /// Connects to who listens at `name` in a directory.
  /// - Returns: nil when nobody does.
  /// - Throws: `notPermitted` when it is another user's process.
  static func connect(to name: String, in directory: String) throws(StoreError) -> Int32? {
    let descriptor = try make(name, directory)
    guard withAddress(of: name, in: directory, { Glibc.connect(descriptor, $0, $1) }) == 0 else {
      let reason = errno
      close(descriptor)
      // EAGAIN: so many wait to be let in that there is no room.
      if [ENOENT, ECONNREFUSED, EAGAIN, EINTR, ENOTDIR].contains(reason) { return nil }
      throw failure("\(directory)/\(name)", reason)
    }
    guard isOurs(descriptor) else {
      close(descriptor)
      throw StoreError(
        .notPermitted, "Another user's program listens at \"\(directory)/\(name)\".",
        remedy: "Check who may write to that directory.")
    }
    return descriptor
  }

  /// Whether the process at the other end is this user's.
  static func isOurs(_ connection: Int32) -> Bool { cl_peer_user(connection) == Int64(geteuid()) }

  private static func make(_ name: String, _ directory: String) throws(StoreError) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else { throw failure("\(directory)/\(name)", errno) }
    return descriptor
  }

  /// An address has room for 107 bytes: a longer path goes by the directory's descriptor.
  private static func withAddress(
    of name: String, in directory: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var path = Array("\(directory)/\(name)".utf8)
    var address = sockaddr_un()
    let room = MemoryLayout.size(ofValue: address.sun_path) - 1
    var folder: Int32 = -1
    if path.count > room {
      folder = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
      guard folder >= 0 else { return -1 }
      path = Array("/proc/self/fd/\(folder)/\(name)".utf8)
    }
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.prefix(room)) }
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    if folder >= 0 {
      let code = errno
      close(folder)
      errno = code
    }
    return result
  }

  private static func failure(_ path: String, _ code: Int32) -> StoreError {
    StoreError(
      code == ENOSPC || code == EDQUOT ? .quota : .notPermitted,
      "\"\(path)\" could not be opened: \(String(cString: strerror(code))).",
      remedy: "Check the free space and the permissions there, then try again.")
  }
}
