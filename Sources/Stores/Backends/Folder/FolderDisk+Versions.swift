internal import Basics
internal import CPlatform
internal import FileStores
internal import POSIX

/// A replaced or deleted version in `.byteclub/versions/<digest of the path>/`.
struct FolderVersion {
  /// `<time of replacement>-<revision>`.
  let name: CName
  /// Nanoseconds since 1970. A younger version has a larger number.
  let order: UInt64
  let revision: Revision

  init(order: UInt64, _ revision: Revision) {
    let digits = String(order, radix: 16)
    name = CName(String(repeating: "0", count: 16 - digits.utf8.count) + digits + "-" + revision.value)
    (self.order, self.revision) = (order, revision)
  }

  init?(_ name: CName) {
    let text = String(decoding: name.bytes.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let parts = text.split(separator: "-")
    guard parts.count == 2, parts[0].utf8.count == 16, let order = UInt64(parts[0], radix: 16) else { return nil }
    (self.name, self.order, revision) = (name, order, Revision(String(parts[1])))
  }
}

extension FolderDisk {
  private static let place = "versions"
  /// The original path as text for people, in each folder of versions.
  static let pathName = CName("path")

  /// Makes a replaced or deleted file a version of its path. Deletes a file above the size limit.
  /// - Parameters:
  ///   - revision: the file's revision at `path`; `name` is its current name.
  ///   - loss: receives the error on failure.
  /// - Returns: false on failure, after a warning; the file still exists.
  func keepVersion(
    _ name: CName, in folder: Descriptor, as revision: Revision, of path: StorePath, below root: Descriptor,
    _ loss: VersionLoss = VersionLoss()
  ) -> Bool {
    do throws(StoreError) {
      guard let stat = try folder.stat(name, path) else { return true }
      guard keepsVersions, stat.kind == .file, stat.raw.size <= tuning.versions.fileBytes else {
        return unlinkat(folder.raw, name.bytes, 0) == 0
      }
      // A file with other hard links can still change, so it is copied.
      let isCopied = stat.raw.links > 1
      let slot = try putVersion(revision, of: path, below: root) { (slot, version) throws(StoreError) in
        if isCopied { return try copyVersion(name, in: folder, stat, to: version, in: slot, path) }
        let code = folder.rename(name, to: version, in: slot, .over)
        if code < 0 { throw FolderFault.error(-code, "keep a version of", path) }
      }
      if isCopied { unlinkat(folder.raw, name.bytes, 0) }
      try dropVersions(in: slot)
      try sweepVersions(below: root)
      return true
    } catch {
      warn("byteclub could not keep the replaced version of \"\(path)\": \(error)")
      loss.note(error)
      return false
    }
  }

  /// Copies a file before it is replaced, for file systems that cannot exchange.
  func keepCopy(
    of stat: FileStat, at path: StorePath, in parent: Descriptor, below root: Descriptor, _ loss: VersionLoss
  ) {
    guard keepsVersions, stat.kind == .file, stat.raw.size <= tuning.versions.fileBytes else { return }
    do throws(StoreError) {
      let slot = try putVersion(stat.revision, of: path, below: root) { (slot, version) throws(StoreError) in
        try copyVersion(CName(path.name), in: parent, stat, to: version, in: slot, path)
      }
      try dropVersions(in: slot)
      try sweepVersions(below: root)
    } catch {
      warn("byteclub cannot keep the replaced version of \"\(path)\": \(error)")
      loss.note(error)
      // As after an exchange it keeps a hidden name for a day, on file systems with links.
      linkat(parent.raw, CName(path.name).bytes, parent.raw, CName.temporary().bytes, 0)
    }
  }

  /// Puts a version into the folder of its path. The sweep of another process may have removed that folder after it was
  /// opened: then it is made again, once.
  private func putVersion(
    _ revision: Revision, of path: StorePath, below root: Descriptor,
    _ body: (_ slot: Descriptor, _ version: CName) throws(StoreError) -> Void
  ) throws(StoreError) -> Descriptor {
    func put() throws(StoreError) -> Descriptor {
      let slot = try openVersions(of: path, below: root)
      try body(slot, try nextVersion(revision, in: slot).name)
      return slot
    }
    do throws(StoreError) {
      return try put()
    } catch {
      guard error.kind == .notFound else { throw error }
      return try put()
    }
  }

