import Basics
import CPlatform
import FileStores
import POSIX

/// Where the server's own data about a folder are, and the one server that may use them.
extension ServedRoot {
  static let membersFile = "members.sqlite"
  static let indexFile = "index.sqlite"
  private static let lockFile = "serving"
  /// A killed server that is started again at once has not ended yet.
  private static let lockPatience = Duration.seconds(2)

  /// The directory of the data about a folder, whoever asks: the one that a server has used, else one with members, else
  /// a new one. A set `XDG_DATA_HOME` decides; `HOME` is that of the folder's owner.
  static func state(of folder: String) throws(StoreError) -> String {
    let name = "/serve/" + SHA256.hexadecimal(of: folder.utf8).prefix(16)
    if let data = directory("XDG_DATA_HOME") { return data + "/byteclub" + name }
    let owner = user(of: folder) ?? geteuid()
    let asked = directory("HOME").map { $0 + "/.local/share/byteclub" + name }
    let owned = home(of: owner).map { $0 + "/.local/share/byteclub" + name }
    // The unit of the package keeps the data of /var/lib/byteclub/NAME/club there.
    let beside = folder.lastIndex(of: "/").map { folder[..<$0] + "/data/byteclub" + name }
    let trusted = [0, owner, geteuid()]
    let known = [asked, beside, owned].compactMap { $0 }.filter { place in
      user(of: place).map(trusted.contains) ?? false
    }
    for file in [indexFile, membersFile] {
      if let place = known.first(where: { PrivateDirectory(at: $0).holds(file) }) { return place }
    }
    // Only root can make files for others.
    guard let place = geteuid() == 0 && owner != 0 ? owned ?? asked : asked ?? owned else {
      throw StoreError(
        .badInput, "Your home directory is unknown: HOME is not set.",
        remedy: "Set HOME, or name a directory with --state.")
    }
    return place
  }

  /// Makes the directory of the data.
  /// - Parameters:
  ///   - isNamed: true if the owner of the server named it.
  ///   - folder: the served one, whose owner gets what root makes below their home.
  /// - Throws: `exists` for a named directory with files of others, whose mode would change.
  static func makeState(
    _ path: String, isNamed: Bool, of folder: String, asOwner: Bool = false
  ) throws(StoreError) -> PrivateDirectory {
    let named = PrivateDirectory(at: path)
    if isNamed, isOpen(path), try !named.names().isEmpty, !named.holds(membersFile) {
      throw StoreError(
        .exists, "Others can read \"\(path)\", and it has files that are not a server's own data.",
        remedy: "Name an empty directory with --state, or the one of an earlier server of this folder.")
    }
    if isNamed, let facts = facts(of: path), facts.st_mode & 0o022 != 0, facts.st_uid != geteuid() {
      throw StoreError(
        .notPermitted, "Others can change the directory \"\(path)\".",
        remedy: "Name a directory of your own with --state.")
    }
    guard geteuid() == 0, let folder = facts(of: folder), folder.st_uid != 0, let home = home(of: folder.st_uid),
      path.hasPrefix(home + "/")
    else { return try PrivateDirectory(making: path) }
    let owner = folder.st_uid
    // As root, this would follow links that the owner of the home can put there.
    if asOwner {
      guard setgroups(0, nil) == 0, setegid(folder.st_gid) == 0, seteuid(owner) == 0 else {
        throw .system(errno, "used", path)
      }
      return try PrivateDirectory(making: path)
    }
    do throws(SystemError) {
      try Folders.make(path, mode: 0o700) { lchown($0, owner, .max) }
    } catch {
      throw .system(error.code, "made", path)
    }
    return try PrivateDirectory(making: path)
  }

  /// SQLite gives the files beside a database to the owner of the database itself.
  func giveToOwner() {
    guard geteuid() == 0, let owner = ServedRoot.user(of: directory.path), owner != 0 else { return }
    for suffix in ["", "-wal", "-shm"] { lchown(directory.path(of: ServedRoot.membersFile + suffix), owner, .max) }
  }

  /// - Throws: `notPermitted` if root would follow a link of the owner of the data to a file of somebody else.
  func checkLinks() throws(StoreError) {
    guard geteuid() == 0, let owner = ServedRoot.user(of: directory.path), owner != 0 else { return }
    for suffix in ["", "-wal", "-shm"] {
      let file = directory.path(of: ServedRoot.membersFile + suffix)
      var facts = stat()
      guard lstat(file, &facts) == 0, facts.st_mode & S_IFMT == S_IFLNK else { continue }
      throw StoreError(.notPermitted, "\"\(file)\" is a link.", remedy: "Remove it, or run this as the folder's owner.")
    }
  }

  /// The lock of the one server over these data, which holds it as long as it runs: a second one would take away what
  /// the first receives.
  /// - Throws: `conflict` if another server has it.
  func lockServing() throws(StoreError) -> OpenFile {
    let file = directory.path(of: ServedRoot.lockFile)
    do throws(SystemError) {
      let lock = try OpenFile(file, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK)
      if try FileLock.take(lock.descriptor, waiting: ServedRoot.lockPatience) { return lock }
    } catch {
      throw .system(error.code, "locked", file)
    }
    throw StoreError(
      .conflict, "Another server serves the club \"\(name)\" already.",
      remedy: "Stop it first. One server can listen at several addresses, and serve several clubs (--club-root).")
  }

  /// - Throws: `notPermitted` for a folder in which the server could keep no change.
  func checkUse() throws(StoreError) {
    guard let path else { return }
    let code = -cp_try_writing(path)
    // A full or ailing disk is for the health check: members may still read, and delete.
    guard [EACCES, EPERM, EROFS].contains(code) else { return }
    throw StoreError(
      .notPermitted, "A file in \"\(path)\" cannot be written: \(SystemError.text(code)).",
      remedy: "Start the server as a user who may write there, or mount the disk for writing.")
  }

  /// - Throws: `server` with the reason why files of the folder cannot be written or read.
  static func checkFolder(_ path: String) throws(StoreError) {
    let code = -cp_try_writing(path)
    guard code == 0 else {
      throw StoreError(.server, "A file in \"\(path)\" cannot be written: \(SystemError.text(code)).")
    }
    do throws(SystemError) { _ = try OpenFile(folder: path) } catch {
      throw StoreError(.server, "\"\(path)\" cannot be read: \(error).")
    }
  }

  /// nil for a user without a home of their own, as some programs have.
  private static func home(of number: UInt32) -> String? {
    SystemUser(number).flatMap { $0.home.hasPrefix("/") && user(of: $0.home) == number ? $0.home : nil }
  }

  private static func user(of path: String) -> UInt32? { facts(of: path)?.st_uid }

  /// True if others than the owner can do anything with what is there.
  private static func isOpen(_ path: String) -> Bool { facts(of: path).map { $0.st_mode & 0o077 != 0 } ?? false }

  private static func facts(of path: String) -> stat? {
    var facts = stat()
    return stat(path, &facts) == 0 ? facts : nil
  }

  /// A variable with an absolute path (XDG Base Directory Specification, version 0.8).
  private static func directory(_ variable: String) -> String? {
    guard let value = getenv(variable).map({ String(cString: $0) }), value.hasPrefix("/") else { return nil }
    return value.count > 1 && value.hasSuffix("/") ? String(value.dropLast()) : value
  }
}
