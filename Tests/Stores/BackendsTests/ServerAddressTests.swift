import Backends
import FileStores
import Testing

@Suite struct ServerAddressTests {
  private static let pin = KeyPin(base64url: "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8")

  @Test(
    "An invitation is address, code and, over TLS, the pin of the server's key",
    arguments: [
      ("https://club.example", true, "https://club.example/join#CODE.AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"),
      ("HTTPS://Club.Example:8443/", false, "https://club.example:8443/join#CODE"),
      ("https://[2001:DB8::1]:8443", false, "https://[2001:db8::1]:8443/join#CODE"),
      ("http://127.0.0.1:8443", true, "http://127.0.0.1:8443/join#CODE"),
    ])
  func line(address: String, hasPin: Bool, line: String) throws {
    #expect(try ServerAddress(address).invitation(code: "CODE", pin: hasPin ? Self.pin : nil) == line)
  }

  @Test(
    "Only scheme, host and port are an address",
    arguments: [
      "", "club.example", "ftp://club.example", "https://", "https:///", "https://club.example/path", "https://a?b",
      "https://a#b", "https://ann:secret@club.example", "https://club.example:", "https://club.example:0",
      "https://club.example:65536", "https://club.example:x", "https://club.example:+8", "https://clüb.example",
      "https://[2001:db8::1",
      "https://[]", "https://2001:db8::1", "https://a b", "https://a\n", "https://'a'",
    ])
  func refused(text: String) {
    let error = #expect(throws: StoreError.self) { try ServerAddress(text) }
    #expect(error?.kind == .badInput && error?.remedy.contains("https://HOST") == true)
  }

  @Test(
    "An address that a friend elsewhere cannot reach, or not safely, has a warning",
    arguments: [
      ("https://club.example", 0), ("https://93.184.216.34", 0), ("https://[2606:2800::1]", 0),
      ("https://localhost:8443", 1), ("https://127.0.0.1", 1), ("https://[::1]", 1), ("https://192.168.1.20:8443", 1),
      ("https://10.0.0.1", 1), ("https://[fd00::1]", 1), ("https://nas", 1), ("https://nas.local", 1),
      ("http://club.example", 1), ("http://192.168.1.20", 2), ("http://localhost", 2),
    ])
  func warnings(text: String, count: Int) throws {
    let address = try ServerAddress(text)
    #expect(address.warnings.count == count, "\(address.warnings)")
  }
}