  func keptVersions(of path: StorePath) throws(StoreError) -> [FileEntry] {
    guard let slot = try openVersionsIfThere(of: path, below: try openRoot()) else { return [] }
    var entries: [FileEntry] = []
    for version in try versions(in: slot) {
      guard let stat = try slot.stat(version.name, path), stat.kind == .file else { continue }
      entries.append(
        FileEntry(
          path: path, kind: .file, size: stat.raw.size, modified: Timestamp(nanoseconds: stat.raw.modified),
          revision: version.revision))
    }
    return entries
  }

  func readKept(_ revision: Revision, of path: StorePath) throws(StoreError) -> (entry: FileEntry, bytes: [UInt8])? {
    guard let slot = try openVersionsIfThere(of: path, below: try openRoot()),
      let version = try versions(in: slot).first(where: { $0.revision == revision })
    else { return nil }
    let raw = cp_open_beneath(slot.raw, version.name.bytes, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0)
    guard raw >= 0 else {
      if raw == -ENOENT { return nil }
      throw FolderFault.error(-raw, "read a version of", path)
    }
    let file = Descriptor(raw)
    let stat = try file.stat(path)
    guard stat.kind == .file else { return nil }
    let entry = FileEntry(
      path: path, kind: .file, size: stat.raw.size, modified: Timestamp(nanoseconds: stat.raw.modified),
      revision: revision)
    return (entry, try file.readAll(path))
  }

  func moveVersions(of path: StorePath, to target: StorePath, below root: Descriptor) {
    do throws(StoreError) {
      guard keepsVersions, let slot = try openVersionsIfThere(of: path, below: root) else { return }
      let goal = try openVersions(of: target, below: root)
      for version in try versions(in: slot) {
        let code = slot.rename(version.name, to: version.name, in: goal, .over)
        if code < 0 { throw FolderFault.error(-code, "move the versions of", path) }
      }
      let all = try openOwn(FolderDisk.place, below: root, making: false)
      unlinkat(slot.raw, FolderDisk.pathName.bytes, 0)
      // It stays with what another writer has kept there meanwhile.
      if unlinkat(all.raw, slotName(path).bytes, AT_REMOVEDIR) != 0 { notePath(path, in: slot) }
    } catch {
      warn("byteclub could not move the versions of \"\(path)\" to \"\(target)\": \(error)")
    }
  }

  /// Moves those of each file that a moved folder has, or once had.
  func moveVersions(ofAllIn folder: StorePath, to target: StorePath, below root: Descriptor) {
    do throws(StoreError) {
      guard keepsVersions, let all = try openOwnIfThere(FolderDisk.place, below: root) else { return }
      // All names first: moved versions get folders of their own here.
      var slots: [CName] = []
      let reader = DirectoryReader(bytes: 32 * 1024)
      while true {
        let names = try reader.someNames(in: all, .root)
        if names.isEmpty { break }
        slots += names
      }
      for slot in slots {
        guard let path = originalPath(slot, in: all), let rest = path.relative(to: folder) else { continue }
        moveVersions(of: path, to: try StorePath(target.bytes + [UInt8(ascii: "/")] + rest), below: root)
      }
    } catch {
      warn("byteclub could not move the versions of the files in \"\(folder)\" to \"\(target)\": \(error)")
    }
  }

  /// nil for other things that lie there, and for what cannot be read, after a warning.
  func originalPath(_ slot: CName, in all: Descriptor) -> StorePath? {
    do throws(StoreError) {
      let raw = cp_open_beneath(all.raw, slot.bytes, O_RDONLY | O_DIRECTORY, 0)
      guard raw >= 0 else {
        if [ENOENT, ENOTDIR, ELOOP].contains(-raw) { return nil }
        throw FolderFault.error(-raw, "read the versions in", .root)
      }
      guard let bytes = try notedPath(in: Descriptor(raw)) else { return nil }
      let path = try StorePath(bytes)
      return slotName(path) == slot ? path : nil
    } catch {
      warn("byteclub could not read which file some versions are of: \(error)")
      return nil
    }
  }

  private func slotName(_ path: StorePath) -> CName { CName(SHA256.hexadecimal(of: path.bytes)) }

  private func openVersionsIfThere(of path: StorePath, below root: Descriptor) throws(StoreError) -> Descriptor? {
    guard let all = try openOwnIfThere(FolderDisk.place, below: root) else { return nil }
    let raw = cp_open_beneath(all.raw, slotName(path).bytes, O_RDONLY | O_DIRECTORY, 0)
    guard raw >= 0 else {
      if raw == -ENOENT { return nil }
      throw FolderFault.error(-raw, "read the versions of", path)
    }
    return Descriptor(raw)
  }

