import FileStores
import Testing

@testable import byteclub

/// Names that nobody can type are found by the form in which lists show them.
@Suite struct ShownNameTests {
  private func entries(_ names: [[UInt8]]) throws -> [FileEntry] {
    try names.map { FileEntry(path: try StorePath($0), kind: .file) }
  }

  private static let bad = Array("bad".utf8) + [0xFE] + Array(".md".utf8)

  @Test(arguments: [#"bad\xFE.md"#, #"bad\xFE"#, "bad\u{FFFD}.md"])
  func `as a terminal and as JSON show it`(_ typed: String) throws {
    let all = try entries([Array("good.md".utf8), Self.bad])
    #expect(ShownName.isPossible(typed))
    #expect(try ShownName.find(typed, in: all) { Array($0.name) }?.path.bytes == Self.bad)
  }

  @Test func `a control character is typed as it is shown`() throws {
    let all = try entries([Array("esc\u{1B}.md".utf8)])
    #expect(try ShownName.find("esc^[.md", in: all) { Array($0.name) } == all[0])
  }

  @Test func `nobody distinguishes two names that look the same`() throws {
    let all = try entries([Self.bad, Array("bad".utf8) + [0xFF] + Array(".md".utf8)])
    #expect(throws: StoreError.self) { try ShownName.find("bad\u{FFFD}.md", in: all) { Array($0.name) } }
  }

  @Test(arguments: ["plain.md", "Größe", "a b"])
  func `for a plain name no list is read`(_ typed: String) { #expect(!ShownName.isPossible(typed)) }
}
