internal import CLinux
internal import FileStores
internal import Glibc
internal import Synchronization

/// The blocking side of `FolderStore`: everything here runs on the blocking pool's threads.
///
/// The root is opened anew for each call, so that a disk can be unmounted meanwhile. A root that is gone, or that
/// lies on another disk than at the start, is `offline`: an empty mount point must not look like an emptied club.
final class FolderDisk: Sendable {
  let root: CName
  let rootText: String
  let device: UInt64
  let fileSystem: Int64
  let tuning: FolderTuning
  let hashes = HashCache()
  let settling: Bool
  /// Whether what is replaced or deleted is kept as a version.
  let keepsVersions: Bool
  /// False for a server, whose members have their trash there.
  let hidesTrash: Bool
  /// Told, in a sentence, of what went wrong in a change that was made all the same.
  let warn: @Sendable (String) -> Void

  /// - Throws: `notFound` when the folder is not there, `badInput` when it is no folder, `notPermitted`.
  init(
    root path: String, tuning: FolderTuning, keepsVersions: Bool, hidesTrash: Bool,
    warn: @escaping @Sendable (String) -> Void
  ) throws(StoreError) {
    (self.keepsVersions, self.hidesTrash, self.warn) = (keepsVersions, hidesTrash, warn)
    rootText = FolderDisk.absolute(path)
    root = CName(rootText)
    self.tuning = tuning
    var code = Int32(0)
    let raw = Glibc.open(root.bytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if raw < 0 { code = errno }
    guard code == 0 else { throw FolderDisk.rootFault(code, rootText) }
    let descriptor = Descriptor(raw)
    device = try descriptor.stat(.root).raw.device
    fileSystem = cl_file_system(descriptor.raw)
    settling = !FolderDisk.hasFineTimes(fileSystem)
  }

  /// Opens the root.
  func openRoot() throws(StoreError) -> Descriptor {
    let raw = Glibc.open(root.bytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard raw >= 0 else {
      let code = errno
      guard code == ENOENT || code == ENOTDIR else { throw FolderFault.error(code, "open", .root) }
      throw StoreError(
        .offline, "The club's folder \(rootText) no longer exists.",
        remedy: "Mount its disk or bring it back. Nothing counts as deleted.", path: .root)
    }
    let descriptor = Descriptor(raw)
    guard try descriptor.stat(.root).raw.device == device else {
      throw StoreError(
        .offline, "The disk at \(rootText) is not the one on which the club was opened.",
        remedy: "Mount the club's disk again, or restart byteclub.", path: .root)
    }
    return descriptor
  }

  /// Opens what is at a path, never outside the root and never through a link.
  func open(
    _ path: StorePath, _ flags: Int32, below root: Descriptor, to action: String
  ) throws(StoreError) -> Descriptor {
    let raw = cl_open_beneath(root.raw, CName(path).bytes, flags | O_NONBLOCK | O_NOCTTY, 0)
    guard raw >= 0 else { throw FolderFault.error(-raw, action, path) }
    return Descriptor(raw)
  }

  /// Opens the folder that holds `path`.
  func openParent(of path: StorePath, below root: Descriptor, to action: String) throws(StoreError) -> Descriptor {
    let raw = cl_open_beneath(root.raw, CName(path.parent).bytes, O_RDONLY | O_DIRECTORY, 0)
    guard raw >= 0 else { throw FolderFault.error(-raw, action, path) }
    return Descriptor(raw)
  }

  /// What is at a path; nil when nothing is.
  func stat(_ path: StorePath) throws(StoreError) -> FileStat? {
    guard !isOwn(path) else { return nil }
    let root = try openRoot()
    if path.isRoot { return try root.stat(path) }
    do throws(StoreError) {
      return try openParent(of: path, below: root, to: "look at").stat(CName(path.name), path)
    } catch  where error.kind == .notFound {
      return nil
    }
  }

  /// The entry at a path.
  func entry(_ path: StorePath) throws(StoreError) -> FileEntry {
    guard let stat = try stat(path) else { throw missing(path) }
    return entry(stat, path)
  }

  /// The entry for a stat, with the hash when that is known.
  func entry(_ stat: FileStat, _ path: StorePath) -> FileEntry {
    let entry = stat.entry(path)
    guard let revision = entry.revision, let hash = hashes[revision] else { return entry }
    return stat.entry(path, hash: hash)
  }

  func missing(_ path: StorePath) -> StoreError { FolderFault.error(ENOENT, "find", path) }

  /// Waits until a later write must give another time: kernels before 6.13 stamp files with a clock that stands
  /// still for up to 10 ms, in which a write of the same length would go unseen.
  func settle(_ stat: FileStat) {
    let left = restlessness(stat)
    if left > 0 { usleep(UInt32(left / 1000 + 1)) }
  }

  /// Whether `settle` would not have to wait.
  func isSettled(_ stat: FileStat) -> Bool { restlessness(stat) == 0 }

  /// For how many nanoseconds more a write might leave the time as it is.
  private func restlessness(_ stat: FileStat) -> Int64 {
    guard settling else { return 0 }
    var now = timespec()
    clock_gettime(CLOCK_REALTIME, &now)
    let age = Int64(now.tv_sec) &* 1_000_000_000 &+ Int64(now.tv_nsec) &- stat.raw.changed
    return age >= 0 && age < 11_000_000 ? 11_000_000 - age : 0
  }

  /// A step of a write, for tests.
  func step(_ step: FolderStep, _ path: StorePath) throws(StoreError) {
    guard let probe = tuning.probe else { return }
    let code = probe(step)
    if code != 0 { throw FolderFault.error(code, "write", path) }
  }

  static func randomWord() -> String { String(UInt64.random(in: .min ... .max), radix: 36) }

  static func rootFault(_ code: Int32, _ text: String) -> StoreError {
    switch code {
    case ENOENT:
      StoreError(
        .notFound, "The folder \(text) does not exist.",
        remedy: "Make it, or name another folder.", path: .root)
    case ENOTDIR:
      StoreError(.badInput, "\(text) is not a folder.", remedy: "Name a folder.", path: .root)
    default:
      FolderFault.error(code, "open", .root)
    }
  }

  static func absolute(_ path: String) -> String {
    guard !path.utf8.starts(with: "/".utf8), let current = getcwd(nil, 0) else { return path }
    defer { free(current) }
    return String(cString: current) + "/" + path
  }

  /// Multigrain timestamps: every write that follows a stat gets a time of its own (Linux 6.13; btrfs, ext4, tmpfs, xfs).
  private static func hasFineTimes(_ fileSystem: Int64) -> Bool {
    guard [0x9123_683E, 0xEF53, 0x0102_1994, 0x5846_5342].contains(fileSystem) else { return false }
    var names = utsname()
    guard uname(&names) == 0 else { return false }
    let release = withUnsafeBytes(of: names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let numbers = release.split(whereSeparator: { $0 == "." || $0 == "-" }).prefix(2).compactMap { Int($0) }
    return numbers.count == 2 && (numbers[0] > 6 || (numbers[0] == 6 && numbers[1] >= 13))
  }
}
