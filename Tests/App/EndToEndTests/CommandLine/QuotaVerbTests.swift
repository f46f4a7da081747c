import Foundation
import TestKit
import Testing

/// Quotas and limits of unfinished uploads, as an owner sets them and as a member's program tells of them.
@Suite(.serialized, .enabled(if: CommandLineHome.binary != nil)) struct QuotaVerbTests {
  @Test func `a save into a club that is full ends with 7 and a sentence, and the text is kept`() throws {
    let home = try CommandLineHome()
    let server = try RunningServer(["--quota", "20K"], in: home)
    let member = try server.configure(token: try server.admit("ann"))
    func run(_ words: String..., input: String = "") throws -> Spawn.Outcome {
      try home.start(words, input: Array(input.utf8), member).finish()
    }
    #expect(try run("note", "put", "a.md", input: String(repeating: "a", count: 15_000)).status == 0)
    let refused = try run("note", "put", "b.md", "--json", input: String(repeating: "b", count: 6_000))
    #expect(refused.status == 7)
    let json = try #require(try JSONSerialization.jsonObject(with: Data(refused.output)) as? [String: Any])
    let error = try #require(json["error"] as? [String: Any])
    #expect(error["kind"] as? String == "quota")
    #expect((error["message"] as? String)?.contains("has no space left for \"b.md\".") == true, "\(error)")
    let photo = home.path + "/photo.jpg"
    try home.write(Pictures.jpeg + [UInt8](repeating: 1, count: 30_000), to: "photo.jpg")
    let upload = try run("photo", "put", photo)
    #expect(upload.status == 7 && upload.said.contains("has no space left"), "\(upload.said)")
    #expect(home.read("club/b.md") == nil && home.files(ending: "photo.jpg").count == 1)
    #expect(try run("note", "put", "small.md", input: "small").status == 0)
  }

  @Test func `an owner sets, lists and ends a member's quota, and mistakes end with a sentence`() throws {
    let home = try CommandLineHome()
    let server = try RunningServer(in: home)
    let token = try server.admit("ann")
    _ = try server.admit("ben")
    let set = try server.manage("member", "quota", "ann", "5K")
    #expect(set.status == 0 && set.said == "Files of \"ann\" may have 5K bytes.\n")
    #expect(try server.manage("member", "ls").text == "ann  quota 5K\nben\n")
    #expect(try server.manage("member", "ls", "--json").text.contains(#"{"name":"ann","quota":5120,"usedBytes":0}"#))
    #expect(
      try server.upload("/a", String(repeating: "x", count: 5121), token: token).body.contains("insufficient_space"))
    let usage = try server.curl([
      "-X", "POST", "-H", "Authorization: Bearer \(token)", "http://127.0.0.1:\(server.port)/2/users/get_space_usage",
    ]).body
    #expect(usage.contains("\"allocated\": 5120"))
    #expect(try server.manage("member", "quota", "ann", "none").said == "Files of \"ann\" may have any size.\n")
    #expect(try server.upload("/a", String(repeating: "x", count: 5121), token: token).status == "200")
    #expect(try server.manage("member", "quota", "nobody", "5K").status == 4)
    for size in ["x", "5X", "-1", "", "99999999T"] {
      let wrong = try server.manage("member", "quota", "ann", size)
      #expect(wrong.status == 2, "\(size): \(wrong.said)")
    }
    let unknown = try home.run("serve", "--root", home.path + "/club", "--quota", "shed=1G")
    #expect(unknown.status == 2 && unknown.said.contains("no --club-root has that name"))
  }

  @Test func `too many unfinished uploads, or too many bytes of them, are refused by the API's words`() throws {
    let home = try CommandLineHome()
    let server = try RunningServer(["--uploads", "2", "--uploads-total", "1"], in: home)
    let token = try server.admit("ann")
    func session(_ route: String, _ argument: String, _ bytes: Int) throws -> (body: String, status: String) {
      try server.curl(
        [
          "-H", "Authorization: Bearer \(token)", "-H", "Content-Type: application/octet-stream", "-H",
          "Dropbox-API-Arg: \(argument)", "--data-binary", "@-",
          "http://127.0.0.1:\(server.port)/2/files/upload_session/\(route)",
        ], input: [UInt8](repeating: 1, count: bytes))
    }
    let first = try session("start", "{}", 600_000)
    #expect(first.status == "200")
    let id = String(first.body.split(separator: "\"").dropFirst(3).first ?? "")
    let large = try session("append_v2", #"{"cursor":{"session_id":"\#(id)","offset":600000}}"#, 600_000)
    #expect(large.status == "409" && large.body.contains("too_large"), "\(large)")
    // A refused beginning leaves nothing that counts.
    let refused = try session("start", "{}", 600_000)
    #expect(refused.status == "409" && refused.body.contains("payload_too_large"), "\(refused)")
    let old = try server.curl(
      [
        "-T", "-", "-H", "Authorization: Bearer \(token)", "-H", "Expect:",
        "http://127.0.0.1:\(server.port)/1/chunked_upload",
      ], input: [UInt8](repeating: 1, count: 600_000))
    #expect(old.status == "413" && old.body.contains("unfinished uploads"), "\(old)")
    #expect(try session("start", "{}", 0).status == "200")
    let third = try session("start", "{}", 0)
    #expect(third.status == "429" && third.body.contains("too_many_requests"), "\(third)")
    // The uploads that fitted are still good.
    let more = try session("append_v2", #"{"cursor":{"session_id":"\#(id)","offset":600000}}"#, 1000)
    #expect(more.status == "200", "\(more)")
  }

  @Test func `a photo that is larger than unfinished uploads may be ends with a sentence, not with retries`() throws {
    let home = try CommandLineHome()
    let server = try RunningServer(["--uploads-total", "2"], in: home)
    let member = try server.configure(token: try server.admit("ann"), chunk: 1)
    try home.write(Pictures.jpeg + [UInt8](repeating: 31, count: 9_000_000), to: "large.jpg")
    let outcome = try home.start(["photo", "put", home.path + "/large.jpg"], member).finish()
    #expect(outcome.status == 1)
    #expect(
      outcome.said.hasPrefix("byteclub: The upload is larger than http://127.0.0.1:\(server.port) takes, or "),
      "\(outcome.said)")
    #expect(home.files(ending: "large.jpg") == ["large.jpg"])
  }
}
