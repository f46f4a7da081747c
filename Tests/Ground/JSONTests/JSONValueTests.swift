import JSON
import Testing

struct JSONValueTests {
  @Test func `of two members with one key the last counts, and null counts as nothing`() throws {
    let value = try JSONReader.read(Array(#"{"a":1,"a":2,"b":null,"c":3,"c":null}"#.utf8))
    #expect(value["a"] == .integer(2))
    #expect(value["b"] == nil && value["c"] == nil && value["d"] == nil)
    #expect(JSONValue.string("x")["a"] == nil)
  }

  @Test func `keys are compared byte by byte`() {
    let value = JSONValue.object([JSONMember("e\u{301}", .integer(1)), JSONMember("\u{E9}", .integer(2))])
    #expect(value["e\u{301}"] == .integer(1))
    #expect(value["\u{E9}"] == .integer(2))
  }

  @Test func `an object is written in its order, without what is nil`() {
    let value = JSONValue.members(["b": true, "left out": nil, "a": [.number(UInt64.max), .fraction(2.5), .null]])
    #expect(value.encoded == #"{"b":true,"a":[9223372036854775807,2.5,null]}"#)
    #expect(value.adding([JSONMember(".tag", "x")], first: true).encoded.hasPrefix(#"{".tag":"x","b""#))
    #expect(JSONValue.string("x").adding([JSONMember("a", "b")]) == "x")
    #expect(JSONValue.fraction(.infinity).encoded == "null")
  }

  @Test func `with spaces, there is one behind each comma and colon, and in no text`() {
    let value = JSONValue.members(["a": [.integer(1), "x,y:z"], "b": .members([:]), "ü": .null])
    #expect(value.spaced == #"{"a": [1, "x,y:z"], "b": {}, "ü": null}"#)
    #expect(value.spacedASCII == #"{"a": [1, "x,y:z"], "b": {}, "\u00fc": null}"#)
  }

  @Test(arguments: [
    ("some_üñîcødé_and_\u{7F}", #""some_\u00fc\u00f1\u00eec\u00f8d\u00e9_and_\u007f""#),
    ("👩‍🚀", #""\ud83d\udc69\u200d\ud83d\ude80""#), ("\"\\/\n", #""\"\\/\n""#), ("e\u{301}", #""e\u0301""#),
    ("\u{FFFF}\u{10FFFF}", #""\uffff\udbff\udfff""#), ("\0\u{1F}\t\r", #""\u0000\u001f\t\r""#),
  ])
  func `as ASCII it has no control character and is read back`(_ row: (text: String, spelled: String)) throws {
    let written = JSONValue.string(row.text).ascii
    #expect(written == row.spelled)
    #expect(written.utf8.allSatisfy { 0x20..<0x7F ~= $0 })
    let back = try #require(try JSONReader.read(Array(written.utf8)).text)
    #expect(Array(back.utf8) == Array(row.text.utf8))
  }

  @Test func `what could drive a terminal is escaped, and other letters are not`() throws {
    let text = "\u{1B}[31m\u{9B}\u{7F}\u{202E}\u{200B}\u{2028}é日👩"
    let written = JSONValue.string(text).encoded
    #expect(written == #""\u001b[31m\u009b\u007f\u202e\u200b\u2028é日👩""#)
    #expect(try JSONReader.read(Array(written.utf8)) == .string(text))
  }

  @Test(arguments: [
    #"{"a":[1,-2500.0,true,false,null,"x"],"b":{}}"#, #""\"\\/\u0008\u000c\n\r\t""#, "[[],{}]", "0",
  ])
  func `what is written is read again`(_ text: String) throws {
    let value = try JSONReader.read(Array(text.utf8))
    #expect(value.encoded == text && value.ascii == text)
  }
}
