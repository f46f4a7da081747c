import FileStores
import Markdown
import TestKit
import Testing

@testable import ClubServices

/// Links after renames and moves, as pure changes of bytes.
@Suite struct LinkMendTests {
  @Test(arguments: 0..<60)
  func `every link that led somewhere leads to the same file after random moves, and no other byte changes`(
    seed: Int
  ) throws {
    var club = try RandomClub(seed: UInt64(seed), notes: 24)
    for _ in 0..<6 {
      let before = club.paths
      guard let move = try club.move() else { continue }
      let moves = PathMoves([move])
      let (after, mend) = (club.paths, LinkMend([move], among: club.paths))
      for (note, text) in club.texts {
        let new = LinkEdit.apply(mend.edits(in: text, of: note), to: text)
        let (old, links) = (NoteLinks.all(in: text), NoteLinks.all(in: new))
        #expect(rest(of: text, old) == rest(of: new, links))
        for ((target, words), (_, mended)) in zip(old, links) {
          let meant = before.file(words, from: moves.before(note))
          let place = "seed \(seed): \(move.from) -> \(move.to), in \(note): \(target.text) -> \(mended.path)"
          if let meant { #expect(after.file(mended, from: note) == moves.now(meant), "\(place)") }
          if meant == nil { #expect(words == mended, "\(place)") }
          #expect(words.heading == mended.heading, "\(place)")
        }
        club.write(new, at: note)
      }
    }
  }

  /// A note of a club after the move of "trips/oslo.md"; its text there.
  private func mended(_ text: String, in note: String = "log.md", to target: String) throws -> String {
    let paths = try ["log.md", "work/plan.md", "x.md", "photos/oslo.jpg", target].map { try StorePath($0) }
    let mend = LinkMend([PathMove(try StorePath("trips/oslo.md"), to: try StorePath(target))], among: LinkPaths(paths))
    let bytes = Array(text.utf8)
    return String(decoding: LinkEdit.apply(mend.edits(in: bytes, of: try StorePath(note)), to: bytes), as: UTF8.self)
  }

  @Test(arguments: [
    ("[[oslo]]", "[[bergen]]"), ("[[oslo.md]]", "[[bergen.md]]"),
    ("[[oslo#Quay|the quay]]", "[[bergen#Quay|the quay]]"),
    ("[[ oslo #Quay]]", "[[ bergen #Quay]]"), ("![[oslo]]", "![[bergen]]"), ("[[/trips/oslo]]", "[[/trips/bergen]]"),
    ("[[./trips/oslo]]", "[[./trips/bergen]]"), ("[a](trips/oslo.md)", "[a](trips/bergen.md)"),
    ("[a](trips/oslo \"t\")", "[a](trips/bergen \"t\")"), ("[a](/trips/oslo.md#x)", "[a](/trips/bergen.md#x)"),
    ("[a](./trips/oslo.md)", "[a](./trips/bergen.md)"), ("[a](<trips/oslo.md#a b>)", "[a](<trips/bergen.md#a b>)"),
    ("[a](trips\\/oslo.md&#35;x)", "[a](trips/bergen.md&#35;x)"), ("[a](%74rips/oslo.md)", "[a](trips/bergen.md)"),
    ("[a][b] [b]\n\n[b]: trips/oslo.md 'x'", "[a][b] [b]\n\n[b]: trips/bergen.md 'x'"),
    ("> - [[oslo]]\n>   [a](trips/oslo.md)", "> - [[bergen]]\n>   [a](trips/bergen.md)"),
    ("| a |\n|--|\n| [[oslo\\|x]] |", "| a |\n|--|\n| [[bergen\\|x]] |"),
    ("[![p](photos/oslo.jpg)](trips/oslo.md)", "[![p](photos/oslo.jpg)](trips/bergen.md)"),
    ("# [[oslo]] *[[oslo]]*\r\n\r\n[[oslo]]", "# [[bergen]] *[[bergen]]*\r\n\r\n[[bergen]]"),
  ])
  func `a link keeps its style, its heading and its words`(before: String, after: String) throws {
    #expect(try mended(before, to: "trips/bergen.md") == after)
  }

  @Test(arguments: [
    "`[[oslo]]`", "``` \n[[oslo]]\n```", "    [[oslo]]", "\\[[oslo]\\]", "[[oslo]", "<a href=\"trips/oslo.md\">x</a>",
    "<!-- [[oslo]] -->", "https://x.example/trips/oslo.md", "[a](https://x.example/oslo.md)", "trips/oslo.md",
    "[[#oslo]]",
    "[[nobody]] [a](nobody.md)", "![[oslo.jpg]] ![a](photos/oslo.jpg)", "#oslo", "[[oslo\n]]", "\u{FEFF}",
  ])
  func `text that is no link to the moved note stays as it is`(text: String) throws {
    #expect(try mended(text, to: "trips/bergen.md") == text)
  }

  @Test(arguments: [
    ("[a](trips/oslo.md)", "log.md", "work/o (1) ü%.md", "[a](work/o%20%281%29%20ü%25.md)"),
    ("[a](<trips/oslo.md>)", "log.md", "work/o (1).md", "[a](<work/o (1).md>)"),
    ("[a](trips/%C3%A9/../oslo.md)", "log.md", "work/ü.md", "[a](work/%C3%BC.md)"),
    ("[a](../trips/oslo.md)", "work/plan.md", "work/oslo.md", "[a](oslo.md)"),
    ("[a](../trips/oslo)", "work/plan.md", "work/bergen.md", "[a](bergen)"),
    ("[[trips/oslo]]", "log.md", "work/oslo.md", "[[oslo]]"), ("[[oslo]]", "log.md", "work/x.md", "[[work/x]]"),
    // The note itself has moved: its own links lead on.
    (
      "[a](../log.md) [[log]] ![p](../photos/oslo.jpg)", "oslo.md", "oslo.md",
      "[a](log.md) [[log]] ![p](photos/oslo.jpg)"
    ),
  ])
  func `a moved note is found from each folder, as shortly as is unique`(
    before: String, note: String, target: String, after: String
  ) throws {
    #expect(try mended(before, in: note, to: target) == after)
  }

  @Test func `a name that no wiki link can write leaves the link as it is`() throws {
    #expect(try mended("[[oslo]] [a](trips/oslo.md)", to: "a]b#c.md") == "[[oslo]] [a](a%5Db%23c.md)")
  }

  @Test func `a note of the new name elsewhere keeps its own links`() throws {
    // "[[x]]" of a note in "trips" leads to "x.md" at the top, also when "trips/x.md" is near.
    let paths = try ["trips/log.md", "work/x.md", "trips/x.md"].map { try StorePath($0) }
    let mend = LinkMend([PathMove(try StorePath("y.md"), to: try StorePath("trips/x.md"))], among: LinkPaths(paths))
    let text = Array("[[x]] [[y]]".utf8)
    let new = LinkEdit.apply(mend.edits(in: text, of: try StorePath("trips/log.md")), to: text)
    #expect(String(decoding: new, as: UTF8.self) == "[[work/x]] [[trips/x]]")
  }

  @Test(arguments: [
    // Two notes are called Food, a third one is at the top.
    ("trips/Food.md", ["trips/Food.md", "recipes/Food.md"], "trips/Food"),
    ("a/trips/Food.md", ["a/trips/Food.md", "b/trips/Food.md", "trips/x.md"], "a/trips/Food"),
    ("trips/Food.md", ["trips/Food.md", "a/trips/Food.md"], "trips/Food"),
    ("Food.md", ["Food.md", "recipes/Food.md"], "Food"),
    ("recipes/Food.md", ["Food.md", "recipes/Food.md"], "recipes/Food"),
    ("deep/Only.md", ["deep/Only.md", "Food.md"], "Only"),
    // Obsidian takes letter cases for one.
    ("trips/Food.md", ["trips/Food.md", "recipes/food.md"], "trips/Food"),
    ("trips/food.md", ["trips/Food.md", "trips/food.md"], "trips/food"),
    ("trips/Food.txt", ["trips/Food.txt", "recipes/Food.md"], "Food.txt"),
    ("trips/Food", ["trips/Food", "trips/Food.md"], "trips/Food"),
    ("trips/Food.md", ["trips/Food", "trips/Food.md"], "Food.md"),
  ])
  func `a new link has the shortest path that is unique`(file: String, club: [String], link: String) throws {
    let paths = LinkPaths(try club.map { try StorePath($0) })
    let path = try StorePath(file)
    let log = try StorePath("trips/log.md")
    let new = LinkMend.link(to: path, isAddress: false, isPicture: false, from: log) { paths.file($0, from: $1) }
    #expect(new == link)
    for note in ["log.md", "trips/log.md", "recipes/a/log.md"] {
      #expect(paths.file(try #require(LinkWords(wiki: new)), from: try StorePath(note)) == path)
    }
  }

  @Test(arguments: [
    ("p.jpg", "log.md", "p.jpg"), ("p.jpg", "trips/log.md", "/p.jpg"), ("trips/p.jpg", "log.md", "trips/p.jpg"),
    ("work/a#b.jpg", "trips/log.md", "a#b.jpg"),
  ])
  func `a new link to a picture leads there although one of the same name is beside the note`(
    file: String, note: String, link: String
  ) throws {
    let paths = LinkPaths(try ["p.jpg", "trips/p.jpg", "work/a#b.jpg"].map { try StorePath($0) })
    let (path, from) = (try StorePath(file), try StorePath(note))
    #expect(LinkMend.link(to: path, isAddress: false, isPicture: true, from: from) { paths.file($0, from: $1) } == link)
  }

  /// The bytes between the targets.
  private func rest(of text: [UInt8], _ links: [NoteLinks.Link]) -> [[UInt8]] {
    var rest: [[UInt8]] = []
    var end = 0
    for link in links {
      rest.append(Array(text[end..<link.target.range.lowerBound]))
      end = link.target.range.upperBound
    }
    return rest + [Array(text[end...])]
  }
}
