import FileStores
import Testing

@Suite struct `A numbered name` {
  @Test(arguments: [
    ("garage.jpg", 2, "garage (2).jpg"),
    ("garage (2).jpg", 3, "garage (2) (3).jpg"),
    ("garage", 2, "garage (2)"),
    (".hidden", 2, ".hidden (2)"),
    ("a.b.JPEG", 10, "a.b (10).JPEG"),
    ("notes.markdown", 2, "notes (2).markdown"),
    ("notes.of a long evening", 2, "notes.of a long evening (2)"),
    ("Mr. Smith", 2, "Mr. Smith (2)"),
    ("a.abcdefghijk", 2, "a (2).abcdefghijk"),
    ("a.abcdefghijkl", 2, "a.abcdefghijkl (2)"),
    ("", 2, " (2)"),
  ])
  func `keeps its ending`(name: String, number: Int, expected: String) {
    #expect(NumberedName.numbered(Array(name.utf8), number) == Array(expected.utf8))
  }

  @Test(arguments: [
    ("aaaaaaaaaa.jpg", 14, "aaaaaa (2).jpg"),
    ("üüüüü.jpg", 14, "üüü (2).jpg"),
    ("üüüüü.jpg", 13, "üü (2).jpg"),
    ("a😀😀.jpg", 13, "a😀 (2).jpg"),
  ])
  func `fits the limit in whole characters`(name: String, limit: Int, expected: String) {
    #expect(NumberedName.numbered(Array(name.utf8), 2, limit: limit) == Array(expected.utf8))
  }

  @Test func `need not be UTF-8`() {
    #expect(NumberedName.numbered([0xFF, 0x80, 0x80, 0x2E, 0x6A], 2) == [0xFF, 0x80, 0x80] + Array(" (2).j".utf8))
  }
}
