import Glibc

/// What this build and this machine are.
enum SystemCheckup {
  /// Versions.
  static func findings() -> [Finding] {
    var system = utsname()
    uname(&system)
    let name = text(&system.sysname), release = text(&system.release), machine = text(&system.machine)
    return [
      Finding(verdict: .good, subject: "byteclub", found: BuildVersion.number),
      Finding(
        verdict: .good, subject: "System",
        found: "\(name) \(release) on \(machine)"),
    ]
  }

  private static func text<Field>(_ field: inout Field) -> String {
    withUnsafeBytes(of: &field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
