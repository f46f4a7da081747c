import Foundation
import TestKit
import Testing

/// A shell may start byteclub with few or closed files, or with a pipe that nobody reads.
@Suite(.enabled(if: CommandLineHome.binary != nil)) struct DescriptorTests {
  /// Runs the program by a shell that sets something before.
  private func run(_ home: CommandLineHome, _ before: String, _ arguments: [String]) throws -> Spawn.Outcome {
    let binary = try #require(CommandLineHome.binary)
    return try Spawn(
      "/bin/sh", ["-c", before + #"; exec "$0" "$@""#, binary, "--folder", home.club] + arguments,
      environment: home.environment, input: []
    ).finish()
  }

  @Test(
    "Without descriptors a command ends with a sentence, and by no signal",
    arguments: [["note", "mv", "a.md", "b.md"], ["photo", "put", "p.png"], ["transfer", "run"]])
  func few(_ arguments: [String]) throws {
    let home = try CommandLineHome()
    try home.write("text".utf8, to: "ByteClub/a.md")
    try home.write([0x89, 0x50, 0x4E, 0x47], to: "p.png")
    let words = arguments.map { $0 == "p.png" ? home.path + "/" + $0 : $0 }
    for _ in 0..<20 {
      let outcome = try run(home, "ulimit -n 14", words)
      #expect(outcome.status < 128)
      #expect(outcome.status == 0 || !outcome.said.isEmpty, "\(outcome.status)")
    }
  }

  @Test(arguments: ["TERM", "INT"])
  func `the first signal ends a command of which nobody reads what it writes`(_ signal: String) throws {
    let home = try CommandLineHome()
    try home.write(String(repeating: "line\n", count: 400_000).utf8, to: "ByteClub/long.md")
    let binary = try #require(CommandLineHome.binary)
    // Once a byte has come, the program writes on, and the pipe is full.
    let script = """
      mkfifo pipe && exec 3<>pipe
      "$0" --folder "$1" note cat long.md >pipe &
      head -c 1 <&3 >first
      kill -\(signal) $!
      wait $!
      """
    let outcome = try Spawn(
      "/bin/bash", ["-c", "cd '\(home.path)'; set -m; " + script, binary, home.club], environment: home.environment,
      input: []
    ).finish()
    #expect(outcome.status == 130, "\(outcome.said)")
    #expect(home.read("first") == [UInt8(ascii: "l")])
  }

  @Test func `the limit of open files is raised for byteclub, and not for the editor that it starts`() throws {
    let home = try CommandLineHome()
    try home.write("text".utf8, to: "ByteClub/a.md")
    let script = home.path + "/editor"
    try home.write("#!/bin/sh\nulimit -n >'\(home.path)/told'\n".utf8, to: "editor")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script)
    _ = try run(home, "ulimit -S -n 100; export EDITOR='\(script)'", ["note", "edit", "a.md"])
    #expect(home.read("told").map { String(decoding: $0, as: UTF8.self) } == "100\n")
  }
}
