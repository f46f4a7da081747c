import Testing

@testable import byteclub

struct NearestWordTests {
  @Test(arguments: [
    ("nte", "note"), ("ntoe", "note"), ("NOTE", "note"), ("notes", "note"), ("phto", "photo"), ("serach", "search"),
    ("xyzzy", nil), ("", nil),
  ])
  func `the nearest word is the one with the fewest slips`(_ row: (typed: String, near: String?)) {
    #expect(NearestWord.to(row.typed, in: ["note", "photo", "trash", "search"]) == row.near)
  }

  @Test(arguments: [("", "abc", 3), ("abc", "abc", 0), ("abc", "acb", 1), ("abc", "abd", 1), ("kitten", "sitting", 3)])
  func `slips are letters added, left out, changed or swapped`(_ row: (String, String, Int)) {
    #expect(NearestWord.distance(Array(row.0), Array(row.1)) == row.2)
  }
}
