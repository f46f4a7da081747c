internal import CPlatform
internal import FileStores
internal import POSIX

package struct FolderVersionLimits: Sendable {
  package var fileBytes: UInt64 = 4 << 20
  package var count = 100
  /// The age at which versions are dropped, except the youngest of a path.
  package var seconds: UInt64 = 365 * 24 * 60 * 60
  package var totalBytes: UInt64 = 256 << 20
  /// The interval between sweeps for total size and age.
  package var sweepSeconds: Int64 = 60 * 60

  package init() {}
}

extension FolderDisk {
  /// The mtime of this file is the time of the last sweep.
  private static let sweptName = CName("swept")

  func dropVersions(in slot: Descriptor) throws(StoreError) {
    let end = oldestOrder
    for (index, version) in try versions(in: slot).enumerated().dropFirst()
    where index >= tuning.versions.count || version.order < end {
      unlinkat(slot.raw, version.name.bytes, 0)
    }
  }

  private var oldestOrder: UInt64 {
    let (now, age) = (FolderDisk.nanoseconds(), tuning.versions.seconds &* 1_000_000_000)
    return now > age ? now - age : 0
  }

  /// Drops versions that are too old, then the oldest until the rest fits. Runs once an hour.
  func sweepVersions(below root: Descriptor, now: Int64 = Int64(time(nil))) throws(StoreError) {
    let all = try openOwn("versions", below: root, making: false)
    if let swept = try all.stat(FolderDisk.sweptName, .root),
      abs(now - Timestamp(nanoseconds: swept.raw.modified).seconds) < tuning.versions.sweepSeconds
    {
      return
    }
    let raw = cp_open_beneath(all.raw, FolderDisk.sweptName.bytes, O_WRONLY | O_CREAT, 0o666)
    guard raw >= 0 else { throw FolderFault.error(-raw, "look through the versions in", .root) }
    let mark = Descriptor(raw)
    guard futimens(mark.raw, nil) == 0 else { throw FolderFault.error(errno, "look through the versions in", .root) }
    try sweep(all, now)
  }

  private func sweep(_ all: Descriptor, _ now: Int64) throws(StoreError) {
    var kept: [(slot: CName, version: FolderVersion, bytes: UInt64, isYoungest: Bool)] = []
    while true {
      let names = try DirectoryReader(bytes: 32 * 1024).someNames(in: all, .root)
      if names.isEmpty { break }
      for name in names where name != FolderDisk.sweptName {
        guard let slot = try open(name, in: all) else { continue }
        try dropVersions(in: slot)
        let found = try versions(in: slot)
        try removeRests(of: slot, name, in: all, isEmpty: found.isEmpty, now)
        for (index, version) in found.enumerated() {
          guard let stat = try slot.stat(version.name, .root) else { continue }
          kept.append((name, version, stat.raw.size, index == 0))
        }
      }
    }
    var total = kept.reduce(0) { $0 + $1.bytes }
    guard total > tuning.versions.totalBytes else { return }
    // The youngest version of each path goes last.
    kept.sort { ($0.isYoungest ? 1 : 0, $0.version.order) < ($1.isYoungest ? 1 : 0, $1.version.order) }
    for each in kept where total > tuning.versions.totalBytes {
      guard let slot = try open(each.slot, in: all) else { continue }
      unlinkat(slot.raw, each.version.name.bytes, 0)
      total -= each.bytes
    }
  }

  /// Removes what a crash has left a day ago: unfinished files, and a folder without a version.
  private func removeRests(
    of slot: Descriptor, _ name: CName, in all: Descriptor, isEmpty: Bool, _ now: Int64
  ) throws(StoreError) {
    lseek(slot.raw, 0, SEEK_SET)
    while true {
      let names = try DirectoryReader(bytes: 16 * 1024).someNames(in: slot, .root)
      if names.isEmpty { break }
      removeStale(names.filter(\.isTemporary), in: slot, .root, now: now)
    }
    guard isEmpty, isOlder(try slot.stat(.root), than: FolderDisk.staleSeconds, now: now) else { return }
    let path = originalPath(name, in: all)
    unlinkat(slot.raw, FolderDisk.pathName.bytes, 0)
    // It stays with what another writer has kept there meanwhile.
    if unlinkat(all.raw, name.bytes, AT_REMOVEDIR) != 0, let path { notePath(path, in: slot) }
  }

  private func open(_ slot: CName, in all: Descriptor) throws(StoreError) -> Descriptor? {
    let raw = cp_open_beneath(all.raw, slot.bytes, O_RDONLY | O_DIRECTORY, 0)
    return raw >= 0 ? Descriptor(raw) : nil
  }
}
