import Backends
import Basics
import FileStores
import Screens
import Synchronization
import TestKit
import Testing

@testable import byteclub

/// Joining inside the app, against a server that a test plays.
struct AppJoinTests {
  private static let code = JoinScene.code
  private static let list = #"{"entries":[],"cursor":"c","has_more":false}"#

  /// A server that lets everybody in; the member's account can change.
  private func door(account: @escaping @Sendable () -> String = { "dbid:ann" }) throws -> AppScene {
    try AppScene(nil) { request, _, _ in
      switch request {
      case "POST /2/byteclub/join":
        let account = account()
        return (
          200,
          #"{"access_token":"token-of-\#(account.dropFirst(5))","account_id":"\#(account)","member":"ann","#
            + #""club":"Garage","read_only":false}"#
        )
      case "POST /2/byteclub/device_code": return (200, #"{"code":"ZyXwVuTsRqPoNmLkJiHg01","expires":600}"#)
      case "POST /2/users/get_current_account":
        return (200, #"{"account_id":"dbid:ann","name":{"display_name":"ann"},"email":null}"#)
      case "POST /2/files/list_folder": return (200, Self.list)
      default: return (409, #"{"error_summary":"not_found/..","error":{".tag":"not_found"}}"#)
      }
    }
  }

  private func join(
    _ scene: AppScene, form: @escaping @Sendable (String) -> PlaceForm? = { _ in nil }
  ) -> AppJoin {
    AppJoin(StartOptions(), scene.environment, log: nil, pool: BlockingPool()) { (line) throws(StoreError) in
      form(line)
    }
  }

  private func line(_ scene: AppScene) -> String { "\(scene.server.url)/join#\(Self.code)" }

  @Test func `an invitation becomes a club, and the next device gets a line`() async throws {
    let scene = try door()
    let join = join(scene)
    guard case .joined(let club, let said) = try await join.join(line(scene), agreed: false) else {
      Issue.record("a question")
      return
    }
    #expect(club == "garage" && said.hasPrefix("You are ann in the club \"Garage\""), "\(said)")
    #expect(!(said + "\(scene.requests)").contains(Self.code))
    let next = try await join.deviceLine("garage")
    #expect(next.line == "\(scene.server.url)/join#ZyXwVuTsRqPoNmLkJiHg01")
    #expect(next.sentences.first?.contains("within ten minutes") == true)
  }

  @Test func `a change is asked about, and the member's yes is to that question alone`() async throws {
    let accounts = Mutex(["dbid:ann", "dbid:bea", "dbid:cat"])
    let scene = try door { accounts.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
    let join = join(scene)
    _ = try await JoinFlow(StartOptions(), scene.environment, pool: BlockingPool()).run(line(scene), name: nil)
    func question(agreed: Bool) async throws -> String? {
      if case .question(let text) = try await join.join(line(scene), agreed: agreed) { text } else { nil }
    }
    // Nobody was asked yet.
    let first = try await question(agreed: true)
    #expect(first?.contains("as another member") == true && first?.contains("answer no") == false, "\(first ?? "")")
    #expect(first?.contains("byteclub join LINE --name NAME") == true)
    #expect(try await question(agreed: true) == nil)
    #expect(scene.secrets.contains("token-of-cat"))
  }

  @Test func `a line that names a place becomes its form, and asks no server`() async throws {
    let scene = try door()
    let form = PlaceForm(kind: "webdav", title: "t", about: "a", fields: [])
    let answer = try await join(scene, form: { $0 == "place" ? form : nil }).join("place", agreed: false)
    guard case .form(form) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(scene.requests.isEmpty)
    let error = await #expect(throws: StoreError.self) { try await join(scene).join("hello", agreed: false) }
    #expect(error?.kind == .badInput && scene.requests.isEmpty)
  }

  @Test func `a fault of the config is said as it is`() async throws {
    let scene = try AppScene(#"{"store":"floppy"}"#) { _, _, _ in (500, "") }
    let error = await #expect(throws: StoreError.self) { try await join(scene).deviceLine("lab") }
    #expect(error?.kind == .badInput && error?.message.contains("floppy") == true)
  }
}