  private func openVersions(of path: StorePath, below root: Descriptor) throws(StoreError) -> Descriptor {
    if let slot = try openVersionsIfThere(of: path, below: root) {
      // No sweep takes a young one for a rest.
      futimens(slot.raw, nil)
      notePath(path, in: slot)
      return slot
    }
    let all = try openOwn(FolderDisk.place, below: root, making: true)
    guard mkdirat(all.raw, slotName(path).bytes, 0o777) == 0 || errno == EEXIST else {
      throw FolderFault.error(errno, "keep a version of", path)
    }
    let raw = cp_open_beneath(all.raw, slotName(path).bytes, O_RDONLY | O_DIRECTORY, 0)
    guard raw >= 0 else { throw FolderFault.error(-raw, "keep a version of", path) }
    let slot = Descriptor(raw)
    notePath(path, in: slot)
    return slot
  }

  /// Writes the path into its folder of versions, also over one that a full disk or a crash has cut. A failure is a
  /// warning: a version is kept where there is no room for that.
  func notePath(_ path: StorePath, in slot: Descriptor) {
    do throws(StoreError) {
      if try notedPath(in: slot) == path.bytes { return }
      // Other things of this name are replaced, and nobody reads a part of the path.
      try writeBeside(FolderDisk.pathName, path.bytes, mode: 0o666, in: slot, path)
    } catch {
      warn("byteclub could not write down which file the versions are of: \(error)")
    }
  }

  /// nil if no file has it.
  private func notedPath(in slot: Descriptor) throws(StoreError) -> [UInt8]? {
    let raw = cp_open_beneath(slot.raw, FolderDisk.pathName.bytes, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0)
    guard raw >= 0 else {
      if [ENOENT, ENOTDIR, ELOOP].contains(-raw) { return nil }
      throw FolderFault.error(-raw, "read the versions in", .root)
    }
    let file = Descriptor(raw)
    guard try file.stat(.root).kind == .file else { return nil }
    return try file.read(64 * 1024, at: 0, .root)
  }

  func versions(in slot: Descriptor) throws(StoreError) -> [FolderVersion] {
    var found: [FolderVersion] = []
    lseek(slot.raw, 0, SEEK_SET)
    while true {
      let names = try DirectoryReader(bytes: 16 * 1024).someNames(in: slot, .root)
      if names.isEmpty { break }
      found += names.compactMap(FolderVersion.init)
    }
    return found.sorted { $0.order > $1.order }
  }

  /// A version younger than all others, even after the clock was set back.
  private func nextVersion(_ revision: Revision, in slot: Descriptor) throws(StoreError) -> FolderVersion {
    let last = try versions(in: slot).first?.order ?? 0
    return FolderVersion(order: max(FolderDisk.nanoseconds(), last + 1), revision)
  }

  private func copyVersion(
    _ name: CName, in folder: Descriptor, _ stat: FileStat, to target: CName, in slot: Descriptor, _ path: StorePath
  ) throws(StoreError) {
    let raw = cp_open_beneath(folder.raw, name.bytes, O_RDONLY | O_NONBLOCK | O_NOCTTY, 0)
    guard raw >= 0 else { throw FolderFault.error(-raw, "keep a version of", path) }
    let bytes = try Descriptor(raw).readAll(path)
    try writeBeside(target, bytes, mode: stat.raw.mode & 0o777, in: slot, path) { file in
      file.setModified(Timestamp(nanoseconds: stat.raw.modified))
    }
  }

  /// Writes a file of a folder of versions under another name, then renames it over its own.
  private func writeBeside(
    _ name: CName, _ bytes: [UInt8], mode: UInt32, in slot: Descriptor, _ path: StorePath,
    _ settle: (Descriptor) -> Void = { _ in }
  ) throws(StoreError) {
    let aside = CName.temporary()
    let raw = cp_open_beneath(slot.raw, aside.bytes, O_WRONLY | O_CREAT | O_EXCL, mode)
    guard raw >= 0 else { throw FolderFault.error(-raw, "keep a version of", path) }
    let file = Descriptor(raw)
    do throws(StoreError) {
      try file.write(bytes[...], at: 0, path)
      settle(file)
      let code = slot.rename(aside, to: name, in: slot, .over)
      if code < 0 { throw FolderFault.error(-code, "keep a version of", path) }
    } catch {
      unlinkat(slot.raw, aside.bytes, 0)
      throw error
    }
  }

  static func nanoseconds() -> UInt64 { UInt64(clamping: Timestamp.now().nanoseconds) }
}

extension Descriptor {
  fileprivate func readAll(_ path: StorePath) throws(StoreError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      let more = try read(256 * 1024, at: UInt64(bytes.count), path)
      if more.isEmpty { return bytes }
      bytes += more
    }
  }
}
