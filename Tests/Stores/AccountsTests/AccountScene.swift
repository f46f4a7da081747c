import Backends
import Basics
import FileStores
import Synchronization
import TestKit

@testable import Accounts

/// A member's machine: a folder for sign-ins, a clock, and a service that a test plays.
final class Scene: Sendable {
  static let start: Int64 = 1_780_000_000
  static let secrets = ["first-access", "first-refresh", "second-access", "second-refresh"]

  let folder: TemporaryFolder
  let account: Account
  let transport: ScriptedTransport
  let clock = ManualClock(advancesOnSleep: true)
  private let time = Mutex(Scene.start)
  private let pool = BlockingPool(threads: 4)

  var directory: String { folder.path + "/data/byteclub/tokens" }
  var file: TokenFile { TokenFile(directory: directory, account: account) }
  /// Seconds since 1970.
  var now: Int64 { time.withLock { $0 } }

  init(_ transport: ScriptedTransport, server: String = "https://club.example:8443") throws {
    folder = try TemporaryFolder()
    account = try Account(club: "lab", service: AccountService(server: server), appKey: nil)
    self.transport = transport
  }

  convenience init(_ script: ScriptedTransport.Answer...) throws { try self.init(ScriptedTransport(script)) }

  func pass(_ seconds: Int64) { time.withLock { $0 += seconds } }

  /// What one process has.
  func tokens(_ source: TokenSource = .file) -> AccountTokens {
    AccountTokens(
      account, source: source, directory: directory, transport: transport, pool: pool, now: { self.now }, clock: clock)
  }

  /// Signs in, as long ago as the clock says.
  func signIn(life: Int64? = 14_400, refresh: String? = "first-refresh") throws {
    try file.write(
      Grant(
        accessToken: "first-access", refreshToken: refresh, obtained: now, expires: life.map { now + $0 },
        accountID: nil))
  }

  func onPool<Value: Sendable>(_ body: @escaping @Sendable (BlockingPool) async throws -> Value) async throws -> Value {
    try await body(pool)
  }

  /// An answer that renews.
  static func renewal(_ access: String = "second-access", refresh: String? = nil) -> ScriptedTransport.Answer {
    let more = refresh.map { #","refresh_token":"\#($0)""# } ?? ""
    return .text(200, #"{"access_token":"\#(access)","token_type":"bearer","expires_in":14400\#(more)}"#)
  }
}
