import ClubServices
import FileStores
import Testing

@testable import byteclub

/// The end of a link, as a member writes it.
@Suite struct LinkEndTests {
  @Test(arguments: [
    ("never", LinkEnd.never), ("12h", .after(43_200)), ("2w", .after(1_209_600)),
    ("2001-09-09", .at(Timestamp(seconds: 1_000_079_999))),
    ("2001-09-09T01:46:40Z", .at(Timestamp(seconds: 1_000_000_000))),
    ("2001-09-09T03:46:40+02:00", .at(Timestamp(seconds: 1_000_000_000))),
    ("2001-09-08T20:16:40-05:30", .at(Timestamp(seconds: 1_000_000_000))),
  ])
  func `is read`(_ row: (text: String, end: LinkEnd)) throws { #expect(try LinkEnd(row.text) == row.end) }

  @Test(arguments: [
    "", "soon", "0d", "2001-09-09T01:46:40", "2001-09-09T01:46:40+24:00", "2001-09-09T01:46:40+0200",
    "2001-09-09T01:46:40*02:00", "2001-09-09T01:46:40+02:60", "2001-02-29T01:46:40+02:00",
  ])
  func `that has no such form is refused`(_ text: String) { #expect(throws: (any Error).self) { try LinkEnd(text) } }
}
