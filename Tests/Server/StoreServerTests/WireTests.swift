import FileStores
import JSON
import Testing

@testable import StoreServer

@Suite struct WireTests {
  @Test(
    "Times",
    arguments: [
      (0, "1970-01-01T00:00:00Z"), (1_431_445_838, "2015-05-12T15:50:38Z"), (951_782_400, "2000-02-29T00:00:00Z"),
      (-1, "1969-12-31T23:59:59Z"), (253_402_300_799, "9999-12-31T23:59:59Z"), (4_107_542_400, "2100-03-01T00:00:00Z"),
    ] as [(Int64, String)])
  func times(seconds: Int64, text: String) {
    #expect(WireTime.text(seconds) == text)
    #expect(WireTime.seconds(text) == seconds)
  }

  @Test(
    "Texts that are no times",
    arguments: [
      "", "2015-05-12", "2015-05-12T15:50:38.5Z", "2015-13-12T15:50:38Z", "2015-02-30T15:50:38Z",
      "2015-05-12T24:50:38Z", "2015-05-12 15:50:38Z", "2015-05-12T15:50:38+00:00",
    ])
  func noTimes(text: String) { #expect(WireTime.seconds(text) == nil) }

  @Test(
    "Ranges of a file of 10 bytes",
    arguments: [
      (nil, .whole), ("bytes=0-", .part(0..<10)), ("bytes=2-4", .part(2..<5)), ("bytes=2-99", .part(2..<10)),
      ("bytes=-3", .part(7..<10)), ("bytes=-99", .part(0..<10)), ("bytes=-0", .outside), ("bytes=10-", .outside),
      ("bytes=99999999999999999999999-", .outside), ("bytes=5-4", .whole), ("bytes=0-1,3-4", .whole),
      ("lines=0-1", .whole), ("bytes=a-b", .whole), ("bytes=-", .whole), ("bytes=", .whole),
      ("BYTES= 1 - 1 ", .part(1..<2)),
    ] as [(String?, ByteSpan)])
  func ranges(header: String?, span: ByteSpan) { #expect(ByteSpan(header: header, size: 10) == span) }

  @Test("An empty file has no range but the whole")
  func emptyRange() {
    #expect(ByteSpan(header: "bytes=0-", size: 0) == .outside)
    #expect(ByteSpan(header: "bytes=-5", size: 0) == .outside)
    #expect(ByteSpan(header: nil, size: 0) == .whole)
  }

  @Test(
    "Revs have nine hexadecimal digits at least and are read back", arguments: [1, 255, 7_353_325_105_168] as [Int64])
  func revs(number: Int64) {
    let text = Rev.text(number)
    #expect(text.utf8.count >= 9 && text.utf8.allSatisfy { "0123456789abcdef".utf8.contains($0) })
    #expect(Rev.number(text) == number)
  }

  @Test("A rev that is not ours is no version of ours, and what is no rev at all is distinguished")
  func foreignRevs() {
    #expect(Rev.number("a1c10ce0dd78") == 0)
    #expect(Rev.number("ABCDEF0123") == nil)
    #expect(Rev.number("12345678") == nil)
  }

  @Test(
    "Names that are one for the API",
    arguments: [
      ("/Notes/A.MD", "/notes/a.md"), ("/E\u{301}", "/é"), ("/ΣΣΣ", "/σσσ"), ("/ÄÖÜ", "/äöü"),
      ("/\u{1100}\u{1161}\u{11A8}", "/각"), ("/q\u{307}\u{323}", "/q\u{323}\u{307}"),
      ("/\u{10041}\u{301}", "/\u{10041}\u{301}"),
    ])
  func folding(display: String, key: String) { #expect(Folding.key(display) == key) }

  @Test("Names for what is in the way")
  func numbered() {
    #expect(NumberedName.marked(path: "/a.b/Note.md", " (1)") == "/a.b/Note (1).md")
    #expect(NumberedName.marked(path: "/a.b/Note", " (1)") == "/a.b/Note (1)")
    #expect(NumberedName.marked(path: "/.hidden", " (1)") == "/.hidden (1)")
  }

  @Test("Forms")
  func forms() {
    #expect(FormText.read("a=b%20c&d=%C3%A9+x&e&a=z") == ["a": "b c", "d": "é x", "e": ""])
    #expect(FormText.read("a=%zz&b=%F&c=%FF") == [:])
  }

  @Test("A sealed word is opened for its own use alone, and not when a character differs")
  func seal() throws {
    let seal = Seal(key: Array(repeating: 7, count: 32))
    let word = seal.seal(["a", "ü"], for: "cursor")
    #expect(seal.open(word, for: "cursor") == ["a", "ü"])
    #expect(seal.open(word, for: "link") == nil)
    #expect(Seal(key: Array(repeating: 8, count: 32)).open(word, for: "cursor") == nil)
    for index in word.indices where word[index] != "." {
      // The last character of a part may carry bits that say nothing.
      let next = word.index(after: index)
      if next == word.endIndex || word[next] == "." { continue }
      let changed = word[..<index] + (word[index] == "A" ? "B" : "A") + word[next...]
      #expect(seal.open(String(changed), for: "cursor") == nil)
    }
  }
}
