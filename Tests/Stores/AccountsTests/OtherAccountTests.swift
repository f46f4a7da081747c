import Backends
import FileStores
import TestKit
import Testing

@testable import Accounts

/// A process keeps the account that it began with: what it sends belongs to that one.
struct OtherAccountTests {
  private static func grant(_ account: String, at now: Int64) -> Grant {
    Grant(accessToken: "\(account)-access", refreshToken: nil, obtained: now, expires: nil, accountID: account)
  }

  @Test func `a sign-in of another account meanwhile is not used by this process, and is by the next`() async throws {
    let scene = try Scene()
    try scene.file.write(Self.grant("ann", at: scene.now))
    let tokens = scene.tokens()
    #expect(await tokens.keptAccountID() == "ann")
    #expect(try await tokens.token(refusing: nil) == "ann-access")
    try scene.file.write(Self.grant("eve", at: scene.now))
    do throws(StoreError) {
      _ = try await tokens.token(refusing: "ann-access")
      Issue.record("Ann's process got Eve's token.")
    } catch {
      #expect(error.kind == .notSignedIn && error.message.contains("Another account"))
    }
    let next = scene.tokens()
    #expect(try await next.token(refusing: nil) == "eve-access")
    #expect(await next.keptAccountID() == "eve")
  }

  @Test func `signing in within the process changes its account`() async throws {
    let scene = try Scene()
    try scene.file.write(Self.grant("ann", at: scene.now))
    let tokens = scene.tokens()
    _ = try await tokens.token(refusing: nil)
    try await tokens.keep(Self.grant("eve", at: scene.now))
    #expect(try await tokens.token(refusing: nil) == "eve-access")
  }

  @Test(arguments: ["ann", "eve"])
  func `a new token of the program is used only if it is of the same account`(account: String) async throws {
    let scene = try Scene(
      .text(200, #"{"account_id":"\#(account)","name":{"display_name":"A Member"}}"#))
    let tokens = scene.tokens(.command(["/bin/echo", "printed"]))
    await tokens.bind(to: "ann")
    do throws(StoreError) {
      #expect(try await tokens.token(refusing: "an-earlier-token") == "printed")
      #expect(account == "ann")
    } catch {
      #expect(account == "eve" && error.kind == .notSignedIn)
    }
  }
}
