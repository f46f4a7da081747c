internal import CPlatform
internal import POSIX

/// An open file or folder, closed with the last reference. Any thread may use it. All calls block, continue after a
/// signal, and throw the error of the system.
public final class OpenFile: Sendable {
  /// Valid as long as this object; keep a reference while you use it.
  public let descriptor: Int32

  public init(owning descriptor: Int32) { self.descriptor = descriptor }

  deinit { close(descriptor) }

  /// Opens for reading. A pipe or a device does not block.
  public convenience init(reading path: String) throws(SystemError) {
    try self.init(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
  }

  public convenience init(folder path: String) throws(SystemError) {
    try self.init(path, O_RDONLY | O_DIRECTORY)
  }

  /// Opens with flags of `open(2)` and close-on-exec.
  /// - Parameters:
  ///   - mode: of a new file, less the umask.
  ///   - folder: the base of relative paths; nil for the working directory.
  public init(
    _ path: String, _ flags: Int32, mode: UInt32 = 0o600, in folder: OpenFile? = nil
  ) throws(SystemError) {
    descriptor = OpenFile.retrying { openat(folder?.descriptor ?? AT_FDCWD, path, flags | O_CLOEXEC, mode) }
    guard descriptor >= 0 else { throw .last }
  }

  /// A path that leads to an open descriptor of this process, for calls that take no descriptor.
  public static func path(to descriptor: Int32) -> String {
    var path = [CChar](repeating: 0, count: Int(CP_DESCRIPTOR_PATH))
    cp_descriptor_path(descriptor, &path)
    return String(decoding: path.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  public struct Facts: Sendable {
    public let isRegular: Bool
    public let user: UInt32
    /// The lowest twelve bits of the mode.
    public let permissions: UInt32
    public let size: UInt64
  }

  public func facts() throws(SystemError) -> Facts {
    var facts = stat()
    guard fstat(descriptor, &facts) == 0 else { throw .last }
    return Facts(
      isRegular: facts.st_mode & S_IFMT == S_IFREG, user: facts.st_uid, permissions: facts.st_mode & 0o7777,
      size: UInt64(clamping: facts.st_size))
  }

  /// Up to `count` bytes from `offset`; fewer, down to none, at the end.
  public func read(from offset: UInt64, count: Int) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(SystemError) {
        filled = try read(into: UnsafeMutableRawBufferPointer(buffer), from: offset)
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }

  /// Fills the buffer from `offset` on; returns the number of bytes, which is smaller only at the end.
  public func read(into buffer: UnsafeMutableRawBufferPointer, from offset: UInt64) throws(SystemError) -> Int {
    guard let offset = off_t(exactly: offset) else { return 0 }
    var filled = 0
    while filled < buffer.count {
      let got = pread(
        descriptor, buffer.baseAddress?.advanced(by: filled), buffer.count - filled, offset + off_t(filled))
      if got < 0, errno == EINTR { continue }
      guard got >= 0 else { throw .last }
      if got == 0 { break }
      filled += got
    }
    return filled
  }

  /// The bytes from the present position to the end, also of files without a size (`/proc`); nil above `limit`.
  public func readAll(limit: Int = .max) throws(SystemError) -> [UInt8]? {
    // A byte more than expected: the usual file takes two calls.
    var room = max(Int(clamping: try facts().size) + 1, 16 * 1024)
    if limit < .max { room = min(room, limit + 1) }
    var bytes: [UInt8] = []
    while true {
      let piece = try readNext(room)
      if piece.isEmpty { return bytes }
      if bytes.isEmpty { bytes = piece } else { bytes += piece }
      guard bytes.count <= limit else { return nil }
      room = max(room - piece.count, 16 * 1024)
    }
  }

  /// At most `count` bytes from the present position, in one call: fewer if no more are ready; none at the end.
  public func readNext(_ count: Int) throws(SystemError) -> [UInt8] {
    var failure: SystemError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let got = OpenFile.retrying { POSIX.read(descriptor, buffer.baseAddress, count) }
      if got < 0 { failure = .last }
      filled = max(0, got)
    }
    if let failure { throw failure }
    return bytes
  }

  public func write(_ bytes: ArraySlice<UInt8>) throws(SystemError) { try OpenFile.write(bytes, to: descriptor) }

  public func write(_ bytes: ArraySlice<UInt8>, at offset: UInt64) throws(SystemError) {
    try OpenFile.all(bytes) { pointer, count, done in
      pwrite(descriptor, pointer, count, off_t(clamping: offset) + off_t(done))
    }
  }

  /// Writes all bytes to a descriptor. Waits while a non-blocking terminal or pipe is full.
  public static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) throws(SystemError) {
    try all(bytes) { pointer, count, _ in
      let wrote = POSIX.write(descriptor, pointer, count)
      if wrote < 0, errno == EAGAIN {
        var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&wait, 1, -1)
        return 0
      }
      return wrote
    }
  }

