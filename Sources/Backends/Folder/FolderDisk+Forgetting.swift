internal import CLinux
internal import FileStores
internal import Glibc

/// How many versions a folder keeps of what was replaced or deleted in it.
package struct FolderVersionLimits: Sendable {
  /// Larger files are not kept.
  package var fileBytes: UInt64 = 4 << 20
  /// The most versions of one path.
  package var count = 100
  /// Versions that were replaced so long ago go; the youngest of a path stays.
  package var seconds: UInt64 = 365 * 24 * 60 * 60
  /// All together; the oldest go.
  package var totalBytes: UInt64 = 256 << 20
  /// How often it is looked whether all together are too many or too old.
  package var sweepSeconds: Int64 = 60 * 60

  package init() {}
}

extension FolderDisk {
  /// When all versions were last looked through: the time of this file.
  private static let sweptName = CName("swept")

  /// Drops versions of one path that are too many or too old.
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

  /// Drops versions of all paths that are too old, and the oldest until the rest is small enough; once an hour.
  func sweepVersions(below root: Descriptor) throws(StoreError) {
    let all = try openOwn("versions", below: root, making: false)
    if let swept = try all.stat(FolderDisk.sweptName, .root),
      abs(Int64(time(nil)) - Timestamp(nanoseconds: swept.raw.modified).seconds) < tuning.versions.sweepSeconds
    {
      return
    }
    let raw = cl_open_beneath(all.raw, FolderDisk.sweptName.bytes, O_WRONLY | O_CREAT, 0o666)
    guard raw >= 0 else { throw FolderFault.error(-raw, "look through the versions in", .root) }
    let mark = Descriptor(raw)
    guard futimens(mark.raw, nil) == 0 else { throw FolderFault.error(errno, "look through the versions in", .root) }
    try sweep(all)
  }

  private func sweep(_ all: Descriptor) throws(StoreError) {
    var kept: [(slot: CName, version: FolderVersion, bytes: UInt64, isYoungest: Bool)] = []
    while true {
      let names = try DirectoryReader(bytes: 32 * 1024).someNames(in: all, .root)
      if names.isEmpty { break }
      for name in names where name != FolderDisk.sweptName {
        guard let slot = try open(name, in: all) else { continue }
        try dropVersions(in: slot)
        for (index, version) in try versions(in: slot).enumerated() {
          guard let stat = try slot.stat(version.name, .root) else { continue }
          kept.append((name, version, stat.raw.size, index == 0))
        }
      }
    }
    var total = kept.reduce(0) { $0 + $1.bytes }
    guard total > tuning.versions.totalBytes else { return }
    // What was replaced last on a path goes after all others.
    kept.sort { ($0.isYoungest ? 1 : 0, $0.version.order) < ($1.isYoungest ? 1 : 0, $1.version.order) }
    for each in kept where total > tuning.versions.totalBytes {
      guard let slot = try open(each.slot, in: all) else { continue }
      unlinkat(slot.raw, each.version.name.bytes, 0)
      total -= each.bytes
    }
  }

  private func open(_ slot: CName, in all: Descriptor) throws(StoreError) -> Descriptor? {
    let raw = cl_open_beneath(all.raw, slot.bytes, O_RDONLY | O_DIRECTORY, 0)
    return raw >= 0 ? Descriptor(raw) : nil
  }
}
