import Foundation
import POSIX
import TestKit
import TextUI

/// `byteclub serve` for one club, in a process of its own, which can be ended and be back at the same address.
final class ClubServer {
  /// The folder that it serves.
  let root: String
  /// Where it is; the same after it was back.
  var port: String { "\(held.number)" }
  var address: String { "http://127.0.0.1:\(port)" }

  private let held: HeldPort
  private let home: MemberHome
  private let chaos: String?
  /// More options of `byteclub serve`.
  private let options: [String]
  private var process: PtySession?

  /// Starts it over a folder of the home, which is made.
  init(_ home: MemberHome, folder: String, chaos: String? = nil, options: [String] = []) throws {
    (self.home, self.chaos, self.options) = (home, chaos, options)
    held = try HeldPort()
    root = home.path + "/" + folder
    try FileManager.default.createDirectory(atPath: root + "/photos", withIntermediateDirectories: true)
    try start()
  }

  deinit { process?.signal(SIGKILL) }

  /// Starts it; at its old place when it had one.
  func start() throws {
    let misbehaving = chaos.map { ["--chaos", $0, "--seed", "3"] } ?? []
    let server = try PtySession(
      MemberHome.binary(),
      ["serve", "--root", root, "--listen", "127.0.0.1:\(port)"] + misbehaving + options,
      size: Size(200, 24), environment: home.environment(), workingDirectory: home.path)
    try server.servedPort()
    process = server
  }

  /// Ends it as a crash does.
  func crash() throws {
    process?.signal(SIGKILL)
    _ = try process?.waitExit(timeout: .patient)
    process = nil
  }

  /// The routes of all requests that it has answered since it was started.
  var requests: [String] { ServedClub.requests(in: String(decoding: process?.rawBytes ?? [], as: UTF8.self)) }

  /// Waits until it has answered so.
  func waitForRequests(_ goal: String, until isReached: ([String]) -> Bool) throws {
    try process?.waitForOutput(goal, timeout: .patient) {
      isReached(ServedClub.requests(in: String(decoding: $0, as: UTF8.self)))
    }
  }

  /// Lets a member in.
  /// - Returns: the access token.
  func admit(_ name: String) throws -> String { try manage("add", name) }

  /// Lets a member in no more.
  func dismiss(_ name: String) throws { _ = try manage("rm", name) }

  private func manage(_ verb: String, _ name: String) throws -> String {
    var variables = PtySession.basicEnvironment
    for (name, value) in home.environment() { variables[name] = value.isEmpty ? nil : value }
    let outcome = try Spawn(
      MemberHome.binary(), ["serve", "member", verb, name, "--root", root], environment: variables
    ).finish()
    guard outcome.status == 0 else { throw MemberHome.Missing(description: outcome.said) }
    return outcome.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
