import Accounts
import Backends
import Basics
import Database
import FileStores
import Foundation
import Synchronization
import TestKit

@testable import byteclub

/// A member who joins clubs at scripted servers, with a home of their own.
final class JoinScene: Sendable {
  static let code = "AbCdEfGhIjKlMnOpQrSt-_"
  static let pin = String(repeating: "A", count: 43)

  let home: DropInTests.Home
  let transport: ScriptedTransport
  let pool = BlockingPool()
  private let asked = Mutex<[String]>([])
  private let routes = Mutex<[HTTPOptions]>([])

  /// - Parameter script: the servers' answers in their order.
  init(_ script: [ScriptedTransport.Answer], config: String? = nil) throws {
    home = try DropInTests.Home(config)
    transport = ScriptedTransport(script)
  }

  static func answer(account: String = "dbid:ann", member: String = "ann", club: String = "Garage")
    -> ScriptedTransport.Answer
  {
    .text(
      200,
      #"{"access_token":"token-of-\#(member)","account_id":"\#(account)","member":"\#(member)","#
        + #""club":"\#(club)","read_only":false}"#
    )
  }

  static func line(_ origin: String = "https://club.example", pin: String? = nil) -> String {
    "\(origin)/join#\(code)" + (pin.map { ".\($0)" } ?? "")
  }

  /// The header fields of the settings that each join sent along.
  var headers: [HTTPHeaders] { routes.withLock { $0.map(\.headers) } }
  /// The questions so far.
  var questions: [String] { asked.withLock { $0 } }

  /// - Parameter saying: the member's answer to each question; nil if nobody can be asked.
  /// - Parameter yes: `--yes`.
  @discardableResult
  func join(
    _ line: String = JoinScene.line(), name: String? = nil, saying: Bool? = true, yes: Bool = false
  ) async throws -> JoinFlow.Done {
    let report = try home.report()
    _ = try report.checked()
    var agrees: (@Sendable (String) async throws(StoreError) -> Bool)?
    if let saying {
      agrees = { (question) async throws(StoreError) in
        self.asked.withLock { $0.append(question) }
        return saying
      }
    }
    let flow = JoinFlow(
      paths: home.paths, report: report, pool: pool, log: ActivityLog(file: home.paths.logFile, isDetailed: true),
      transport: { options in
        self.routes.withLock { $0.append(options) }
        return self.transport
      }, now: { 7 }, machine: "laptop",
      agrees: agrees, isAgreed: yes)
    return try await flow.run(line, name: name)
  }

  /// The account whose token the club has here.
  func account(of club: String) throws -> String? {
    let kind = try StoreRegistry.standard.kind(StoreRegistry.standard.served(at: "https://club.example").kind)
    guard let known = KnownClub(club, try home.report(), kind, home.paths) else { return nil }
    return try TokenFile(directory: home.paths.tokensDirectory, account: known.account).read()?.accountID
  }

  func text(_ path: String) -> String? {
    FileManager.default.contents(atPath: path).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The random values that were sent.
  var devices: [String] {
    transport.recorded.map { sent in
      String(sent.text.split(separator: "\"device\":\"").last?.prefix { $0 != "\"" } ?? "")
    }
  }

  /// The values that are kept for a lost answer.
  var pending: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: home.paths.joinsDirectory)) ?? []).filter {
      $0.hasSuffix(".json")
    }
  }
}
