import Foundation
import POSIX
import TestKit
import Testing

/// The order in which files reach the disk, by the kernel's calls.
@Suite struct DurabilityTests {
  private static let strace = "/usr/bin/strace"
  /// A program that writes down the calls of another; nil where there is none, or where it is not allowed to.
  private static let tracer: String? = {
    let trial = try? Spawn(strace, ["-qq", "-e", "trace=none", "/bin/true"], environment: [:]).finish()
    return trial?.status == 0 ? strace : nil
  }()

  /// One call, in the order in which the calls began.
  private struct Call: CustomStringConvertible {
    let description: String
    var name: Substring { description.prefix { $0 != "(" } }
    var failed: Bool { description.contains(" = -1 ") }
    func has(_ text: String) -> Bool { description.contains(text) }
  }

  /// Runs `byteclub` and returns which calls it made that order or name what it writes.
  private func calls(_ home: MemberHome, _ arguments: [String], input: String = "") throws -> [Call] {
    let log = home.path + "/calls"
    var variables = PtySession.basicEnvironment
    for (name, value) in home.environment() { variables[name] = value.isEmpty ? nil : value }
    let traced = "trace=fsync,fdatasync,rename,renameat,renameat2,link,linkat"
    let outcome = try Spawn(
      try #require(Self.tracer),
      ["-f", "-y", "-qq", "-e", traced, "-o", log, try MemberHome.binary()] + arguments + ["--folder", home.club],
      environment: variables, input: Array(input.utf8)
    ).finish()
    #expect(outcome.status == 0, "\(outcome.said)")
    let lines = try #require(home.text("calls")).split(separator: "\n")
    // "PID  call(…) = result"; the end of a call that was interrupted in the log is a line of its own.
    return lines.compactMap { line in
      let call = line.drop { $0.isNumber }.drop { $0 == " " }
      return call.hasPrefix("<...") || !call.contains("club") ? nil : Call(description: String(call))
    }
  }

  @Test(
    "A saved note is on the disk before it has its name, and its name is on the disk before the command ends",
    .enabled(if: FileManager.default.isExecutableFile(atPath: strace), "strace is not installed"),
    .enabled(if: tracer != nil, "tracing is not allowed here"), arguments: [false, true])
  func note(_ isThere: Bool) throws {
    let home = try MemberHome(notes: isThere ? ["n.md": "old"] : [:])
    let calls = try calls(home, ["note", "put", "n.md"], input: "new text\n")
    #expect(home.text("club/n.md") == "new text\n")
    let name = try #require(calls.firstIndex { $0.has("\"n.md\"") && !$0.failed }, "\(calls)")
    #expect(calls[name].has("\".byteclub-tmp-"))
    let file = try #require(calls.firstIndex { $0.name == "fsync" && $0.has("/.byteclub-tmp-") }, "\(calls)")
    let folder = try #require(calls.lastIndex { $0.name == "fsync" && $0.has("\(home.club)>") }, "\(calls)")
    #expect(file < name && name < folder, "\(calls)")
    #expect(!calls[file].failed && !calls[folder].failed)
  }

  @Test(
    "An uploaded photo is on the disk before it has its name, and its name is on the disk before the command ends",
    .enabled(if: FileManager.default.isExecutableFile(atPath: strace), "strace is not installed"),
    .enabled(if: tracer != nil, "tracing is not allowed here"))
  func photo() throws {
    let home = try MemberHome()
    try home.write(Pictures.jpeg, to: "mine/p.jpg")
    let calls = try calls(home, ["photo", "put", home.path + "/mine/p.jpg"])
    #expect(home.bytes("club/photos/p.jpg") == Pictures.jpeg)
    let name = try #require(calls.firstIndex { $0.has("\"p.jpg\"") && !$0.failed }, "\(calls)")
    let file = try #require(calls.lastIndex { $0.name == "fsync" && $0.has("/.byteclub-tmp-") }, "\(calls)")
    let folder = try #require(calls.lastIndex { $0.name == "fsync" && $0.has("\(home.club)/photos>") }, "\(calls)")
    #expect(file < name && name < folder, "\(calls)")
  }
}
