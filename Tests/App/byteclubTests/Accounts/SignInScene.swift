import Accounts
import Backends
import Basics
import FileStores
import Foundation
import Synchronization
import TestKit

@testable import byteclub

/// A member at a terminal, a service, and what has been said and printed.
final class SignInScene: Sendable {
  static let grant = ScriptedTransport.Answer.text(
    200, #"{"access_token":"the-access","token_type":"bearer","expires_in":14400,"refresh_token":"the-refresh"}"#)
  static let profile = ScriptedTransport.Answer.text(
    200, #"{"account_id":"dbid:1","name":{"display_name":"Ray W"},"email":"ray@example.com"}"#)

  let folder: URL
  let transport: ScriptedTransport
  let account: Account
  let output: Output
  let pool = BlockingPool()
  private let opened = Mutex<[String]>([])
  private let typed = Mutex<[String]>([])
  private let descriptors: (results: Int32, notices: Int32)

  init(_ script: [ScriptedTransport.Answer], typing: [String] = [], account: Account? = nil) throws {
    let place = URL(filePath: TemporaryFolder.newPath())
    folder = place
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
    transport = ScriptedTransport(script)
    self.account =
      try account
      ?? Account(club: "lab", service: AccountService(server: "https://club.example:8443"), appKey: nil)
    typed.withLock { $0 = typing }
    let files = ["results", "notices"].map { name in
      open(place.appending(path: name).path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    }
    descriptors = (files[0], files[1])
    output = Output(results: descriptors.results, notices: descriptors.notices)
  }

  deinit {
    close(descriptors.results)
    close(descriptors.notices)
    try? FileManager.default.removeItem(at: folder)
  }

  /// What stood on standard error.
  var said: String { (try? String(contentsOf: folder.appending(path: "notices"), encoding: .utf8)) ?? "" }
  /// What the service was sent first.
  var sent: String { transport.recorded.first?.text ?? "" }
  /// The addresses that the browser got.
  var addresses: [String] { opened.withLock { $0 } }
  /// Everything that is on disk below the folder for tokens.
  var kept: TokenFile { TokenFile(directory: folder.path + "/tokens", account: account) }

  /// The account; a source other than the file is of the club's config or the environment.
  func club(_ source: TokenSource = .file) -> ClubAccount {
    ClubAccount(
      tokens: AccountTokens(
        account, source: source, directory: folder.path + "/tokens", transport: transport, pool: pool,
        now: { 1_780_000_000 }),
      transport: transport)
  }

  /// Signs in; `browser` is what the member's browser does with an address, nil when there is none.
  func login(
    _ source: TokenSource = .file, inBrowser: Bool = false, mayPaste: Bool = true,
    browser: (@Sendable (String) -> Void)? = nil
  ) async throws(StoreError) -> Answer {
    let flow = LoginFlow(
      club: club(source), pool: pool, output: output, now: { 1_780_000_000 },
      readLine: { _ in self.typed.withLock { $0.isEmpty ? nil : $0.removeFirst() } },
      open: { address in
        self.opened.withLock { $0.append(address) }
        browser?(address)
        return browser != nil
      }, clock: ManualClock(advancesOnSleep: true))
    return try await flow.run(inBrowser: inBrowser, mayPaste: mayPaste)
  }
}
