import Basics
import Testing

struct PercentEncodingTests {
  @Test func `everything that could mean something else is escaped`() {
    let text = "aZ09-._~ &=+%/?#é"
    #expect(PercentEncoding.encoded(text) == "aZ09-._~%20%26%3D%2B%25%2F%3F%23%C3%A9")
    #expect(PercentEncoding.encoded("a b/c", keepingSlashes: true) == "a%20b/c")
    #expect(PercentEncoding.decoded(PercentEncoding.encoded(text)) == text)
  }

  @Test func `a plus is a space in a form alone`() {
    #expect(PercentEncoding.decoded("a+b%2Bc") == "a b+c")
    #expect(PercentEncoding.decoded("a+b%2bc", plusIsSpace: false) == "a+b+c")
  }

  @Test(arguments: ["%", "%4", "a%zz", "%+1", "%ff", "% 1"])
  func `a broken escape is no text`(_ text: String) { #expect(PercentEncoding.decoded(text) == nil) }

  @Test func `forms are written and read in order`() {
    let text = PercentEncoding.form([("a b", "c&d"), ("e", "")])
    #expect(text == "a%20b=c%26d&e=")
    let pairs = PercentEncoding.pairs(ofForm: text + "&f&%zz=1&g=%ff")
    #expect(pairs.map(\.name) == ["a b", "e", "f", nil, "g"])
    #expect(pairs.map(\.value) == ["c&d", "", "", "1", nil])
    #expect(PercentEncoding.pairs(ofForm: "a&b&c", most: 2).count == 2)
  }
}
