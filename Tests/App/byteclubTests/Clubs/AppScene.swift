import Accounts
import Backends
import Basics
import FileStores
import Foundation
import Synchronization
import TestKit

@testable import byteclub

/// A member's home with a club `lab` at a server that a test plays, on a socket of this machine.
final class AppScene: Sendable {
  let home: DropInTests.Home
  let server: RawServer
  private let variables: [String: String]
  private let log: Log

  private final class Log: Sendable {
    let requests = Mutex<[String]>([])
  }

  /// - Parameter club: the settings of the club, with SERVER in the place of the server's address; nil for no club.
  /// - Parameter answer: by the request's verb and path, its body and its `Authorization`.
  init(
    _ club: String?, variables: [String: String] = [:],
    answer: @escaping @Sendable (_ request: String, _ body: String, _ authorization: String) -> (Int, String)
  ) throws {
    let log = Log()
    self.log = log
    self.variables = variables
    let server = try RawServer.answering { request in
      let name = "\(request.method) \(request.target.prefix { $0 != "?" })"
      log.requests.withLock { $0.append(name) }
      let (status, body) = answer(
        name, String(decoding: request.body, as: UTF8.self), request.headers["Authorization"] ?? "")
      let type = body.hasPrefix("<") ? "application/xml" : "application/json"
      return RawAnswer(status, headers: ["Content-Type": type], body: Array(body.utf8))
    }
    self.server = server
    let config = club.map { #"{"club":"lab","clubs":{"lab":\#($0.replacing("SERVER", with: server.url))}}"# }
    home = try DropInTests.Home(config)
  }

  deinit { server.stop() }

  /// Verbs and paths of all requests.
  var requests: [String] { log.requests.withLock { $0 } }

  var environment: Environment {
    Environment(variables.merging(["HOME": home.folder.path]) { $1 })
  }

  func signIn(open: (@Sendable (String, BlockingPool) async -> Bool)? = nil) -> AppSignIn {
    let environment = environment
    return AppSignIn(
      setup: { (club) throws(StoreError) in
        do {
          return try ClubSetup(StartOptions(club: club), environment: environment)
        } catch {
          throw StoreError(.badInput, "\(error)")
        }
      }, open: open)
  }

  /// All files of passwords and tokens, as one text.
  var secrets: String {
    let directory = home.paths.tokensDirectory
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.sorted().compactMap { FileManager.default.contents(atPath: "\(directory)/\($0)") }
      .map { String(decoding: $0, as: UTF8.self) }.joined()
  }
}
