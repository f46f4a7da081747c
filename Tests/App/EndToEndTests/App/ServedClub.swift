import FileStores
import Foundation
import TestKit
import TextUI

@testable import Accounts

/// A club that `byteclub-serve` keeps, in a process of its own, and a member's home whose config names it `lab`.
final class ServedClub {
  let home: MemberHome
  /// Host and port of the server.
  let address: String
  private let server: PtySession

  /// Starts the server; its club has these notes.
  init(notes: [String: String]) throws {
    home = try MemberHome(hasClub: false)
    try FileManager.default.createDirectory(atPath: home.path + "/served", withIntermediateDirectories: true)
    for (name, text) in notes { try home.write(text, to: "served/club/\(name)") }
    server = try PtySession(
      ServedClub.program(), ["--root", home.path + "/served", "--listen", "127.0.0.1:0"], size: Size(200, 80),
      environment: home.environment(), workingDirectory: home.path)
    address = try "127.0.0.1:\(server.servedPort())"
  }

  deinit {
    server.signal(SIGTERM)
    _ = try? server.waitExit(timeout: .patient)
  }

  private static func program() throws -> String {
    (try MemberHome.binary() as NSString).deletingLastPathComponent + "/byteclub-serve"
  }

  /// Writes the member's config.
  func configure(server: String? = nil, network: String = "{}") throws {
    let server = server ?? "http://\(address)"
    try home.write(
      #"{"clubs":{"lab":{"store":"dropbox","server":"\#(server)","folder":"/club"}},"network":\#(network)}"#,
      to: ".config/byteclub/config.json")
  }

  /// Lets a member in, who is then signed in at the home.
  func signIn(_ name: String, server: String? = nil) throws {
    let token = try manage("add", name)
    let account = try Account(
      club: "lab", service: AccountService(server: server ?? "http://\(address)", allowingPlain: true), appKey: nil)
    try TokenFile(directory: home.path + "/.local/share/byteclub/tokens", account: account).write(
      Grant(accessToken: token, refreshToken: nil, obtained: 1_780_000_000, expires: nil, accountID: nil))
  }

  /// Runs a verb of byteclub at the home.
  func run(_ arguments: String...) throws -> Spawn.Outcome { try spawn(MemberHome.binary(), arguments) }

  /// The routes of the requests that the server has answered, as the last lines of its log have them.
  var requests: [String] { ServedClub.requests(in: server.screen.text) }

  /// Waits until the server has answered so.
  func waitForRequests(_ goal: String, until isReached: ([String]) -> Bool) throws {
    try server.wait(goal, timeout: .patient) { isReached(ServedClub.requests(in: $0.text)) }
  }

  /// The routes in the lines of a server's log.
  static func requests(in log: String) -> [String] {
    log.split(whereSeparator: \.isNewline).compactMap { line in
      let words = line.split(separator: " ")
      guard let verb = words.firstIndex(where: { $0 == "POST" || $0 == "GET" }), words.count > verb + 1 else {
        return nil
      }
      return String(words[verb + 1])
    }
  }

  /// Removes a member.
  func remove(_ name: String) throws { _ = try manage("rm", name) }

  private func manage(_ verb: String, _ name: String) throws -> String {
    let outcome = try spawn(ServedClub.program(), ["member", verb, name, "--root", home.path + "/served"])
    guard outcome.status == 0 else { throw MemberHome.Missing(description: outcome.said) }
    return outcome.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  private func spawn(_ program: String, _ arguments: [String]) throws -> Spawn.Outcome {
    var variables = PtySession.basicEnvironment
    for (name, value) in home.environment() { variables[name] = value.isEmpty ? nil : value }
    return try Spawn(program, arguments, environment: variables).finish()
  }
}
