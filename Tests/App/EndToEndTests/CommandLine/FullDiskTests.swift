import Foundation
import TestKit
import Testing

/// 8 MiB of memory (tmpfs), mounted where only one process sees them.
private enum SmallDisk {
  /// In a namespace: mounts the small disk on the first argument, and becomes the rest.
  private static let mounting = #"mount -t tmpfs -o size=8m none "$1" && shift && exec "$@""#

  /// Whether this kernel lets this user have one.
  static let isPossible: Bool = {
    let place = TemporaryFolder.newPath()
    try? FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(atPath: place) }
    return (try? run(["true"], on: place, ["PATH": "/usr/bin:/bin"]).finish())?.status == 0
  }()

  /// Starts a command that has one at `place`.
  static func run(_ command: [String], on place: String, _ environment: [String: String]) throws -> Spawn {
    try Spawn(
      "/usr/bin/unshare", ["--map-root-user", "--mount", "/bin/sh", "-c", mounting, "sh", place] + command,
      environment: environment)
  }
}

/// A disk that is full indeed. To mount one needs root, or a kernel that lets a user have namespaces of its own.
@Suite(
  .enabled(if: CommandLineHome.binary != nil),
  .enabled(if: SmallDisk.isPossible, "needs unshare(1), and the right to mount in a namespace"),
  .timeLimit(.minutes(10))
)
struct FullDiskTests {
  @Test func `a download to a full disk fails with a sentence, and arrives when there is room`() throws {
    let home = try CommandLineHome()
    let picture = Pictures.jpeg + [UInt8](repeating: 0x5A, count: 12 << 20)
    try home.write(
      #"{"clubs":{"home":{"store":"folder","path":"~/ByteClub"}},"transfers":{"chunkMebibytes":1}}"#.utf8,
      to: ".config/byteclub/config.json")
    #expect(try home.run("club", "init").status == 0)
    try home.write(picture, to: "ByteClub/photos/big.jpg")
    let out = home.path + "/out"
    try FileManager.default.createDirectory(atPath: out, withIntermediateDirectories: false)

    let get = [try #require(CommandLineHome.binary), "photo", "get", "big.jpg", "--to", out, "--progress", "none"]
    let full = try SmallDisk.run(get, on: out, home.environment).finish()
    #expect(full.status == 7 && full.said.contains("bytes free"), "\(full.said)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: out).isEmpty)
    let listed = try home.run("transfer", "ls")
    #expect(listed.text.contains("failed") && listed.text.contains("bytes free"), "\(listed.text)")

    let id = try #require(listed.text.split(separator: " ").first.map(String.init))
    #expect(try home.run("transfer", "retry", id).status == 0)
    let last = try home.run("transfer", "run", "--progress", "none")
    #expect(last.status == 0, "\(last.said)")
    #expect(home.read("out/big.jpg") == picture)
    #expect(try FileManager.default.contentsOfDirectory(atPath: out) == ["big.jpg"])
  }

  /// Exports to a disk with room for all but one file, to a full one, and to one with room again.
  private static let exports = #"""
    program="$1" disk="$2" photo="$3"
    copy() { "$program" club export "$1"; echo "status $?"; }
    copy "$disk/copy"
    cat /dev/zero > "$disk/rest" 2> /dev/null
    copy "$disk/full"
    ls -A "$disk/full"
    rm "$disk/rest" "$photo"
    copy "$disk/copy"
    find "$disk/copy" -type f | sort
    """#

  @Test func `an export to a full disk says what did not fit, leaves no half of a file, and goes on`() throws {
    let home = try CommandLineHome()
    for name in ["a.md", "z.md"] { try home.write("note\n".utf8, to: "ByteClub/" + name) }
    try home.write([UInt8](repeating: 0x5A, count: 12 << 20), to: "ByteClub/photos/big.jpg")
    try home.write([UInt8](repeating: 0x5A, count: 2 << 20), to: "ByteClub/photos/small.jpg")
    let disk = home.path + "/disk"
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
    let outcome = try SmallDisk.run(
      ["/bin/sh", "-c", Self.exports, "sh", try #require(CommandLineHome.binary), disk, home.club + "/photos/big.jpg"],
      on: disk, home.environment
    ).finish()
    let copied = ["a.md", "photos/small.jpg", "z.md"].map { "\(disk)/copy/\($0)" }
    #expect(
      outcome.text.split(separator: "\n").map(String.init) == ["status 7", "status 7", "status 0"] + copied,
      "\(outcome.text) \(outcome.said)")
    let words = " has no space left for "
    #expect(outcome.said.contains("The disk of \(disk)/copy\(words)\"photos/big.jpg\""), "\(outcome.said)")
    #expect(outcome.said.contains("The disk of \(disk)/full\(words)"), "\(outcome.said)")
  }

  /// Backs up to a disk that has room, that is too small for a new file, and that is full; then restores.
  private static let backups = #"""
    program="$1" root="$2" disk="$3" again="$4"
    backup() { "$program" serve backup "$disk/backup" --root "$root"; echo "status $?"; }
    backup
    head -c 12582912 /dev/zero > "$root/big.bin"
    backup
    cat /dev/zero > "$disk/rest" 2> /dev/null
    backup
    rm "$disk/rest"
    "$program" serve restore "$disk/backup" --root "$again"
    echo "status $?"
    """#

  @Test func `a backup to a full disk says what did not fit, and the earlier backup can be restored`() throws {
    let home = try CommandLineHome()
    let server = try RunningServer(in: home)
    try server.upload("/first.md", "one\n", token: try server.admit("ann"))
    #expect(try server.finish().status == 0)
    let disk = home.path + "/disk"
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: false)
    let binary = try #require(CommandLineHome.binary)
    let outcome = try SmallDisk.run(
      ["/bin/sh", "-c", Self.backups, "sh", binary, home.path + "/club", disk, home.path + "/again"], on: disk,
      home.environment
    ).finish()
    let statuses = outcome.text.split(separator: "\n").filter { $0.hasPrefix("status") }
    #expect(statuses == ["status 0", "status 7", "status 7", "status 0"], "\(outcome.text) \(outcome.said)")
    #expect(
      outcome.said.contains(
        "\"big.bin\" could not be backed up: the disk of \"\(disk)/backup\" is full. Free some space"),
      "\(outcome.said)")
    // The databases come first.
    #expect(outcome.said.contains("The disk of \"\(disk)/backup/members-2.sqlite\" is full."), "\(outcome.said)")
    #expect(home.read("again/first.md") == Array("one\n".utf8))
    #expect(home.read("again/big.bin") == nil)
  }
}