  /// Content and size are on the disk when this returns; with `metadata`, the file's times and permissions, too.
  public func synchronize(metadata: Bool = true) throws(SystemError) {
    guard OpenFile.retrying({ metadata ? fsync(descriptor) : fdatasync(descriptor) }) == 0 else { throw .last }
  }

  /// Makes changes of names in a folder durable. Ignores network file systems that cannot do so.
  public func synchronizeNames() throws(SystemError) {
    do throws(SystemError) {
      try synchronize()
    } catch {
      guard error.code == EINVAL || error.code == EOPNOTSUPP else { throw error }
    }
  }

  public static func retrying<Number: SignedInteger>(_ call: () -> Number) -> Number {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }

  private static func all(
    _ bytes: ArraySlice<UInt8>, _ write: (UnsafeRawPointer?, Int, _ done: Int) -> Int
  ) throws(SystemError) {
    let code = bytes.withUnsafeBytes { buffer -> Int32 in
      var done = 0
      while done < buffer.count {
        let count = write(buffer.baseAddress?.advanced(by: done), buffer.count - done, done)
        if count < 0, errno != EINTR { return errno }
        done += max(0, count)
      }
      return 0
    }
    if code != 0 { throw SystemError(code: code) }
  }
}

public enum WholeFile {
  /// Writes a whole file: readers see all of the old one or all of the new one. On failure the old one stays, and
  /// nothing else is left behind.
  ///
  /// - Parameters:
  ///   - name: a path relative to `folder`. A link there is replaced, not followed.
  ///   - folder: nil for the working directory.
  ///   - temporary: the path until the file is complete, on the same file system; by default a hidden name beside
  ///     `name`.
  ///   - mode: the file's permissions, regardless of the umask.
  ///   - isDurable: true if a power cut after the return must not lose the file.
  ///   - seal: gets the descriptor once all bytes are written.
  public static func write(
    _ bytes: [UInt8], to name: String, in folder: OpenFile? = nil, by temporary: String? = nil, mode: UInt32 = 0o600,
    isDurable: Bool = true, seal: (Int32) -> Void = { _ in }
  ) throws(SystemError) {
    let temporary = temporary ?? partName(for: name)
    let place = folder?.descriptor ?? AT_FDCWD
    let file = openat(place, temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard file >= 0 else { throw .last }
    var failed: Int32 = 0
    if fchmod(file, mode) != 0 { failed = errno }
    if failed == 0 {
      do throws(SystemError) { try OpenFile.write(bytes[...], to: file) } catch { failed = error.code }
    }
    seal(file)
    if failed == 0, isDurable, OpenFile.retrying({ fsync(file) }) != 0 { failed = errno }
    if close(file) != 0, failed == 0 { failed = errno }
    if failed == 0, renameat(place, temporary, place, name) != 0 { failed = errno }
    guard failed == 0 else {
      unlinkat(place, temporary, 0)
      throw SystemError(code: failed)
    }
    if isDurable, let folder {
      removeOldParts(of: name, in: folder)
      try folder.synchronizeNames()
    }
  }

  /// Removes the unfinished files that killed writers of a file left more than a day ago.
  public static func removeOldParts(of name: String, in folder: OpenFile) {
    guard let names = try? Folders.names(in: OpenFile.path(to: folder.descriptor)) else { return }
    for part in names where part.hasPrefix(".\(name.prefix(200)).") && part.hasSuffix(".part") {
      var facts = stat()
      let isThere = fstatat(folder.descriptor, part, &facts, AT_SYMLINK_NOFOLLOW) == 0
      if isThere, time(nil) - facts.st_mtim.tv_sec > 86_400 { unlinkat(folder.descriptor, part, 0) }
    }
  }

  /// `.NAME.RANDOM.part` in the folder of the name.
  private static func partName(for name: String) -> String {
    let cut = name.lastIndex(of: "/").map { name.index(after: $0) } ?? name.startIndex
    let random = String(UInt64.random(in: .min ... .max), radix: 16)
    return "\(name[..<cut]).\(name[cut...].prefix(200)).\(random).part"
  }
}
