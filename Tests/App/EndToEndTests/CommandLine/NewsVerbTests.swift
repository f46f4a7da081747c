import Foundation
import POSIX
import TestKit
import Testing

/// `byteclub news`, by the real program.
@Suite(.serialized, .enabled(if: CommandLineHome.binary != nil), .timeLimit(.minutes(10))) struct NewsVerbTests {
  private func home() throws -> CommandLineHome {
    let home = try CommandLineHome()
    try home.write(Array("over the sand\n".utf8), to: "ByteClub/Walk.md")
    try FileManager.default.createDirectory(atPath: home.club + "/photos", withIntermediateDirectories: true)
    return home
  }

  private static func items(_ line: some StringProtocol) throws -> [[String: Any]] {
    let document = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    return try #require(document?["items"] as? [[String: Any]])
  }

  @Test func `news comes again until it is marked, and own writes are none`() throws {
    let home = try home()
    let first = try home.run("news")
    #expect(first.status == 0 && first.text.isEmpty && first.said.hasPrefix("From now on"), "\(first.said)")
    try home.write(Array("a\n".utf8), to: "ByteClub/Other.md")
    #expect(try home.run("note", "put", "Mine", input: "mine\n").status == 0)
    for _ in 0..<2 {
      let told = try home.run("news")
      #expect(told.status == 0 && told.text.hasSuffix("  somebody  added Other.md\n"), "\(told.text)\(told.said)")
    }
    let json = try home.run("news", "--json", "--mark").text
    #expect(json.contains(#"{"club":"home","member":null,"action":"added","path":"Other.md","time":"20"#), "\(json)")
    #expect(try home.run("news").text.isEmpty)
    let since = try home.run("news", "--since", "1h")
    #expect(since.text.contains("Walk.md") && since.text.contains("Other.md"), "\(since.text)")
  }

  @Test func `a command that fails gets the same news from the next run`() throws {
    let home = try home()
    #expect(try home.run("news").status == 0)
    try home.write([], to: "ByteClub/$(touch evil) `touch evil`; touch evil.md")
    let refused = try home.run("news", "--exec", "cat; exit 3")
    #expect(refused.status == 1 && refused.said.contains("ended with status 3"), "\(refused.said)")
    let taken = try home.run("news", "--exec", "cat")
    #expect(taken.status == 0 && taken.text == refused.text, "\(taken.said)")
    #expect(try Self.items(taken.text).first?["path"] as? String == "$(touch evil) `touch evil`; touch evil.md")
    #expect(home.files(ending: "evil").isEmpty)
    #expect(try home.run("news", "--exec", "cat").text.isEmpty)
  }

  @Test func `fifty photos in a folder are one batch, which a killed command gets again, and no restart tells twice`()
    throws
  {
    let home = try home()
    let command = #"cat; [ -e "$HOME/once" ] || { touch "$HOME/once"; kill -9 $$; }"#
    let follower = try home.start(["news", "--follow", "--exec", command])
    try follower.wait(forNotice: "From now on")
    // Asleep, it sees them all at once, however long this machine takes to write them.
    follower.signal(SIGSTOP)
    for number in 0..<50 { try home.write(Pictures.jpeg, to: "ByteClub/photos/\(number).jpg") }
    follower.signal(SIGCONT)
    try follower.wait(forOutput: "\"items\"", times: 2)
    // The note tells that the batch before it was marked.
    try home.write(Array("b\n".utf8), to: "ByteClub/Last.md")
    try follower.wait(forOutput: "Last.md")
    follower.signal(SIGTERM)
    let end = try follower.finish()
    #expect(end.status == 130 && end.said.contains("ended with status 137"), "\(end.said)")
    let lines = end.text.split(separator: "\n")
    #expect(lines.count == 3 && lines[0] == lines[1], "\(end.text)")
    #expect(try lines.first.map { try Self.items($0).count } == 50)
    let again = try home.run("news", "--exec", "cat")
    // The end may have come before the last batch was marked: it may be reported again, and nothing before it.
    #expect(!again.text.contains(".jpg"), "\(again.text)")
  }

  @Test func `fifty uploads of another member are one batch, and the server may be away`() throws {
    let home = try CommandLineHome()
    // Nobody else gets its port meanwhile.
    let held = try HeldPort()
    let server = try RunningServer(in: home, port: "\(held.number)")
    let (ann, ray) = (try server.admit("ann"), try server.admit("ray"))
    let variables = try server.configure(token: ray)
    #expect(try home.run("news", variables: variables).status == 0)
    _ = try server.finish()
    let follower = try home.start(["news", "--follow", "--exec", "cat"], variables)
    try follower.wait(forNotice: "does not answer. The news goes on when it does.")
    let second = try RunningServer(in: home, port: "\(held.number)")
    try follower.wait(forNotice: "answers again.")
    // Asleep, it sees them all at once, however long this machine takes to send them.
    follower.signal(SIGSTOP)
    for number in 0..<50 { try second.upload("/\(number).md", "note \(number)\n", token: ann) }
    try second.upload("/mine.md", "mine\n", token: ray)
    follower.signal(SIGCONT)
    try follower.wait(forOutput: "\"items\"")
    follower.signal(SIGTERM)
    let end = try follower.finish()
    let items = try Self.items(end.text.split(separator: "\n").first ?? "")
    #expect(items.count == 50)
    #expect(Set(items.map { $0["member"] as? String }) == ["ann"])
    #expect(end.said.ranges(of: "The news goes on when it does").count == 1, "\(end.said)")
  }

  @Test func `news that standard output did not take is not marked`() throws {
    let (home, binary) = (try home(), try #require(CommandLineHome.binary))
    #expect(try home.run("news").status == 0)
    try home.write(Array("a\n".utf8), to: "ByteClub/Other.md")
    // A full disk, and a pipe whose only reader has gone before.
    let gone = #"p=$HOME/p; rm -f "$p"; mkfifo "$p"; exec 4<>"$p" 5>"$p" 4<&-; exec "$0" "$@" >&5"#
    for script in [#"exec "$0" "$@" >/dev/full"#, gone] {
      for words in [[], ["--json"]] {
        let lost = try Spawn(
          "/bin/sh", ["-c", script, binary, "news", "--mark"] + words, environment: home.environment, input: []
        ).finish()
        #expect(lost.status == 1 && lost.said.contains("so none of it is marked as reported"), "\(lost.said)")
      }
    }
    #expect(try home.run("news", "--mark").text.hasSuffix("added Other.md\n"))
    #expect(try home.run("news").text.isEmpty)
  }

  @Test func `the news of all clubs names each club, and a club that cannot be opened hides no other`() throws {
    let home = try home()
    try home.write(Array("b\n".utf8), to: "second/Old.md")
    let clubs = ["one": home.club, "two": home.path + "/second"].map { name, path in
      #""\#(name)":{"store":"folder","path":"\#(path)"}"#
    }
    func configure(_ more: String = "") throws {
      try home.write(
        Array(#"{"club":"one","clubs":{\#(clubs.joined(separator: ","))\#(more)}}"#.utf8),
        to: ".config/byteclub/config.json")
    }
    try configure()
    let first = try home.run("news", "--all")
    #expect(first.status == 0 && first.text.isEmpty, "\(first.said)")
    for name in ["one", "two"] { #expect(first.said.contains("what is new of \"\(name)\"."), "\(first.said)") }
    try home.write(Array("c\n".utf8), to: "ByteClub/First.md")
    try home.write(Array("d\n".utf8), to: "second/Second.md")
    let told = try home.run("news", "--all").text.split(separator: "\n")
    #expect(told.count == 2, "\(told)")
    #expect(told.contains { $0.hasSuffix("  one  somebody  added First.md") }, "\(told)")
    #expect(told.contains { $0.hasSuffix("  two  somebody  added Second.md") }, "\(told)")
    #expect(try home.run("news", "--mark").text.contains("First.md"))
    try configure(#","lost":{"store":"folder","path":"\#(home.path)/nowhere"}"#)
    let rest = try home.run("news", "--all", "--mark")
    #expect(rest.status != 0 && rest.said.contains("nowhere"), "\(rest.status) \(rest.said)")
    #expect(rest.text.contains("Second.md") && !rest.text.contains("First.md"), "\(rest.text)")
    #expect(try home.run("news", "--all").text.isEmpty)
  }

  @Test func `without a command each batch is printed, and what was printed is marked if that is asked for`() throws {
    let home = try home()
    #expect(try home.run("news").status == 0)
    try home.write(Array("a\n".utf8), to: "ByteClub/A.md")
    let reader = try home.start(["news", "--follow", "--json"])
    try reader.wait(forOutput: "\n")
    reader.signal(SIGTERM)
    let read = try reader.finish()
    // Its last document says that it was ended.
    let batch = read.text.prefix { $0 != "\n" }
    #expect(try read.status == 130 && Self.items(String(batch)).first?["path"] as? String == "A.md", "\(read.text)")
    let marker = try home.start(["news", "--follow", "--mark"])
    try marker.wait(forOutput: "added A.md\n")
    // The next batch tells that the one before it was marked.
    try home.write(Array("b\n".utf8), to: "ByteClub/B.md")
    try marker.wait(forOutput: "added B.md\n")
    marker.signal(SIGTERM)
    #expect(try marker.finish().status == 130)
    #expect(try !home.run("news").text.contains("A.md"))
  }

  @Test func `options that contradict one another are refused`() throws {
    let home = try home()
    for words in [["--all", "--club", "x"], ["--exec", " "], ["--since", "yesterday"]] {
      #expect(try home.start(["news"] + words).finish().status == 2, "\(words)")
    }
  }
}
