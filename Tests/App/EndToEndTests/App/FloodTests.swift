import Foundation
import POSIX
import TestKit
import TextUI
import Testing

/// More changes at once than the kernel keeps for a program.
@Suite struct FloodTests {
  /// How many events inotify(7) keeps for a reader that does not read.
  private static let queued = Int(
    (try? String(contentsOfFile: "/proc/sys/fs/inotify/max_queued_events", encoding: .utf8))?
      .trimmingCharacters(in: .whitespacesAndNewlines) ?? "")

  @Test(
    "Changes that the kernel dropped are seen all the same",
    .enabled(if: (1...100_000).contains(queued ?? 0), "this system keeps too many events to overflow them in a test"))
  func overflow() throws {
    let queued = try #require(Self.queued)
    let home = try MemberHome(notes: ["a first.md": "1", "gone.md": "2", "z last.md": "3"])
    let session = try home.open(showing: "gone.md")
    // Without a change seen, it might not watch yet.
    try home.write("x", to: "club/watched.md")
    try session.see("watched.md")
    // Asleep, it reads no events: what comes after the queue is full is lost for certain.
    session.signal(SIGSTOP)
    let file = home.club + "/flood.md"
    for _ in 0...(queued / 2) {
      close(open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0o644))
      unlink(file)
    }
    try home.write("new", to: "club/after the flood.md")
    #expect(unlink(home.club + "/gone.md") == 0)
    session.signal(SIGCONT)
    try session.wait("what happened in the flood", timeout: .patient) {
      $0.contains("after the flood.md") && !$0.contains("gone.md") && $0.contains("z last.md")
    }
    // And it goes on watching.
    try home.write("x", to: "club/much later.md")
    try session.see("much later.md")
    #expect(unlink(home.club + "/after the flood.md") == 0)
    try session.seeGone("after the flood.md")
    try session.quit()
  }
}
