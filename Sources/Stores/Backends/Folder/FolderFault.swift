internal import Basics
internal import FileStores
internal import POSIX

enum FolderFault {
  static func error(_ code: Int32, _ action: String, _ path: StorePath) -> StoreError {
    let name = path.isRoot ? "the club's folder" : "\"\(path)\""
    let detail = SystemError.text(code).lowercased()
    switch code {
    case ENOENT:
      return StoreError(
        .notFound,
        path.isRoot ? "Cannot \(action) \(name): it does not exist." : "\(name) does not exist.".capitalizedFirst,
        path: path)
    case ENOTDIR:
      return StoreError(
        .notFound,
        path.isRoot
          ? "Cannot \(action) \(name): a file is in its place."
          : "\(name) does not exist: a part of its path is a file.".capitalizedFirst, path: path)
    case EEXIST, ENOTEMPTY, EISDIR:
      return StoreError(.exists, "\(name) already exists.".capitalizedFirst, remedy: anotherName, path: path)
    case EACCES, EPERM:
      return StoreError(
        .notPermitted, "You may not \(action) \(name) (\(detail)).",
        remedy: "Check the permissions of the file and its folder.", path: path)
    case EROFS:
      return StoreError(
        .notPermitted, "byteclub cannot \(action) \(name): the disk is mounted read-only.",
        remedy: "Mount it writable, or use another folder.", path: path)
    case EXDEV:
      return StoreError(
        .unsupported, "byteclub cannot \(action) \(name): it would go to another disk.",
        remedy: "Copy it, then delete the old one.", path: path)
    case ELOOP:
      return StoreError(
        .notPermitted, "byteclub cannot \(action) \(name): its path has a link, and byteclub follows none.",
        remedy: "Put the file itself into the club's folder.", path: path)
    case ENOSPC:
      return StoreError(
        .quota, "byteclub cannot \(action) \(name): the disk is full.", remedy: "Free some space, then try again.",
        path: path)
    case EDQUOT:
      return StoreError(
        .quota, "byteclub cannot \(action) \(name): your quota on this disk is used up.",
        remedy: "Free some space, then try again.", path: path)
    case EFBIG, EOVERFLOW:
      return StoreError(.tooLarge, "byteclub cannot \(action) \(name): it is too large for this disk.", path: path)
    case ENAMETOOLONG:
      let isName = !path.mayBeTooLong
      return StoreError(
        .badName, "The \(isName ? "name" : "path") \(name) is too long for this disk.",
        remedy: isName ? anotherName : "Put it into fewer folders.", path: path)
    case EILSEQ, EINVAL:
      return StoreError(
        .badName, "This disk cannot hold the name \(name) (\(detail)).", remedy: anotherName, path: path)
    case EMFILE, ENFILE, ENOMEM:
      return StoreError(
        .server, "byteclub cannot \(action) \(name): too many files are open (\(detail)).",
        remedy: "Try again in a moment.", path: path)
    case ESTALE, ENODEV, ENXIO, ENOTCONN, EHOSTDOWN, EHOSTUNREACH, ENETDOWN, ENETUNREACH, ETIMEDOUT:
      return StoreError(
        .offline, "byteclub cannot \(action) \(name): its disk does not answer (\(detail)).",
        remedy: "Check that it is connected.", path: path)
    default:
      return StoreError(
        .server, "byteclub cannot \(action) \(name): the disk reports \"\(detail)\".",
        remedy: "Try again. If it fails again, check the disk.", path: path)
    }
  }

  static let anotherName = "Choose another name."
}

extension String {
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}

/// A step of a write. Test probes act as another program there, or inject an error.
package enum FolderStep: String, Sendable, CaseIterable {
  case makeTemporary, write, syncFile, look, rename, lookAtDisplaced, swapBack, removeDisplaced, syncFolder
}

package struct FolderTuning: Sendable {
  /// 64 KiB hold about 1,300 names; larger buffers are slower because of fresh memory pages.
  package var listBufferBytes = 64 * 1024
  package var pageNames = 4096
  package var pageEntries = 1024
  package var chunkBytes = 512 * 1024
  /// The largest file whose whole read also computes the content hash.
  package var hashedReadBytes: UInt64 = 64 * 1024 * 1024
  /// The watcher reports after `quiet` without an event, or after `atMost`. A save takes a few milliseconds.
  package var quiet: Duration = .milliseconds(10)
  package var atMost: Duration = .milliseconds(100)
  package var pollInterval: Duration = .seconds(2)
  /// True to poll, false to watch, nil to choose by the file system.
  package var polls: Bool?
  package var changeCapacity = 16_384
  /// Simulates a file system without the flags of renameat2.
  package var lacksExchange = false
  package var versions = FolderVersionLimits()
  /// Runs before each step of a write. A result other than 0 is the step's errno.
  package var probe: (@Sendable (FolderStep) -> Int32)?

  package init() {}
}

extension StorePath {
  /// True if the kernel may refuse the path as a whole (PATH_MAX is 4096 bytes, with the folders above the club's).
  var mayBeTooLong: Bool { bytes.count > 2048 }
}
