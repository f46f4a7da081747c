import Testing

@testable import Accounts

struct FormEncodingTests {
  @Test func `everything that could mean something else is escaped`() {
    let text = FormEncoding.text(["a b": "c&d=e+f%/?#é~", "none": nil, "n": "\n"])
    #expect(text == "a%20b=c%26d%3De%2Bf%25%2F%3F%23%C3%A9~&n=%0A")
  }

  @Test func `what is written is read back`() {
    let text = FormEncoding.text(["code": "a+b/c=&é", "state": ""])
    #expect(FormEncoding.fields(of: text[...]) == ["code": "a+b/c=&é", "state": ""])
  }

  @Test(arguments: ["a=%", "a=%4", "a=%zz", "a=%+1", "a=%ff", "a=1&a=2", "%zz=1"])
  func `what is broken or said twice is refused`(_ text: String) {
    #expect(FormEncoding.fields(of: text[...]) == nil)
  }

  @Test func `a plus is a space and a name may stand alone`() {
    #expect(FormEncoding.fields(of: "a=b+c&d") == ["a": "b c", "d": ""])
  }
}
