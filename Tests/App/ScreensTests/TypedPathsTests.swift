import Testing

@testable import Screens

@Suite struct TypedPathsTests {
  @Test(arguments: [
    ("~/a b.jpg", [["~/a b.jpg"], ["~/a", "b.jpg"]]), ("/a.jpg", [["/a.jpg"]]),
    ("'/a b.jpg'", [["/a b.jpg"], ["'/a b.jpg'"]]), ("\"/it's.jpg\"", [["/it's.jpg"], ["\"/it's.jpg\""]]),
    ("/a\\ b.jpg", [["/a\\ b.jpg"], ["/a b.jpg"]]),
    ("'/a b.jpg' '/c.jpg'", [["/a b.jpg", "/c.jpg"], ["'/a b.jpg' '/c.jpg'"]]),
    ("file:///a%20b%C3%A9.jpg", [["/a bé.jpg"], ["file:///a%20b%C3%A9.jpg"]]),
    ("file://localhost/a.jpg", [["/a.jpg"], ["file://localhost/a.jpg"]]),
    ("file:///100%25%zz.jpg", [["/100%%zz.jpg"], ["file:///100%25%zz.jpg"]]),
    ("", []), ("'", [[""], ["'"]]),
  ])
  func `quotes, backslashes and addresses are read as terminals write them`(text: String, readings: [[String]]) {
    #expect(TypedPaths.readings(text) == readings)
  }
}
