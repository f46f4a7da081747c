import FileStores
import JSON
import Testing

@testable import ClubServices
@testable import byteclub

@Suite struct NewsTextTests {
  private func item(
    _ name: String, _ kind: Happening.Kind = .file, by member: String? = "ann", at seconds: Int64 = 0,
    isAdded: Bool = true
  ) throws -> NewsItem {
    let path = try StorePath(name)
    let file = FileEntry(path: path, kind: .file, revision: Revision("1"))
    return NewsItem(
      Happening(time: Timestamp(seconds: seconds), member: member, thing: path, kind: kind), isAdded: isAdded,
      try #require(NewsCursor.Mark(file)))
  }

  @Test func `fifty photos of one member are one line, and a remark is one of its own`() throws {
    let photos = try (0..<50).map { try item("photos/\($0).jpg", at: Int64($0)) }
    let all =
      photos + [
        try item("walk.md", .remark("Low tide."), at: 60), try item("walk.md", .remark("Really."), at: 61),
        try item("a.md", by: nil, at: 62, isAdded: false),
      ]
    #expect(
      NewsText.lines(all, club: nil) == [
        "1970-01-01T00:00:49Z  ann  added 50 files: photos/0.jpg, photos/1.jpg, photos/2.jpg and 47 more",
        "1970-01-01T00:01:00Z  ann  said on walk.md: Low tide.", "1970-01-01T00:01:01Z  ann  said on walk.md: Really.",
        "1970-01-01T00:01:02Z  somebody  changed a.md",
      ])
    #expect(
      NewsText.lines([photos[0]], club: "garage").first == "1970-01-01T00:00:00Z  garage  ann  added photos/0.jpg")
  }

  @Test func `a name or a remark of several lines makes no line of its own`() throws {
    let items = [try item("a\nb.md"), try item("c.md", .remark("Low\r\n\n1970-01-01T00:00:00Z  ray  added d.md"))]
    #expect(
      NewsText.lines(items, club: nil) == [
        "1970-01-01T00:00:00Z  ann  added a b.md",
        "1970-01-01T00:00:00Z  ann  said on c.md: Low 1970-01-01T00:00:00Z  ray  added d.md",
      ])
  }

  @Test func `a batch is one document on one line, whatever the names are`() throws {
    let items = [try item("a\n\"$(x)`.md", at: 5), try item("b", .caption, by: nil, at: 9)]
    #expect(
      NewsText.document(items, club: "gar\u{1B}age").encoded
        == #"{"club":"gar\u001bage","from":"1970-01-01T00:00:05Z","to":"1970-01-01T00:00:09Z","items":["#
        + #"{"member":"ann","action":"added","path":"a\n\"$(x)`.md","time":"1970-01-01T00:00:05Z"},"#
        + #"{"member":null,"action":"caption","path":"b","time":"1970-01-01T00:00:09Z"}]}"#)
  }

  @Test func `a remark that another member brought names that member, for people and for scripts`() throws {
    let (said, path) = (try item("walk.md", .remark("Low tide."), at: 5), try StorePath("walk.md"))
    let forged = NewsItem(
      Happening(
        time: Timestamp(seconds: 5), member: "ann", broughtBy: "eve", thing: path, kind: .remark("Low tide.")),
      isAdded: true, said.mark)
    #expect(
      NewsText.lines([forged], club: nil) == ["1970-01-01T00:00:05Z  ann? brought by eve  said on walk.md: Low tide."])
    let own = #""member":"ann","action":"remark","path":"walk.md","time":"1970-01-01T00:00:05Z""#
    #expect(
      NewsText.records([said, forged], club: "home").map(\.json.encoded) == [
        #"{"club":"home",\#(own)}"#, #"{"club":"home",\#(own),"broughtBy":"eve"}"#,
      ])
    #expect(NewsText.document([forged], club: "home").encoded.hasSuffix(#","items":[{\#(own),"broughtBy":"eve"}]}"#))
  }

  @Test(arguments: [("1970-01-02", 86_400), ("1970-01-01T01:00:00Z", 3600), ("1970-01-01T01:00:00+01:00", 0)])
  func `a time is a date or a time`(row: (text: String, seconds: Int64)) throws {
    #expect(try NewsTime.parse(row.text) == Timestamp(seconds: row.seconds))
  }

  @Test(arguments: ["", "yesterday", "1970-13-01", "-1d", "7x", "2026-12-31T12:00"])
  func `other words are no time`(text: String) {
    #expect(throws: (any Error).self) { try NewsTime.parse(text) }
  }
}
