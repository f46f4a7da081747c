internal import Basics
internal import POSIX

/// Pictures in POSIX shared memory (`t=s` of kitty's graphics protocol). A terminal on the same machine reads each one
/// and removes it. One thread at a time.
final class SharedPictures {
  /// A terminal that falls behind gets the next pictures in the stream of bytes, which holds the program back.
  private static let mostUnreadBytes = 32 << 20
  /// glibc keeps the objects there.
  private static let folder = "/dev/shm"
  private static let beginning = "byteclub-"

  private struct Object {
    let name: String
    let count: Int
  }

  /// Random, so that a terminal on another machine cannot find an object of the same name there.
  private let prefix = "\(beginning)\(getpid())-\(String(UInt64.random(in: 0 ... .max), radix: 36))-"
  private var unread: [Object] = []
  private var count = 0

  /// Removes what processes left that were killed.
  init() {
    guard let names = try? Folders.names(in: Self.folder) else { return }
    for name in names where name.hasPrefix(Self.beginning) {
      guard let process = name.split(separator: "-").dropFirst().first.flatMap({ pid_t($0) }), process > 0,
        kill(process, 0) != 0, errno == ESRCH
      else { continue }
      shm_unlink("/\(name)")
    }
  }

  deinit { for object in unread { shm_unlink(object.name) } }

  /// Returns the name of an object with these bytes. nil if the terminal has not read the last ones, or the system
  /// refuses; then they must be sent.
  func share(_ bytes: [UInt8]) -> String? {
    unread.removeAll { !Self.exists($0.name) }
    guard unread.reduce(bytes.count, { $0 + $1.count }) <= Self.mostUnreadBytes else { return nil }
    count += 1
    let name = "/\(prefix)\(count)"
    let descriptor = shm_open(name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    let file = OpenFile(owning: descriptor)
    do throws(SystemError) {
      try file.write(bytes[...])
    } catch {
      // Shared memory is full.
      shm_unlink(name)
      return nil
    }
    unread.append(Object(name: name, count: bytes.count))
    return name
  }

  private static func exists(_ name: String) -> Bool {
    let descriptor = shm_open(name, O_RDONLY | O_CLOEXEC, 0)
    guard descriptor >= 0 else { return false }
    close(descriptor)
    return true
  }
}
