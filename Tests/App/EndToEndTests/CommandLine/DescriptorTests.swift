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

  @Test(
    arguments: [
      ["note", "put", "x"], ["note", "put", "x", "-"], ["note", "append", "a", "-"],
      ["photo", "caption", "p.png", "-"],
    ])
  func `a text from a closed standard input is wrong usage`(_ words: [String]) throws {
    let home = try CommandLineHome()
    try home.write("text".utf8, to: "ByteClub/a.md")
    let outcome = try run(home, "exec <&-", words)
    #expect(outcome.status == 2)
    #expect(outcome.said.contains("Standard input is closed. Name a file, or send a text through a pipe."))
    #expect(try run(home, "exec <&-", words + ["--json"]).text.contains("Standard input is closed."))
    #expect(home.files(ending: ".md") == ["ByteClub/a.md"])
  }

  @Test func `with closed standard streams nothing is written into a file that was opened in their place`() throws {
    let home = try CommandLineHome()
    try home.write("text\n".utf8, to: "ByteClub/a.md")
    #expect(try run(home, "exec <&- >&- 2>&-", ["note", "append", "a", "more"]).status == 0)
    #expect(home.read("ByteClub/a.md") == Array("text\nmore\n".utf8))
    for file in home.files(ending: "") {
      #expect(home.read(file).map { String(decoding: $0, as: UTF8.self).contains("Added to") } != true, "\(file)")
    }
    // Results that nobody gets are no success.
    let listed = try run(home, "exec >&-", ["note", "ls"])
    #expect(listed.status == 1)
    #expect(listed.said == "byteclub: Standard output cannot be written: Bad file descriptor.\n")
    #expect(try run(home, "exec 2>&-", ["note", "ls"]).text == "a.md\n")
  }

  @Test(arguments: [["manual"], ["completion", "bash"], ["note", "--help"], ["--version"], ["note", "ls"]])
  func `a text that does not fit on the disk is no success`(_ words: [String]) throws {
    let home = try CommandLineHome()
    try home.write("text\n".utf8, to: "ByteClub/a.md")
    let outcome = try run(home, "exec >/dev/full", words)
    #expect(outcome.status == 1)
    #expect(outcome.said == "byteclub: Standard output cannot be written: No space left on device.\n")
  }

  @Test func `standard input without an end is refused at a limit`() throws {
    let (home, binary) = (try CommandLineHome(), try #require(CommandLineHome.binary))
    let outcome = try Spawn(
      "/bin/sh", ["-c", #"exec "$0" join - </dev/zero"#, binary], environment: home.environment, input: []
    ).finish()
    #expect(outcome.status == 1 && outcome.said.contains("Standard input has more than 64.0 KiB."), "\(outcome.said)")
  }

  @Test func `the descriptors 0, 1 and 2 of the server are open before it opens anything`() throws {
    let home = try CommandLineHome()
    try home.write("text".utf8, to: "ByteClub/a.md")
    let binary = try #require(CommandLineHome.binary)
    // The list of members is the first file that it opens.
    let outcome = try Spawn(
      "/bin/sh",
      ["-c", #"exec 3>&1; "$0" serve member add ray --root "$1" <&- >&- 2>&-; echo "$?" >&3"#, binary, home.club],
      environment: home.environment, input: []
    ).finish()
    #expect(outcome.text == "1\n")
    // A member whose token nobody got would only take the name.
    #expect(try home.run("serve", "member", "ls", "--root", home.club).text == "")
    for file in home.files(ending: "") {
      #expect(home.read(file).map { String(decoding: $0, as: UTF8.self).contains("Added ray") } != true, "\(file)")
    }
  }

  @Test func `a token that cannot be printed adds no member, and the command says so`() throws {
    let home = try CommandLineHome()
    try home.write("text".utf8, to: "ByteClub/a.md")
    let binary = try #require(CommandLineHome.binary)
    // A pipe whose reader is gone, the program of the package by itself, a closed and a full output.
    let gone = "mkfifo pipe; exec 4<>pipe 5>pipe 4<&-; "
    for (before, program, target) in [
      ("", #""$0" serve"#, "&-"), ("", #""$0" serve"#, "/dev/full"), (gone, #""$0-serve""#, "&5"),
    ] {
      for words in ["member add ray", "member add ray --json", "app add"] {
        let outcome = try Spawn(
          "/bin/sh",
          [
            "-c", "cd '\(home.path)'; rm -f pipe; \(before)\(program) \(words) --root \"$1\" >\(target)", binary,
            home.club,
          ],
          environment: home.environment, input: []
        ).finish()
        #expect(outcome.status == 1 && outcome.said.contains("Standard output cannot be written"), "\(outcome)")
      }
    }
    #expect(try home.run("serve", "app", "ls", "--root", home.club).text == "")
    let added = try home.run("serve", "member", "add", "ray", "--root", home.club)
    #expect(added.status == 0 && !added.text.isEmpty, "\(added.said)")
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
