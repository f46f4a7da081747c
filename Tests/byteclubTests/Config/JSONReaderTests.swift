import Testing

@testable import byteclub

struct JSONReaderTests {
  @Test(arguments: [
    #"{"a":[1,-2.5e+3,true,false,null,"x"],"b":{}}"#, #""\"\\\/\b\f\n\r\t""#, #""\u00e9\ud83d\ude00""#, "[[],{}]",
    " 0 ",
  ])
  func `what is written is read again`(_ text: String) throws {
    let value = try JSONReader.read(Array(text.utf8)).value
    #expect(try JSONReader.read(Array(value.encoded.utf8)).value.encoded == value.encoded)
  }

  @Test func `escapes become the characters that they stand for`() throws {
    #expect(try JSONReader.read(Array(#""\u00e9\ud83d\ude00\n""#.utf8)).value == .string("é😀\n"))
  }

  @Test(arguments: [
    ("01", "a number is not written as JSON wants it"), ("1.", "a digit must follow the point"),
    ("-", "a number is not written as JSON wants it"), ("1e", "a digit must follow the e"),
    (#""\x""#, #"\x is no escape that JSON knows"#), (#""\u12"#, #"four hexadecimal digits must follow \u"#),
    (#""\ud800""#, "half of a surrogate pair is missing"), (#""a"#, "a text is not closed"),
    ("\"a\nb\"", "a text is not closed on its line"), ("[1 2]", #"a "," or "]" is missing"#),
    (#"{"a" 1}"#, #"a ":" is missing after "a""#), ("{a:1}", "a key in double quotes was expected"),
    ("1 2", "there is something after the end"), ("nul", "a value was expected"), ("# x", "JSON has no comments"),
    (String(repeating: "[", count: 200), "values are nested too deeply"),
  ])
  func `what is no JSON is refused with a reason`(_ row: (text: String, reason: String)) {
    #expect(throws: JSONReader.Fault(line: 1, reason: row.reason)) { try JSONReader.read(Array(row.text.utf8)) }
  }

  @Test func `bytes that are not UTF-8 are refused`() {
    #expect(throws: JSONReader.Fault.self) { try JSONReader.read([0x22, 0xFF, 0x22]) }
  }

  @Test func `what could drive a terminal is escaped when written`() {
    let text = JSONValue.string("\u{1B}[31m\u{9B}\u{7F}\u{202E}\u{200B}é").encoded
    #expect(text == #""\u001b[31m\u009b\u007f\u202e\u200bé""#)
  }
}
