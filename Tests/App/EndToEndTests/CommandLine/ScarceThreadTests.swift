import Foundation
import TestKit
import Testing

/// A system may have no free thread at any moment. The tracer makes one start of a thread fail.
@Suite(
  .enabled(if: CommandLineHome.binary != nil),
  .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/strace"), "strace is not installed"))
struct ScarceThreadTests {
  @Test(arguments: 1...6, [["photo", "put", "p.jpg"], ["photo", "view", "p.jpg", "--size", "2x1"], ["note", "ls"]])
  func `a thread that does not start ends or delays a command, which never waits for ever`(
    number: Int, words: [String]
  ) throws {
    let home = try CommandLineHome()
    try home.write("text".utf8, to: "ByteClub/a.md")
    try home.write(Pictures.jpeg, to: "p.jpg")
    let binary = try #require(CommandLineHome.binary)
    let outcome = try Spawn(
      "/usr/bin/strace",
      [
        "-f", "-qq", "-e", "trace=clone3", "-e", "inject=clone3:error=EAGAIN:when=\(number)", "-o",
        home.path + "/trace", binary, "--folder", home.club,
      ] + words.map { $0 == "p.jpg" ? home.path + "/" + $0 : $0 },
      environment: home.environment, input: []
    ).finish()
    #expect(outcome.status < 128)
    #expect(outcome.status == 0 || !outcome.said.isEmpty, "\(outcome.status)")
  }
}
