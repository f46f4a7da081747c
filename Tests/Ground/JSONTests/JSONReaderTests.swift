import JSON
import Testing

struct JSONReaderTests {
  private func read(_ text: String, _ change: (inout JSONReader.Options) -> Void = { _ in }) throws -> JSONValue {
    var options = JSONReader.Options()
    change(&options)
    return try JSONReader.read(Array(text.utf8), options)
  }

  @Test(
    arguments: [
      ("null", .null), (" true ", .bool(true)), ("false", .bool(false)), ("0", .integer(0)), ("-12", .integer(-12)),
      ("9223372036854775807", .integer(.max)), ("18446744073709551616", .fraction(18_446_744_073_709_551_616)),
      ("1.5e2", .fraction(150)), ("-2.5e+3", .fraction(-2500)), (#""a\"\\\/\b\f\n\r\tz""#, "a\"\\/\u{8}\u{C}\n\r\tz"),
      (#""\u00fc\u65E5\ud83d\udc69""#, "ü日👩"), ("[]", []), ("{ }", .object([])),
      (#"[1 , [ ] ,{"a":null}]"#, [.integer(1), [], .object([JSONMember("a", .null)])]),
    ] as [(String, JSONValue)])
  func `a text has its value`(_ row: (text: String, value: JSONValue)) throws {
    #expect(try read(row.text) == row.value)
  }

  @Test(arguments: [
    ("", "the text ends too early"), (" ", "the text ends too early"), ("[1", #"a "," or "]" is missing"#),
    ("[1,", "the text ends too early"), ("[1,]", "a value was expected"), ("[,1]", "a value was expected"),
    ("[1 2]", #"a "," or "]" is missing"#), ("{", "a key in double quotes was expected"),
    ("{a:1}", "a key in double quotes was expected"), (#"{"a":1,}"#, "a key in double quotes was expected"),
    (#"{"a" 1}"#, #"a ":" is missing after "a""#), (#"{"a":1"#, #"a "," or "}" is missing"#),
    ("01", "a number is not valid JSON"), ("-", "a number is not valid JSON"),
    ("1.", "a digit must follow the point"), ("1e", "a digit must follow the e"), ("1e999", "a number is too large"),
    (".5", "a value was expected"), ("+1", "a value was expected"), (#""\x""#, #"\x is not an escape of JSON"#),
    (#""\u12""#, #"four hexadecimal digits must follow \u"#),
    (#""\u12g4""#, #"four hexadecimal digits must follow \u"#),
    (#""\u+123""#, #"four hexadecimal digits must follow \u"#), (#""\ud800""#, "half of a surrogate pair is missing"),
    (#""\ud800\u0041""#, "half of a surrogate pair is missing"), (#""\udc00""#, "half of a surrogate pair is missing"),
    (#""a"#, "a text does not end"), (#""a\"#, "a text does not end"),
    ("\"a\nb\"", "a text does not end on its line"),
    ("\"\u{1}\"", "a text contains a control character"), ("1 2", "something follows the end"),
    ("truee", "something follows the end"), ("nul", "a value was expected"), ("# x", "JSON has no comments"),
    ("[1, // one\n2]", "JSON has no comments"), ("<html></html>", "a value was expected"),
    ("\u{FEFF}1", "a value was expected"),
  ])
  func `what is no JSON is refused with a reason`(_ row: (text: String, reason: String)) {
    let fault = #expect(throws: JSONReader.Fault.self) { try read(row.text) }
    #expect(fault?.reason == row.reason)
  }

  @Test(arguments: [
    ("x", 1, 1), ("[1,\n 2 3]", 2, 4), ("{\n\"a\": 1,\n  b: 2}", 3, 3), ("\n\n", 3, 1), ("{\"é\": x}", 1, 8),
  ])
  func `a fault says where it shows`(_ row: (text: String, line: Int, column: Int)) {
    let fault = #expect(throws: JSONReader.Fault.self) { try read(row.text) }
    #expect(fault?.place == JSONPlace(line: row.line, column: row.column))
  }

  @Test func `members say where they stand, when that is wanted`() throws {
    let text = "{\"a\": {\n\n  \"b\": [\n{\"c\":1}], \"d\": 2}}"
    let value = try read(text) { $0.keepsPlaces = true }
    func places(_ value: JSONValue?) -> [JSONPlace?] {
      if case .object(let members)? = value { members.map(\.place) } else { [] }
    }
    #expect(places(value) == [JSONPlace(line: 1, column: 2)])
    #expect(places(value["a"]) == [JSONPlace(line: 3, column: 3), JSONPlace(line: 4, column: 11)])
    #expect(places(value["a"]?["b"]?.elements?.first) == [JSONPlace(line: 4, column: 2)])
    #expect(places(try read(text)) == [nil])
  }

  @Test(arguments: [[0x22, 0xFF, 0x22], [0x22, 0xED, 0xA0, 0x80, 0x22], [0x22, 0xC0, 0x80, 0x22]] as [[UInt8]])
  func `bytes that are no UTF-8 are refused`(_ bytes: [UInt8]) {
    let fault = #expect(throws: JSONReader.Fault.self) { try JSONReader.read(bytes) }
    #expect(fault?.reason == "a text is not UTF-8")
  }

  @Test func `what is nested too deeply, or too long, is refused, however long it goes on`() throws {
    func nested(_ depth: Int) -> String { String(repeating: "[", count: depth) + String(repeating: "]", count: depth) }
    _ = try read(nested(64))
    _ = try read(nested(3)) { $0.depth = 3 }
    for text in [nested(65), String(repeating: "[", count: 2_000_000), String(repeating: #"{"a":"#, count: 300_000)] {
      let fault = #expect(throws: JSONReader.Fault.self) { try read(text) }
      #expect(fault?.reason == "values are nested too deeply")
    }
    _ = try read("[1,2]") { $0.mostBytes = 5 }
    let fault = #expect(throws: JSONReader.Fault.self) { try read("[1,2]") { $0.mostBytes = 4 } }
    #expect(fault?.reason == "the text has more than 4 bytes")
  }

  @Test func `half of a pair is mended, and a mark at the beginning passed over, when that is wanted`() throws {
    #expect(try read(#""\ud83d""#) { $0.mendsHalfPairs = true } == "\u{FFFD}")
    #expect(try read(#""\ud83dx\udc69""#) { $0.mendsHalfPairs = true } == "\u{FFFD}x\u{FFFD}")
    #expect(try read("\u{FEFF}1") { $0.takesByteOrderMark = true } == .integer(1))
    #expect(throws: JSONReader.Fault.self) { try read("1\u{FEFF}") { $0.takesByteOrderMark = true } }
  }

  @Test func `text that is cut anywhere is refused and never read as another value`() {
    let text = Array(#"{"a":[1,-2.5e+3,true,null,"x\u00e9\ud83d\ude00"],"b":{"c":"d"}}"#.utf8)
    for length in 0..<text.count {
      #expect(throws: JSONReader.Fault.self) { try JSONReader.read(Array(text[..<length])) }
    }
  }
}
