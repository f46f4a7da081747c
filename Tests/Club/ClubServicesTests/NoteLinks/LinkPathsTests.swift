import FileStores
import Testing

@testable import ClubServices

/// The file that a link leads to, by tables.
@Suite struct LinkPathsTests {
  private static let club = [
    "x.md", "trips/x.md", "trips/2026/x.md", "trips/2026/oslo.md", "trips/oslo quay.md", "work/oslo.md",
    "work/a/b/far.md",
    "photos/pier.jpg", "trips/pier.jpg", "100% sure.md", "v1.2.md", "plain", "plain.md", "Über.md", "a#b.jpg",
    "one/Case.md", "one/case.md", "deep/Only.md",
  ]

  private func file(_ words: LinkWords?, from note: String) throws -> String? {
    let paths = LinkPaths(try Self.club.map { try StorePath($0) })
    return try words.flatMap { paths.file($0, from: try StorePath(note)) }.map { "\($0)" }
  }

  @Test(arguments: [
    // The path from the top, then the note's folder and below it, then the fewest folders.
    ("x", "work/oslo.md", "x.md"), ("x", "trips/oslo quay.md", "x.md"), ("oslo", "work/a/b/far.md", "work/oslo.md"),
    ("oslo", "trips/x.md", "trips/2026/oslo.md"), ("oslo", "x.md", "work/oslo.md"),
    ("2026/x", "x.md", "trips/2026/x.md"),
    ("trips/x.md", "work/oslo.md", "trips/x.md"), ("b/far", "x.md", "work/a/b/far.md"),
    ("far#A heading", "x.md", "work/a/b/far.md"),
    ("oslo quay", "x.md", "trips/oslo quay.md"), ("oslo%20quay", "x.md", "trips/oslo quay.md"),
    (" far #x", "x.md", "work/a/b/far.md"), ("/x", "trips/x.md", "x.md"), ("./x", "trips/oslo quay.md", "trips/x.md"),
    ("../x", "trips/2026/oslo.md", "trips/x.md"), ("100% sure", "x.md", "100% sure.md"),
    ("v1.2", "trips/x.md", "v1.2.md"),
    ("plain", "x.md", "plain"), ("U\u{308}ber", "work/oslo.md", "Über.md"), ("only", "x.md", "deep/Only.md"),
    ("DEEP/only.MD", "x.md", "deep/Only.md"), ("pier.jpg", "x.md", "trips/pier.jpg"),
    ("pier.jpg", "photos/a.md", "photos/pier.jpg"),
    ("pier.jpg", "trips/x.md", "trips/pier.jpg"), ("Case", "x.md", "one/Case.md"), ("case", "x.md", "one/case.md"),
  ])
  func `a wiki link leads where Obsidian leads`(link: String, note: String, file: String) throws {
    #expect(try self.file(LinkWords(wiki: link), from: note) == file)
  }

  @Test(arguments: [
    ("oslo.md", "trips/2026/x.md", "trips/2026/oslo.md"), ("../x.md", "trips/2026/oslo.md", "trips/x.md"),
    ("x", "trips/oslo quay.md", "trips/x.md"), ("/x.md", "trips/x.md", "x.md"),
    ("2026/oslo", "trips/x.md", "trips/2026/oslo.md"),
    ("oslo%20quay.md#far", "trips/x.md", "trips/oslo quay.md"), ("oslo quay.md", "trips/x.md", "trips/oslo quay.md"),
    ("photos/pier.jpg", "trips/2026/x.md", "photos/pier.jpg"), ("../photos/pier.jpg", "trips/x.md", "photos/pier.jpg"),
    ("a%23b.jpg", "x.md", "a#b.jpg"), ("100%25%20sure.md", "x.md", "100% sure.md"),
    ("./oslo.md", "work/a.md", "work/oslo.md"),
    ("2026/./../x.md", "trips/oslo quay.md", "trips/x.md"),
    // As Obsidian writes an address: the end of a path.
    ("far.md", "x.md", "work/a/b/far.md"),
  ])
  func `an address leads from the note's folder, or from the top`(address: String, note: String, file: String) throws {
    #expect(try self.file(LinkWords(address: address), from: note) == file)
  }

  @Test(arguments: ["nobody", "CASE", "../x", "/work", "trips", "../../x", "2027/x", "", "/", "."])
  func `a link to nothing, to a folder, out of the club or to several leads nowhere`(link: String) throws {
    #expect(try file(LinkWords(wiki: link), from: "x.md") == nil)
  }

  @Test(arguments: ["https://x.example/x.md", "mailto:x", "#x", "", "javascript:x"])
  func `an address with a scheme and a heading alone are no path`(address: String) {
    #expect(LinkWords(address: address) == nil)
  }

  @Test func `folders of one thousand levels and long names are looked through in one pass`() throws {
    let deep = String(repeating: "d/", count: 1000) + "x.md"
    let paths = LinkPaths([try StorePath(deep)])
    let up = try #require(LinkWords(address: String(repeating: "../", count: 1000) + deep))
    #expect(paths.file(up, from: try StorePath(deep)) == (try StorePath(deep)))
    #expect(LinkWords(wiki: "x").flatMap { paths.file($0, from: .root) } == (try StorePath(deep)))
  }
}
