import Basics
import Testing

struct AddressPasswordsTests {
  @Test(arguments: [
    ("https://ann:secret@host/dav", "https://...@host/dav"), ("https://token@host/", "https://...@host/"),
    ("\"http://ann:a@b:c@host:80\" is no address", "\"http://...@host:80\" is no address"),
    ("https://ann:se/cret@host/x", "https://...@host/x"),
    ("from http://a:b@c to ftp://d:e@f.", "from http://...@c to ftp://...@f."),
    ("socks5h://:secret@proxy", "socks5h://...@proxy"),
  ])
  func `a name and a password in an address are not shown`(row: (text: String, shown: String)) {
    #expect(row.text.withoutAddressPasswords == row.shown)
  }

  @Test(arguments: [
    "https://host:8443/a@b", "https://host/a@b", "ann@host.example: hello", "a://b", "me@x, https://host/", "",
    "https://[::1]:80/a@b",
  ])
  func `all else stays`(text: String) {
    #expect(text.withoutAddressPasswords == text)
  }
}
