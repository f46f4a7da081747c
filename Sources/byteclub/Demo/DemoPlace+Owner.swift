import FileStores
import Glibc

/// Who a demo's folder belongs to: a lock on a file in it, which the system lets go of when the demo and all that it has
/// started have ended, however that came about.
extension DemoPlace {
  private static let prefix = "/byteclub-demo-"
  private static let owner = "/owner"

  /// What `mkdtemp` makes a folder's name of.
  static let template = prefix + "XXXXXX"

  /// Takes a folder for this process, and for those that it starts: they inherit the descriptor.
  func claim() throws(StoreError) {
    // Under its name it is locked already: nobody takes it for one that was left behind.
    let (early, file) = (path + DemoPlace.owner + "-new", path + DemoPlace.owner)
    let descriptor = open(early, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, 0o600)
    guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0, rename(early, file) == 0 else {
      throw StoreError(.notPermitted, "\(file) cannot be made: \(SystemError.sentence(errno)).")
    }
  }

  /// Removes what demos have left that were killed.
  static func removeAbandoned(in base: String) {
    guard let stream = opendir(base) else { return }
    var folders: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name.hasPrefix(prefix.dropFirst()) { folders.append(base + "/" + name) }
    }
    closedir(stream)
    for folder in folders {
      var facts = stat()
      // What is not as a demo makes it, for its user alone, is somebody else's.
      guard lstat(folder, &facts) == 0, facts.st_mode == S_IFDIR | 0o700, facts.st_uid == geteuid() else { continue }
      let descriptor = open(folder + owner, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      guard descriptor >= 0 else { continue }
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { remove(folder) }
      close(descriptor)
    }
  }
}
