import FileStores
import TestKit
import Testing

@testable import Backends

@Suite("The pin of a server's key")
struct KeyPinTests {
  /// The bytes 0xFB, 0xFF and 30 zeros, whose texts differ in both alphabets.
  private static let short = "-_8" + String(repeating: "A", count: 40)
  private static let long = "sha256//+/8" + String(repeating: "A", count: 40) + "="

  @Test func `A pin has one text for an invitation, and one for the config`() throws {
    let pin = try #require(KeyPin(base64url: KeyPinTests.short))
    #expect(pin.base64url == KeyPinTests.short)
    #expect(pin.configText == KeyPinTests.long)
    #expect(KeyPin(configText: KeyPinTests.long) == pin)
    // SHA-256 of nothing (FIPS 180-4).
    #expect(KeyPin(publicKey: []).base64url == "47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU")
  }

  @Test(arguments: [
    "", "\(short)=", "\(short)A", "\(short.dropLast())", "+/8\(short.dropFirst(3))", " \(short.dropFirst())",
    // A last letter with bits that no byte has.
    "\(short.dropLast())B", long,
  ])
  func `Any other text of an invitation is none`(text: String) { #expect(KeyPin(base64url: text) == nil) }

  @Test(arguments: [
    "", "\(long.dropLast())", "\(long)=", "SHA256//\(long.dropFirst(8))", "\(long.dropFirst(8))", "\(long)\n",
    " \(long)", "sha256//\(short)", "sha256//", "/etc/ssl/club.pem", "\(long.dropLast(2))B=",
  ])
  func `Any other text of a config is none`(text: String) { #expect(KeyPin(configText: text) == nil) }

  @Test(arguments: [(1, true), (2, true), (0, false), (3, false)])
  func `A setting has one pin or two`(count: Int, isRight: Bool) throws {
    let text = Array(repeating: KeyPinTests.long, count: count).joined(separator: ";")
    if isRight {
      #expect(try KeyPin.list(configText: text).count == count)
    } else {
      #expect { try KeyPin.list(configText: text) } throws: { ($0 as? StoreError)?.kind == .badInput }
    }
  }

  private static let places: [(String, [String: String], String)] = [
    ("dropbox", [:], "server"), ("dropbox-v1", [:], "server"), ("webdav", [:], "url"),
    ("s3", ["bucket": "club"], "endpoint"),
  ]

  private func options(_ place: (String, [String: String], String), _ address: String, _ pin: String) throws
    -> HTTPOptions
  {
    var store = StoreDescription(kind: place.0, options: place.1)
    store.options[place.2] = address
    store.options["pin"] = pin
    return try #require(try StoreRegistry.standard.kind(place.0).httpOptions(for: store))
  }

  @Test(arguments: places)
  func `Each kind with a server takes the setting, for that server over TLS alone`(
    place: (String, [String: String], String)
  ) throws {
    let right = try options(place, "https://club.example:8443", KeyPinTests.long)
    for origin in right.origins { #expect(right.pins(for: origin).map(\.configText) == [KeyPinTests.long]) }
    #expect(right.pins(for: try #require(HTTPOrigin("https://other.example:8443"))).isEmpty)
    for (address, pin) in [
      ("http://127.0.0.1:8443", KeyPinTests.long), ("https://club.example", KeyPinTests.short),
      ("https://club.example", ""),
    ] {
      #expect {
        try options(place, address, pin)
      } throws: { error in
        let error = error as? StoreError
        return error?.kind == .badInput && error?.description.contains("\"pin\"") == true
      }
    }
  }

  @Test func `A club at Dropbox itself has no pin`() {
    let store = StoreDescription(kind: "dropbox", options: ["pin": KeyPinTests.long])
    #expect {
      try StoreRegistry.standard.kind("dropbox").httpOptions(for: store)
    } throws: { ($0 as? StoreError)?.message.contains("\"pin\"") == true }
  }
}
