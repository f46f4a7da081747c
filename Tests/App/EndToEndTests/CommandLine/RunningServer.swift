import Foundation
import POSIX
import TestKit
import Testing

/// `byteclub serve` in a process of its own, over a folder of a home, until the object goes.
final class RunningServer {
  let home: CommandLineHome
  private(set) var port = ""
  private(set) var metrics = ""
  let process: Spawn
  private var isEnded = false

  /// - Parameters:
  ///   - place: names the club or clubs; by default `--root` with the folder `club` of the home, which is made.
  ///   - port: that of an earlier server; by default a free one.
  ///   - variables: further variables of the server.
  init(
    _ options: [String] = [], in home: CommandLineHome, place: [String]? = nil, port: String = "0",
    variables: [String: String] = [:]
  ) throws {
    self.home = home
    try FileManager.default.createDirectory(atPath: home.path + "/club", withIntermediateDirectories: true)
    process = try home.start(
      ["serve"] + (place ?? ["--root", home.path + "/club"]) + ["--listen", "127.0.0.1:\(port)"] + options, variables)
    if options.contains("--listen-metrics") {
      try process.wait(forNotice: "/metrics.\n")
      metrics = RunningServer.number(in: process.said, after: "Metrics: http://127.0.0.1:")
    }
    try process.wait(forOutput: "\"server\"")
    self.port = RunningServer.number(in: process.told, after: "://127.0.0.1:")
  }

  deinit { if !isEnded { process.signal(SIGKILL) } }

  private static func number(in text: String, after words: String) -> String {
    String(text.ranges(of: words).last.map { text[$0.upperBound...].prefix { $0.isNumber } } ?? "")
  }

  func finish() throws -> Spawn.Outcome {
    isEnded = true
    process.signal(SIGTERM)
    return try process.finish()
  }

  /// A command of the server about the club in the folder.
  func manage(_ words: String..., club: String = "club") throws -> Spawn.Outcome {
    try home.start(["serve"] + words + ["--root", home.path + "/" + club]).finish()
  }

  /// Adds a member, and returns the token.
  func admit(_ name: String, to club: String = "club") throws -> String {
    try manage("member", "add", name, club: club).text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  /// Invites somebody, and returns the line for them.
  func invitation(_ name: String, scheme: String = "http") throws -> String {
    let invited = try manage("invite", name, "--address", "\(scheme)://127.0.0.1:\(port)")
    #expect(invited.status == 0, "\(invited.said)")
    return String(invited.text.split(separator: "\n").first { $0.contains("/join#") } ?? "")
  }

  /// Runs curl; the answer's body, and the status on a line of its own.
  func curl(_ words: [String], input: [UInt8] = []) throws -> (body: String, status: String) {
    let outcome = try Spawn(
      "/usr/bin/curl", ["-sk", "--max-time", "180", "-w", "\n%{http_code}"] + words,
      environment: ["PATH": "/usr/bin:/bin"], input: input
    ).finish()
    let lines = outcome.text.split(separator: "\n", omittingEmptySubsequences: false)
    return (lines.dropLast().joined(separator: "\n"), String(lines.last ?? ""))
  }

  @discardableResult
  func upload(_ path: String, _ text: String, token: String, mode: String = "overwrite") throws -> (
    body: String, status: String
  ) {
    let argument = String(
      decoding: try JSONSerialization.data(withJSONObject: ["path": path, "mode": mode]), as: UTF8.self)
    return try curl(
      [
        "-H", "Authorization: Bearer \(token)", "-H", "Content-Type: application/octet-stream", "-H",
        "Dropbox-API-Arg: \(argument)", "--data-binary", "@-", "http://127.0.0.1:\(port)/2/files/upload",
      ], input: Array(text.utf8))
  }

  /// Writes a config of the home with a club `lab` at this server, and returns the variables that sign a member in.
  func configure(token: String, folder: String = "/", chunk: Int = 8) throws -> [String: String] {
    let config =
      #"{"club":"lab","clubs":{"lab":{"store":"dropbox","server":"http://127.0.0.1:\#(port)","folder":"\#(folder)"}},"#
      + #""transfers":{"chunkMebibytes":\#(chunk)}}"#
    try home.write(config.utf8, to: ".config/byteclub/config.json")
    return ["BYTECLUB_TOKEN": token]
  }
}
