import Testing

@testable import Backends

@Suite struct JSONTests {
  private func parse(_ text: String) -> JSONValue? { JSONParser.value(of: Array(text.utf8)) }

  @Test(
    "A JSON text has its value:",
    arguments: [
      ("null", .null), (" true ", .bool(true)), ("false", .bool(false)), ("0", .integer(0)), ("-12", .integer(-12)),
      ("9223372036854775807", .integer(.max)), ("18446744073709551616", .number(18_446_744_073_709_551_616)),
      ("1.5e2", .number(150)), (#""a\"\\\/\b\f\n\r\tz""#, .string("a\"\\/\u{8}\u{C}\n\r\tz")),
      (#""\u00fc\u65E5\ud83d\udc69""#, .string("ü日👩")), (#""\ud83d""#, .string("\u{FFFD}")),
      (#""\ud83dx\udc69""#, .string("\u{FFFD}x\u{FFFD}")), ("[]", .array([])), ("{ }", .object([])),
      (#"[1 , [ ] ,{"a":null}]"#, .array([.integer(1), .array([]), .object([JSONMember(key: "a", value: .null)])])),
    ] as [(String, JSONValue)])
  func reads(_ text: String, _ value: JSONValue) {
    #expect(parse(text) == value)
  }

  @Test(
    "What is no JSON is nil:",
    arguments: [
      "", " ", "nul", "truee", "01", "-", "1.", "1e", ".5", "+1", "\"", "\"a", "\"\n\"", #""\x""#, #""\u12""#,
      #""\u12g4""#,
      "[", "[1", "[1,", "[1,]", "[,1]", "{", "{\"a\"", "{\"a\":", "{\"a\":1", "{\"a\":1,}", "{a:1}", "{\"a\" 1}", "1 2",
      "<html></html>", "1e999", "\u{FEFF}1",
    ])
  func refuses(_ text: String) {
    #expect(parse(text) == nil)
  }

  @Test("Bytes that are no UTF-8 are no JSON")
  func refusesBytes() {
    #expect(JSONParser.value(of: [34, 0xFF, 34]) == nil)
    #expect(JSONParser.value(of: [34, 0xED, 0xA0, 0x80, 34]) == nil)
  }

  @Test("A text may be 64 deep, and no deeper, however long it goes on")
  func depth() {
    func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    #expect(parse(nested(64)) != nil)
    #expect(parse(nested(65)) == nil)
    #expect(parse(String(repeating: "[", count: 2_000_000)) == nil)
    #expect(parse(String(repeating: #"{"a":"#, count: 300_000)) == nil)
  }

  @Test("Of two members with one key the last counts, and null counts as nothing")
  func members() {
    #expect(parse(#"{"a":1,"a":2}"#)?["a"] == .integer(2))
    #expect(parse(#"{"a":null}"#)?["a"] == nil)
  }

  @Test(
    "What is written is ASCII, has no control character and is read back:",
    arguments: [
      ("some_üñîcødé_and_\u{7F}", #""some_\u00fc\u00f1\u00eec\u00f8d\u00e9_and_\u007f""#),
      ("👩‍🚀", #""\ud83d\udc69\u200d\ud83d\ude80""#), ("\"\\/\n", #""\"\\/\u000a""#), ("e\u{301}", #""e\u0301""#),
      ("\u{FFFF}\u{10FFFF}", #""\uffff\udbff\udfff""#),
    ])
  func writes(_ text: String, _ spelled: String) throws {
    let written = JSONText.ascii(.members(["field": .string(text), "left out": nil]))
    #expect(written == #"{"field":\#(spelled)}"#)
    #expect(written.utf8.allSatisfy { 0x20..<0x7F ~= $0 })
    let back = try #require(parse(written)?["field"]?.text)
    #expect(Array(back.utf8) == Array(text.utf8))
  }
}
