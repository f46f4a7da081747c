internal import CLinux
internal import FileStores
internal import Glibc

/// The one place that makes store errors of errno values.
enum FolderFault {
  /// The error for `code`, which came while trying to `action` (a verb: "read", "write") what is at `path`.
  static func error(_ code: Int32, _ action: String, _ path: StorePath) -> StoreError {
    let name = path.isRoot ? "the club's folder" : "\"\(path)\""
    let detail = String(cString: cl_describe(code)).lowercased()
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
      return StoreError(.badName, "The name \(name) is too long for this disk.", remedy: anotherName, path: path)
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
  /// With a capital letter at the start of a sentence.
  var capitalizedFirst: String { prefix(1).uppercased() + dropFirst() }
}
