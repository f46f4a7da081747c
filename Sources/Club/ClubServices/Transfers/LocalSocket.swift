import Basics
import CPlatform
import FileStores
import POSIX

/// Unix sockets with a path, close-on-exec and non-blocking.
enum LocalSocket {
  /// Listens at `name` in a directory, and replaces a file of that name. Only this user can connect.
  static func listen(at name: String, in directory: String) throws(StoreError) -> Int32 {
    let descriptor = try make(name, directory)
    let path = "\(directory)/\(name)"
    unlink(path)
    let code = withAddress(of: name, in: directory) { bind(descriptor, $0, $1) }
    guard code == 0, chmod(path, 0o600) == 0, POSIX.listen(descriptor, 64) == 0 else {
      let reason = errno
      close(descriptor)
      throw .system(reason, "opened", path, other: .notPermitted)
    }
    return descriptor
  }

  /// Connects to the process that listens at `name` in a directory; nil if there is none.
  /// - Throws: `notPermitted` if it is another user's process.
  static func connect(to name: String, in directory: String) throws(StoreError) -> Int32? {
    let descriptor = try make(name, directory)
    guard withAddress(of: name, in: directory, { POSIX.connect(descriptor, $0, $1) }) == 0 else {
      let reason = errno
      close(descriptor)
      // EAGAIN: the queue of connections is full.
      if [ENOENT, ECONNREFUSED, EAGAIN, EINTR, ENOTDIR].contains(reason) { return nil }
      throw .system(reason, "opened", "\(directory)/\(name)", other: .notPermitted)
    }
    guard isOurs(descriptor) else {
      close(descriptor)
      throw StoreError(
        .notPermitted, "Another user's program listens at \"\(directory)/\(name)\".",
        remedy: "Check who may write to that directory.")
    }
    return descriptor
  }

  static func isOurs(_ connection: Int32) -> Bool { cp_peer_user(connection) == Int64(geteuid()) }

  private static func make(_ name: String, _ directory: String) throws(StoreError) -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let descriptor = socket(AF_UNIX, kind, 0)
    guard descriptor >= 0 else {
      throw .system(errno, "opened", "\(directory)/\(name)", other: .notPermitted)
    }
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
      path = Array("\(OpenFile.path(to: folder))/\(name)".utf8)
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
}

/// Accepts connections to a Unix socket, on its own thread. Connections of other users are closed at once.
final class LineListener: Sendable {
  private let descriptor: Int32
  private let wake: WakeSignal
  private let path: String

  /// - Parameter accept: gets each connection's descriptor, from the listener's thread; must return at once.
  init(at name: String, in directory: String, accept: @escaping @Sendable (Int32) -> Void) throws(StoreError) {
    descriptor = try LocalSocket.listen(at: name, in: directory)
    path = "\(directory)/\(name)"
    let scarce = StoreError(
      .server, "byteclub could not listen at \"\(path)\": the system has no free thread or descriptor.")
    do throws(SystemError) {
      wake = try WakeSignal()
    } catch {
      POSIX.close(descriptor)
      throw scarce
    }
    let (descriptor, wake) = (descriptor, wake)
    let starts = DetachedThread.start {
      while !wake.wait(or: descriptor, milliseconds: nil).signal {
        let connection = cp_accept(descriptor)
        if connection < 0 {
          // Out of descriptors: waits until some are free.
          if connection == -EMFILE || connection == -ENFILE { usleep(100_000) }
          continue
        }
        if LocalSocket.isOurs(connection) { accept(connection) } else { POSIX.close(connection) }
      }
      POSIX.close(descriptor)
    }
    guard starts else {
      POSIX.close(descriptor)
      throw scarce
    }
  }

  /// Stops listening, and removes the socket's file. Without the lock, that file may belong to the next owner.
  func close() {
    unlink(path)
    wake.send()
  }
}

/// The owner's lock on a file, until the last reference is released. The kernel releases it however the process ends.
final class TransferLock: Sendable {
  private let file: OpenFile

  private init(_ file: OpenFile) { self.file = file }

  /// Takes the lock in a directory, which it makes (0700) if missing; nil if another process has the lock. Blocks.
  static func take(in directory: String) throws(StoreError) -> TransferLock? {
    _ = try PrivateDirectory(making: directory)
    let path = "\(directory)/transfers.lock"
    do throws(SystemError) {
      let file = try OpenFile(path, O_RDWR | O_CREAT | O_NOFOLLOW)
      return try FileLock.take(file.descriptor) ? TransferLock(file) : nil
    } catch {
      throw .system(error.code, "locked", path, other: .notPermitted)
    }
  }

  /// True if a process holds the lock. Blocks briefly and creates no file.
  static func isTaken(in directory: String) -> Bool {
    guard let file = try? OpenFile("\(directory)/transfers.lock", O_RDWR | O_NOFOLLOW) else { return false }
    let isFree = try? FileLock.take(file.descriptor, isShared: true)
    return isFree == false
  }
}
