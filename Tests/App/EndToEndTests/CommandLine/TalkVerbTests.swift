import Foundation
import TestKit
import Testing

/// `byteclub talk`, by the real program.
@Suite(.enabled(if: CommandLineHome.binary != nil)) struct TalkVerbTests {
  private func home() throws -> CommandLineHome {
    let home = try CommandLineHome()
    try home.write(Array("over the sand\n".utf8), to: "ByteClub/Walk.md")
    try home.write(Array("no picture\n".utf8), to: "ByteClub/photos/pier.jpg")
    return home
  }

  @Test func `a remark is added, listed, answered, agreed with, corrected and withdrawn`() throws {
    let home = try home()
    let added = try home.run("talk", "add", "Walk", "Low tide oly.", "--on", "the sand")
    #expect(added.status == 0 && added.said == "Added to \"Walk.md.talk.md\".\n", "\(added.said)")
    let id = added.text.trimmingCharacters(in: .newlines)
    #expect(id.count == 8)
    #expect(try home.run("talk", "reply", "Walk", id, "At half tide, too.").status == 0)
    // Without the name.
    #expect(try home.run("talk", "reply", id, "+1").status == 0)
    #expect(try home.run("talk", "fix", id, "Low tide only.").status == 0)
    let list = try home.run("talk", "ls", "Walk")
    let lines = list.text.split(separator: "\n")
    #expect(list.status == 0 && lines.count == 4, "\(list.text)")
    #expect(lines[0].hasPrefix("\(id)  20") && lines[0].contains("on \"the sand\"") && lines[0].contains("+1 "))
    #expect(lines[1] == "  Low tide only.")
    #expect(lines[2].hasPrefix("  ") && lines[3] == "    At half tide, too.")
    #expect(try home.run("talk", "rm", "Walk", id).status == 0)
    #expect(try home.run("talk", "ls", "Walk").text.contains("  (withdrawn)\n"))
    #expect(try home.run("note", "ls").text == "Walk.md\n")
  }

  @Test func `a remark in a direction of a photo has its place in JSON`() throws {
    let home = try home()
    let added = try home.run("talk", "add", "pier.jpg", "The vice.", "--at", "-132,-8.5", "--json")
    #expect(added.status == 0, "\(added.said)")
    #expect(added.text.contains(#""place":{"yaw":-132.0,"pitch":-8.5}"#), "\(added.text)")
    let listed = try home.run("talk", "ls", "photos/pier.jpg", "--json")
    #expect(listed.text.contains(#""text":"The vice.","place":{"yaw":-132.0,"pitch":-8.5}"#), "\(listed.text)")
    #expect(listed.text.contains(#""agreed":[],"isCorrected":false,"isWithdrawn":false"#), "\(listed.text)")
    #expect(try home.run("photo", "mv", "pier.jpg", "quay.jpg").status == 0)
    #expect(try home.run("talk", "ls", "quay.jpg").text.contains("The vice."))
  }

  @Test func `a remark from a pipe on what is not there is a draft`() throws {
    let home = try home()
    let refused = try home.run("talk", "add", "Gone", input: "all my words\n")
    #expect(refused.status == 4 && refused.said.contains("is a draft on this machine"), "\(refused.said)")
    #expect(try home.run("draft", "ls").text.contains("Remark on Gone.md"))
    let added = try home.run("talk", "add", "Walk", input: "words\n")
    #expect(added.status == 0)
    #expect(try home.run("draft", "ls").text.contains("Remark on Walk") == false)
  }

  @Test func `remarks on what is gone are listed, and joined to another note`() throws {
    let home = try home()
    #expect(try home.run("talk", "add", "pier.jpg", "The vice.").status == 0)
    #expect(try home.run("talk", "add", "Walk", "Low tide only.").status == 0)
    try home.write(
      Array("# Remarks on Old.md\n\n- **eve** 2026-11-26 18:04Z eeeeeeee: hers\n".utf8), to: "ByteClub/Old.md.talk.md")
    let listed = try home.run("talk", "ls")
    #expect(listed.text == "Old.md  1  gone\nWalk.md  1\nphotos/pier.jpg  1\n", "\(listed.text)")
    #expect(listed.said.contains("byteclub talk join"))
    let json = try home.run("talk", "ls", "--json").text
    #expect(json.contains(#""path":"Old.md","remarks":1,"isGone":true"#), "\(json)")
    #expect(try home.run("talk", "join", "Old.md", "Walk").text == "Walk.md.talk.md\n")
    let text = try home.run("talk", "ls", "Walk").text
    #expect(text.contains("Low tide only.") && text.contains("hers"), "\(text)")
    #expect(home.read("ByteClub/Old.md.talk.md") == nil)
    #expect(try home.run("talk", "join", "Walk.md", "pier.jpg").status != 0)
  }

  @Test func `a search finds remarks`() throws {
    let home = try home()
    #expect(try home.run("talk", "add", "Walk", "Beware of the lighthouse keeper.").status == 0)
    #expect(try home.run("talk", "add", "pier.jpg", "A lighthouse, far away.").status == 0)
    let found = try home.run("search", "lighthouse").text
    #expect(found.contains("Walk.md.talk.md:3: ") && found.contains("lighthouse keeper."), "\(found)")
    #expect(found.contains("photos/pier.jpg:3: ") && found.contains("far away."), "\(found)")
  }

  @Test func `a remark from standard input may have several lines`() throws {
    let home = try home()
    #expect(try home.run("talk", "add", "Walk", input: "one\n\ntwo\n").status == 0)
    let file = String(decoding: home.read("ByteClub/Walk.md.talk.md") ?? [], as: UTF8.self)
    #expect(file.hasPrefix("# Remarks on Walk.md\n\n- **") && file.hasSuffix(": one\n\n  two\n"), "\(file)")
    #expect(try home.run("talk", "ls", "Walk").text.hasSuffix("  one\n  \n  two\n") == false)
    #expect(try home.run("talk", "ls", "Walk").text.hasSuffix("  one\n  two\n"))
  }

  @Test func `doors are listed, are Pannellum's JSON, follow a rename, and are withdrawn`() throws {
    let home = try home()
    try home.write(Array("no picture\n".utf8), to: "ByteClub/photos/quay.jpg")
    func door(_ id: String, _ link: String) -> [UInt8] {
      Array("# Remarks on it\n\n- **ann** 2026-11-26 18:04Z \(id) door \(link) @35,-2\n".utf8)
    }
    try home.write(door("aaaaaaaa", "[To the quay](quay.jpg)"), to: "ByteClub/photos/pier.jpg.talk.md")
    try home.write(door("bbbbbbbb", "[pier](pier.jpg)"), to: "ByteClub/photos/quay.jpg.talk.md")
    #expect(try home.run("photo", "tour", "pier.jpg").text == "aaaaaaaa  @35.0,-2.0  To the quay  quay.jpg\n")
    let json = try home.run("photo", "tour", "pier.jpg", "--json").text
    #expect(json.hasPrefix(#"{"default":{"firstScene":"pier.jpg"},"scenes":{"#), "\(json)")
    #expect(json.contains(#""yaw":35.0,"pitch":-2.0,"text":"To the quay","sceneId":"quay.jpg""#), "\(json)")
    #expect(try home.run("photo", "mv", "pier.jpg", "mole.jpg").status == 0)
    #expect(try home.run("photo", "tour", "quay.jpg").text == "bbbbbbbb  @35.0,-2.0  mole  mole.jpg\n")
    let refused = try home.run("talk", "rm", "quay.jpg", "bbbbbbbb")
    #expect(refused.status != 0 && refused.said.contains("The door bbbbbbbb is by ann"), "\(refused.said)")
    #expect(try home.run("photo", "tour", "Gone.jpg", "--json").text.hasPrefix(#"{"ok":false,"#))
  }

  @Test(
    "A file that no byteclub has written is listed without harm, and an answer changes none of it",
    arguments: HostileTalk.all)
  func hostileFiles(_ file: HostileTalk) throws {
    let (home, talk) = (try home(), "ByteClub/Walk.md.talk.md")
    try home.write(file.bytes, to: talk)
    let variables = ["HOME": home.path, "XDG_RUNTIME_DIR": "", "TZ": "UTC"]
    let session = try PtySession(try #require(CommandLineHome.binary), ["talk", "ls", "Walk"], environment: variables)
    _ = try session.waitExit(timeout: .patient)
    #expect(EscapeScene.findings(in: session.rawBytes).isEmpty)
    let listed = try home.run("talk", "ls", "Walk")
    #expect(listed.status == 0, "\(listed.said)")
    for word in file.shown { #expect(listed.text.contains(word), "\(word)") }
    let strange = file.below.count == 1 ? "a line that is no remark" : "\(file.below.count) lines that are no remarks"
    #expect(listed.said.contains("The file has \(strange)") == !file.below.isEmpty, "\(listed.said)")
    #expect(listed.said.contains("90000 more remarks are not shown.") == (file.name == HostileTalk.many.name))
    let json = try home.run("talk", "ls", "Walk", "--json").text
    #expect(json.dropLast().unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) })
    let document = try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any]
    let results = try #require(document?["results"] as? [[String: Any]])
    #expect(results.count == file.remarks)
    let id = try #require(results.first?["id"] as? String)
    #expect(try home.run("talk", "reply", "Walk", id, "w-answer").status == 0)
    let after = try #require(home.read(talk))
    #expect(after.starts(with: file.bytes))
    #expect(String(decoding: after.suffix(100), as: UTF8.self).contains("\n- **"))
  }

  @Test func `a file of 10 MB says that it is too large, and stays as it is`() throws {
    let (home, talk) = (try home(), "ByteClub/Walk.md.talk.md")
    let bytes = Array(repeating: Array("- **ann** 2026-11-26 18:04Z aaaaaaa1: x\n".utf8), count: 250_000).flatMap { $0 }
    try home.write(bytes, to: talk)
    for words in [["ls", "Walk"], ["ls", "Walk", "--json"], ["add", "Walk", "x"]] {
      let refused = try home.start(["talk"] + words).finish()
      #expect(refused.status != 0 && (refused.said + refused.text).contains("Walk.md.talk.md"), "\(refused.said)")
    }
    #expect(try home.run("talk", "ls").text == "Walk.md  too many\n")
    #expect(home.read(talk)?.count == bytes.count)
  }

  @Test func `JSON has the fields that the manual names, and no others`() throws {
    let home = try home()
    let items = ["aaaaaaaa @1,2: one", "bbbbbbbb on \"sand\": two", "cccccccc re aaaaaaaa: three"]
    try home.write(
      Array(items.map { "- **ann** 2026-11-26 18:04Z \($0)\n" }.joined().utf8), to: "ByteClub/photos/pier.jpg.talk.md")
    let document =
      try JSONSerialization.jsonObject(
        with: Data(try home.run("talk", "ls", "pier.jpg", "--json").output)) as? [String: Any]
    let results = try #require(document?["results"] as? [[String: Any]])
    #expect(results.map { $0["id"] as? String } == ["aaaaaaaa", "cccccccc", "bbbbbbbb"])
    let each: Set = ["id", "member", "time", "text", "agreed", "isCorrected", "isWithdrawn", "broughtBy"]
    #expect(
      results.map { Set($0.keys) } == [each.union(["place"]), each.union(["re"]), each.union(["place"])])
    #expect(results[1]["re"] as? String == "aaaaaaaa" && results[1]["text"] as? String == "three")
    #expect(results[0]["time"] as? String == "2026-11-26T18:04:00Z" && results[0]["member"] as? String == "ann")
    #expect(results[0]["place"] as? [String: Double] == ["yaw": 1, "pitch": 2])
    #expect(results[2]["place"] as? [String: String] == ["words": "sand"])
    let manual = try home.run("manual", "--json").text
    let start = try #require(manual.range(of: "\n## Remarks\n"))
    let page = manual[start.upperBound...].prefix(
      upTo: manual[start.upperBound...].range(of: "\n## ")?.lowerBound ?? manual.endIndex)
    for field in each.union(["place", "re"]) { #expect(page.contains("`\(field)`"), "\(field)") }
  }

  static let refused: [([String], Int32)] = [
    (["talk", "ls", "Gone"], 4), (["talk", "add", "Gone", "x"], 4), (["talk", "reply", "Walk", "aaaaaaaa", "x"], 4),
    (["talk", "reply", "aaaaaaaa", "x"], 4), (["talk", "rm", "Walk", "short"], 2), (["talk", "reply", "x"], 2),
    (["talk", "add", "Walk", "x", "--at", "400,0"], 2), (["talk", "add", "Walk", "x", "--at", "1,1", "--on", "y"], 2),
    (["talk", "add", "Walk", " "], 1),
  ]

  @Test("What cannot be is refused with its exit status", arguments: refused)
  func refusals(_ arguments: [String], _ status: Int32) throws {
    let home = try home()
    let outcome = try home.start(arguments).finish()
    #expect(outcome.status == status, "\(outcome.said)")
    #expect(!outcome.said.isEmpty)
    #expect(home.files(ending: ".talk.md").isEmpty)
  }
}
