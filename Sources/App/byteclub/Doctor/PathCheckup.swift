import Basics
import POSIX
import TextUI

enum PathCheckup {
  static func findings(_ paths: Paths) -> [Finding] {
    [("Data", paths.data), ("Cache", paths.cache), ("Logs", paths.state)].flatMap { subject, path in
      directory(subject, path, paths.abbreviating(path))
    }
  }

  private static func directory(_ subject: String, _ path: String, _ shown: String) -> [Finding] {
    var facts = stat()
    guard stat(path, &facts) == 0 else {
      let code = errno
      if code == ENOENT { return missing(subject, path, shown) }
      return [
        Finding(
          verdict: .wrong, subject: subject, found: "byteclub cannot read \(shown): \(SystemError.text(code))",
          remedy: "Make sure that you own it.")
      ]
    }
    func wrong(_ found: String, _ remedy: String) -> [Finding] {
      [Finding(verdict: .wrong, subject: subject, found: "\(shown) \(found)", remedy: remedy)]
    }
    if facts.st_mode & S_IFMT != S_IFDIR { return wrong("is not a directory", "Move it away.") }
    if facts.st_uid != geteuid() {
      return wrong("belongs to another user", "Run: sudo chown -R $USER \(PathText.plainWord(shown))")
    }
    if facts.st_mode & 0o077 != 0 {
      let mode = String(facts.st_mode & 0o777, radix: 8)
      return wrong("can be read by others (mode \(mode))", "Run: chmod 700 \(PathText.plainWord(shown))")
    }
    if access(path, W_OK | X_OK) != 0 { return wrong("is not writable", "Run: chmod 700 \(PathText.plainWord(shown))") }
    let open = openFiles(path)
    if !open.isEmpty {
      return wrong("has files that others can read: \(open.joined(separator: ", "))", "Run: chmod 600 on each.")
    }
    var findings = [Finding(verdict: .good, subject: subject, found: shown)]
    var room = statvfs()
    if statvfs(path, &room) == 0 {
      let free = UInt64(room.f_bavail) * UInt64(room.f_frsize)
      if free < 64 << 20 {
        findings.append(
          Finding(
            verdict: .wrong, subject: subject, found: "only \(ByteCount.text(free)) are free on the disk of \(shown)",
            remedy: "Free some space: \(needs(subject))."))
      }
    }
    return findings
  }

  private static func needs(_ subject: String) -> String {
    switch subject {
    case "Data": "drafts and saves need it"
    case "Cache": "photos are read again each time without it"
    default: "the log needs it"
    }
  }

  private static func missing(_ subject: String, _ path: String, _ shown: String) -> [Finding] {
    var above = path
    while !LocalDirectory.holdsAnything(above), let cut = above.lastIndex(of: "/"), cut > above.startIndex {
      above = String(above[..<cut])
    }
    if access(above, W_OK | X_OK) == 0 {
      return [Finding(verdict: .good, subject: subject, found: "\(shown) (byteclub makes it when needed)")]
    }
    return [
      Finding(
        verdict: .wrong, subject: subject, found: "\(shown) does not exist, and byteclub cannot make it in \(above)",
        remedy: "Make it yourself, or make sure that you own \(above).")
    ]
  }

  private static func openFiles(_ path: String) -> [String] {
    ((try? Folders.names(in: path)) ?? []).filter { name in
      var facts = stat()
      return lstat(path + "/" + name, &facts) == 0 && facts.st_mode & S_IFMT == S_IFREG && facts.st_mode & 0o077 != 0
    }.sorted()
  }
}
