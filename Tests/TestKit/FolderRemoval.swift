import Foundation
import Glibc

/// Removes a folder with all that is in it, however deep that lies, and while files in it still come and go: who has
/// just been told to end, such as a server's last task that closes a database, may not have yet.
public func removeFolder(_ path: String) {
  if (try? FileManager.default.removeItem(atPath: path)) != nil { return }
  for _ in 0..<200 {
    _ = try? Spawn("/bin/rm", ["-rf", path], environment: [:]).finish()
    var facts = stat()
    if lstat(path, &facts) != 0 { return }
    usleep(10_000)
  }
}
