import Basics
import CPlatform
import FileStores
import POSIX

typealias LocalFile = OpenFile

typealias LocalFileFault = SystemError

extension LocalFile {
  /// Identifies the content of a file without reading it.
  struct Stamp: Sendable, Hashable {
    let device: UInt64
    let inode: UInt64
    let size: UInt64
    let modified: [Int]
    let changed: [Int]
    let isRegular: Bool
    let isFolder: Bool

    /// The stamp as text for the journal. It leaves the device out: its number may change at the next boot.
    var text: String { "\(inode):\(size):\((modified + changed).map(String.init).joined(separator: "."))" }

    /// True if any change after `time` would give another stamp.
    func isSettled(at time: Int64) -> Bool { max(modified[0], changed[0]) + 2 <= Int(time) }
  }

  /// Opens for reading. A pipe or device does not block; its stamp shows its type.
  static func open(_ path: String, _ flags: Int32 = 0) throws(LocalFileFault) -> LocalFile {
    try LocalFile(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | flags)
  }

  /// Opens a file by its name in a folder, not through links.
  static func open(
    _ name: [UInt8], in folder: LocalFile, _ flags: Int32, mode: mode_t = 0
  ) throws(LocalFileFault) -> LocalFile {
    let flags = flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
    let descriptor = retrying { openat(folder.descriptor, cString(name), flags, mode) }
    // The folder is there, so ENOENT is wrong: /proc gives it for a file that cannot be made.
    guard descriptor >= 0 else { throw flags & O_CREAT != 0 && errno == ENOENT ? SystemError(code: EOPNOTSUPP) : .last }
    return LocalFile(owning: descriptor)
  }

  /// The status of a file in this folder, not through links; nil if it does not exist.
  func status(of name: [UInt8]) -> stat? {
    var info = stat()
    return fstatat(descriptor, Self.cString(name), &info, AT_SYMLINK_NOFOLLOW) == 0 ? info : nil
  }

  static func cString(_ bytes: [UInt8]) -> [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

  /// On failure the file keeps the time of its last write.
  func setModified(_ time: Timestamp) {
    cp_set_modified(descriptor, time.parts.seconds, time.parts.nanoseconds)
  }

  func stamp() throws(LocalFileFault) -> Stamp {
    var info = stat()
    guard fstat(descriptor, &info) == 0 else { throw .last }
    return Stamp(
      device: UInt64(info.st_dev), inode: UInt64(info.st_ino), size: UInt64(clamping: info.st_size),
      modified: [info.st_mtim.tv_sec, info.st_mtim.tv_nsec], changed: [info.st_ctim.tv_sec, info.st_ctim.tv_nsec],
      isRegular: info.st_mode & S_IFMT == S_IFREG, isFolder: info.st_mode & S_IFMT == S_IFDIR)
  }
}

extension LocalFileFault {
  /// An error whose message begins with `what`.
  func storeError(_ what: String) -> StoreError {
    switch code {
    case ENOENT, ENOTDIR:
      StoreError(.notFound, "\(what): it does not exist.", remedy: "Check the spelling of the path.")
    case EACCES, EPERM: StoreError(.notPermitted, "\(what): permission denied.", remedy: "Check its permissions.")
    case EOPNOTSUPP: StoreError(.notPermitted, "\(what): it takes no files.", remedy: "Choose another folder.")
    case EROFS: StoreError(.notPermitted, "\(what): the file system is read-only.", remedy: "Choose another folder.")
    case ENOSPC, EDQUOT: StoreError(.quota, "\(what): the disk is full.", remedy: "Free some space, then try again.")
    case EFBIG: StoreError(.tooLarge, "\(what): it is too large for this file system.")
    case ELOOP: StoreError(.badInput, "\(what): its path has too many links.")
    case ENAMETOOLONG: StoreError(.badName, "\(what): the name is too long.", remedy: "Choose a shorter name.")
    default: StoreError(.server, "\(what): \(SystemError.text(code)) (error \(code)).")
    }
  }
}

extension BlockingPool {
  /// Runs blocking calls. An error's message begins with `what`.
  func blocking<Value: Sendable>(
    _ what: String, _ body: @escaping @Sendable () throws(LocalFileFault) -> Value
  ) async throws(StoreError) -> Value {
    do throws(LocalFileFault) {
      return try await run(body)
    } catch {
      throw error.storeError(what)
    }
  }
}
