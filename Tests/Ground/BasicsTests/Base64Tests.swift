import Basics
import Testing

struct Base64Tests {
  @Test(arguments: [
    ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
    ("foobar", "Zm9vYmFy"),
  ])
  func `the examples of RFC 4648`(_ row: (plain: String, text: String)) {
    let short = String(row.text.prefix { $0 != "=" })
    #expect(Base64.text(of: row.plain.utf8) == row.text)
    #expect(Base64.text(of: row.plain.utf8, .url) == short)
    for text in [row.text, short] { #expect(Base64.bytes(of: text) == Array(row.plain.utf8)) }
  }

  @Test func `the two variants differ in two letters, and do not read each other's`() {
    let bytes: [UInt8] = [0xFB, 0xFF, 0xBF]
    #expect(Base64.text(of: bytes) == "+/+/" && Base64.text(of: bytes, .url) == "-_-_")
    #expect(Base64.bytes(of: "-_-_", .url) == bytes && Base64.bytes(of: "-_-_") == nil)
    #expect(Base64.bytes(of: "+/+/", .url) == nil)
  }

  @Test(arguments: ["Z", "Zm9vY", "Zm 9v", "Zm=9v", "é", "Zm9v\n"])
  func `a text that is not base64 has no bytes`(_ text: String) { #expect(Base64.bytes(of: text) == nil) }

  @Test func `every byte at every place is read back`() {
    for count in 0..<7 {
      for byte in UInt8.min...UInt8.max {
        let bytes = [UInt8](repeating: byte, count: count)
        #expect(Base64.bytes(of: Base64.text(of: bytes)) == bytes)
      }
    }
  }
}
