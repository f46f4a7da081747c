internal import Basics
internal import CPlatform
internal import FileStores
internal import POSIX
internal import Synchronization

/// The blocking half of `FolderStore`, on threads of the blocking pool.
///
/// Each call opens the root again, so the disk can be unmounted in between. A missing root, or a root on another disk
/// than at the start, is `offline`: an empty mount point must not look like an emptied club.
final class FolderDisk: Sendable {
  let root: CName
  let rootText: String
  let device: UInt64
  let fileSystem: Int64
  let tuning: FolderTuning
  let hashes = HashCache()
  private let owners = FolderOwners()
  let settling: Bool
  let keepsVersions: Bool
  /// False for a server, because its members store their trash there.
  let hidesTrash: Bool
  /// Receives a sentence about a problem that did not stop a change.
  let warn: @Sendable (String) -> Void

  /// - Throws: `notFound` if the folder does not exist, `badInput` if it is not a folder, `notPermitted`.
  init(
    root path: String, tuning: FolderTuning, keepsVersions: Bool, hidesTrash: Bool,
    warn: @escaping @Sendable (String) -> Void
  ) throws(StoreError) {
    (self.keepsVersions, self.hidesTrash, self.warn) = (keepsVersions, hidesTrash, warn)
    rootText = Folders.absolute(path)
    root = CName(rootText)
    self.tuning = tuning
    var code = Int32(0)
    let raw = POSIX.open(root.bytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if raw < 0 { code = errno }
    guard code == 0 else { throw FolderDisk.rootFault(code, rootText) }
    let descriptor = Descriptor(raw)
    device = try descriptor.stat(.root).raw.device
    fileSystem = cp_file_system(descriptor.raw)
    settling = !FolderDisk.hasFineTimes(fileSystem)
  }

  func openRoot() throws(StoreError) -> Descriptor {
    let raw = POSIX.open(root.bytes, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
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

  /// Never leaves the root and never follows a link.
  func open(
    _ path: StorePath, _ flags: Int32, below root: Descriptor, to action: String
  ) throws(StoreError) -> Descriptor {
    let raw = cp_open_beneath(root.raw, CName(path).bytes, flags | O_NONBLOCK | O_NOCTTY, 0)
    guard raw >= 0 else { throw FolderFault.error(-raw, action, path) }
    return Descriptor(raw)
  }

  func openParent(of path: StorePath, below root: Descriptor, to action: String) throws(StoreError) -> Descriptor {
    let raw = cp_open_beneath(root.raw, CName(path.parent).bytes, O_RDONLY | O_DIRECTORY, 0)
    guard raw >= 0 else { throw FolderFault.error(-raw, action, path) }
    return Descriptor(raw)
  }

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

  func entry(_ path: StorePath) throws(StoreError) -> FileEntry {
    guard let stat = try stat(path) else { throw missing(path) }
    return entry(stat, path)
  }

  func entry(_ stat: FileStat, _ path: StorePath) -> FileEntry {
    let entry = entry(stat, path, hash: nil)
    guard let revision = entry.revision, let hash = hashes[revision] else { return entry }
    return self.entry(stat, path, hash: hash)
  }

  func entry(_ stat: FileStat, _ path: StorePath, hash: ContentHash?) -> FileEntry {
    stat.entry(path, hash: hash, owner: owners[stat.raw.user])
  }

  func missing(_ path: StorePath) -> StoreError { FolderFault.error(ENOENT, "find", path) }

  /// Waits until a later write must get a different time. Kernels before 6.13 use a clock that ticks only every 10 ms,
  /// so an earlier write of equal length would go unnoticed.
  func settle(_ stat: FileStat) {
    let left = restlessness(stat)
    if left > 0 { usleep(UInt32(left / 1000 + 1)) }
  }

  func isSettled(_ stat: FileStat) -> Bool { restlessness(stat) == 0 }

  /// The nanoseconds during which a write could still leave the time unchanged.
  private func restlessness(_ stat: FileStat) -> Int64 {
    guard settling else { return 0 }
    let age = Timestamp.now().nanoseconds &- stat.raw.changed
    return age >= 0 && age < 11_000_000 ? 11_000_000 - age : 0
  }

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

  /// Every write after a stat gets a new time (multigrain timestamps: Linux 6.13 or later; btrfs, ext4, tmpfs, xfs).
  private static func hasFineTimes(_ fileSystem: Int64) -> Bool {
    guard [0x9123_683E, 0xEF53, 0x0102_1994, 0x5846_5342].contains(fileSystem) else { return false }
    var names = utsname()
    guard uname(&names) == 0 else { return false }
    let release = withUnsafeBytes(of: names.release) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    let numbers = release.split(whereSeparator: { $0 == "." || $0 == "-" }).prefix(2).compactMap { Int($0) }
    return numbers.count == 2 && (numbers[0] > 6 || (numbers[0] == 6 && numbers[1] >= 13))
  }
}

extension FolderDisk {
  /// True for file systems on which other machines write unseen: NFS, SMB/CIFS, 9p, AFS, Ceph, Coda and FUSE (sshfs).
  /// The numbers come from the kernel's `linux/magic.h`.
  var isOnNetwork: Bool {
    [
      0x6969, 0x517B, 0xFF53_4D42, 0xFE53_4D42, 0x0102_1997, 0x5346_414F, 0x00C3_6400, 0x7375_7245, 0x6573_5546,
    ].contains(fileSystem)
  }
}

/// The names of the users who own files, by user number. Each user is looked up once, which may block.
final class FolderOwners: Sendable {
  private let own: UInt32
  private let names = Mutex<[UInt32: String?]>([:])

  init(own: UInt32 = geteuid()) { self.own = own }

  /// nil if unknown, and for this process's user: another program may have written for others under the same user.
  subscript(user: UInt32) -> String? {
    guard user != own else { return nil }
    if let name = names.withLock({ $0[user] }) { return name }
    let name = SystemUser(user)?.spokenName
    names.withLock { $0[user] = .some(name) }
    return name
  }
}
