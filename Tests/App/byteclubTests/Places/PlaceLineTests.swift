import Basics
import FileStores
import Testing

@testable import byteclub

/// The line that fills in a friend's form.
struct PlaceLineTests {
  private static let values = [
    (key: "url", value: "https://c.example/dav/Our Club"), (key: "pin", value: "sha256//a+b=."),
  ]
  private static let line = PlaceLine.text("webdav", values)

  /// A line with a right check.
  static func line(_ kind: String, _ query: String) -> String {
    let check = SHA256.hexadecimal(of: "\(kind)?\(query)".utf8).prefix(8)
    return "byteclub:\(kind)?\(query)&check=\(check)"
  }

  @Test(arguments: [
    line, " \(line)\n", "\(line).", "<\(line)>", "(\(line)).", "\"\(line)\"", "“\(line)”", "`\(line)`",
    "Here: \(line) - Ann", "\(line). See you there!", "\(line)\r\nSent from my phone",
    "Here is byteclub: \(line)", "B\(line.dropFirst())",
    "\(line.prefix(30))\n  \(line.dropFirst(30))", "\(line.prefix(20))\u{AD}\(line.dropFirst(20))\u{200F}",
  ])
  func `what a chat program puts around a line or into it does no harm`(_ text: String) throws {
    let read = try #require(try PlaceLine(text))
    #expect(read.kind == "webdav" && read.values.map(\.key) == ["url", "pin"])
    #expect(read.values.map(\.value) == Self.values.map(\.value))
  }

  @Test func `a line that was cut or changed anywhere says so`() throws {
    for length in "byteclub:webdav?".count..<Self.line.count {
      let error = #expect(throws: StoreError.self) { try PlaceLine(String(Self.line.prefix(length))) }
      #expect(error?.message.contains("is not whole") == true, "\(length)")
    }
    for changed in [
      Self.line.replacing("c.example", with: "c.evil"), Self.line.replacing("webdav", with: "s3"),
      Self.line.replacing("&pin", with: "&amp;pin"),
    ] {
      let error = #expect(throws: StoreError.self) { try PlaceLine(changed) }
      #expect(error?.message.contains("is not whole") == true, "\(changed)")
    }
  }

  @Test(arguments: [
    "", "hello", "byteclub", "byteclub:", "byteclub: it is fun", "byteclub:webdav", "https://club.example/join#CODE",
    "Here is byteclub: https://club.example/join#AbCdEfGhIjKlMnOpQrSt-_", String(repeating: "a", count: 20_000),
  ])
  func `any other text is no such line`(_ text: String) throws {
    #expect(try PlaceLine(text) == nil)
  }

  @Test(arguments: [
    ("a=1&a=2", "has \"a\" twice"), ("a", "without a name or a value"), ("=1", "without a name"),
    ("", "without a name"), ("a=1&", "without a name"), ("a%62=1", "without a name"), ("a=%1B%5B2J", "cannot be read"),
    ("a=%E2%80%AE", "cannot be read"), ("a=%FF", "cannot be read"), ("a=%4", "cannot be read"),
    ("a=" + String(repeating: "x", count: 2048), "is longer"),
  ])
  func `what no such line has is a sentence`(_ row: (query: String, words: String)) {
    let error = #expect(throws: StoreError.self) { try PlaceLine(Self.line("webdav", row.query)) }
    #expect(error?.kind == .badInput && error?.message.contains(row.words) == true, "\(error?.message ?? "")")
    #expect(error?.description.contains("\u{1B}") == false)
  }
}
