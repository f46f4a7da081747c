import Foundation
import TestKit
import Testing

/// Tokens of members and what an owner sees of their use, by the server's commands.
@Suite(.serialized, .enabled(if: CommandLineHome.binary != nil)) struct MemberTokenTests {
  private func account(_ server: RunningServer, _ token: String) throws -> (id: String, status: String) {
    let answer = try server.curl([
      "-X", "POST", "-H", "Authorization: Bearer \(token)",
      "http://127.0.0.1:\(server.port)/2/users/get_current_account",
    ])
    let json = try JSONSerialization.jsonObject(with: Data(answer.body.utf8)) as? [String: Any]
    return (json?["account_id"] as? String ?? "", answer.status)
  }

  private func token(_ outcome: Spawn.Outcome) -> String {
    outcome.text.trimmingCharacters(in: .whitespacesAndNewlines)
  }

  @Test func `a new token keeps account and quota, and ends those that were printed before`() throws {
    let server = try RunningServer(in: try CommandLineHome())
    let old = try server.admit("ann")
    #expect(try server.manage("member", "quota", "ann", "5K").status == 0)
    let id = try account(server, old).id
    let made = try server.manage("member", "token", "ann", "--new")
    #expect(made.status == 0 && made.said == "", "\(made)")
    #expect(try account(server, token(made)) == (id, "200"))
    #expect(try account(server, old).status == "401")
    #expect(try server.manage("member", "ls").text.hasPrefix("ann  quota 5K"))
    let again = token(try server.manage("member", "token", "ann", "--new", "--old-for", "1d"))
    #expect(try [token(made), again].map { try account(server, $0).status } == ["200", "200"])
    let bare = try server.manage("member", "token", "ann")
    #expect(bare.status == 2 && bare.said.contains("For a new one add --new."), "\(bare.said)")
    #expect(try server.manage("member", "token", "nobody", "--new").status == 4)
  }

  @Test func `a device that joined by a line keeps its token when the printed ones are renewed`() throws {
    let server = try RunningServer(in: try CommandLineHome())
    let line = try server.invitation("ann")
    let code = try #require(line.split(separator: "#").last)
    let joined = try server.curl(
      [
        "-H", "Content-Type: application/json", "--data-binary", "@-",
        "http://127.0.0.1:\(server.port)/2/byteclub/join",
      ], input: Array(#"{"code":"\#(code)","device":"AAAAAAAAAAAAAAAAAAAAAA"}"#.utf8))
    let json = try JSONSerialization.jsonObject(with: Data(joined.body.utf8)) as? [String: Any]
    let device = try #require(json?["access_token"] as? String)
    #expect(try server.manage("member", "token", "ann", "--new").status == 0)
    #expect(try account(server, device).status == "200")
  }

  @Test func `a code for a device that an ended token asked for ends with it`() throws {
    let server = try RunningServer(in: try CommandLineHome())
    let old = try server.admit("ann")
    let asked = try server.curl([
      "-X", "POST", "-H", "Authorization: Bearer \(old)",
      "http://127.0.0.1:\(server.port)/2/byteclub/device_code",
    ])
    let json = try JSONSerialization.jsonObject(with: Data(asked.body.utf8)) as? [String: Any]
    let code = try #require(json?["code"] as? String, "\(asked)")
    #expect(try server.manage("member", "token", "ann", "--new").status == 0)
    let joined = try server.curl(
      [
        "-H", "Content-Type: application/json", "--data-binary", "@-",
        "http://127.0.0.1:\(server.port)/2/byteclub/join",
      ], input: Array(#"{"code":"\#(code)","device":"BBBBBBBBBBBBBBBBBBBBBB"}"#.utf8))
    #expect(!joined.body.contains("access_token"), "\(joined)")
  }

  @Test func `the list of members has the space of their files and when they last came`() throws {
    let home = try CommandLineHome()
    let server = try RunningServer(in: home)
    let ann = try server.admit("ann")
    _ = try server.admit("ben")
    #expect(try server.upload("/a", String(repeating: "x", count: 2048), token: ann).status == "200")
    // The uses are written when the server stops, at the latest.
    #expect(try server.finish().status == 0)
    let lines = try server.manage("member", "ls").text.split(separator: "\n")
    #expect(lines.count == 2 && lines[1] == "ben")
    #expect(lines[0].hasPrefix("ann  2.0 KiB  seen 20"), "\(lines)")
    let json = try server.manage("member", "ls", "--json").text
    #expect(json.contains(#"{"name":"ann","usedBytes":2048,"lastSeen":"20"#), "\(json)")
  }
}
