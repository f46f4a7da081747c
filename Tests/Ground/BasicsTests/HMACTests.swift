import Basics
import Testing

/// The test cases of RFC 2202 (SHA-1) and RFC 4231 (SHA-256).
struct HMACTests {
  private static func hex(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  @Test(arguments: [
    (20, "Hi There", "b617318655057264e28bc0b6fb378c8ef146be00"),
    (0, "what do ya want for nothing?", "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"),
  ])
  func `SHA-1`(_ row: (key: Int, text: String, code: String)) {
    let key = row.key > 0 ? [UInt8](repeating: 0x0B, count: row.key) : Array("Jefe".utf8)
    #expect(Self.hex(HMAC.sha1(row.text, key: key)) == row.code)
  }

  @Test(arguments: [
    (20, "Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    (0, "what do ya want for nothing?", "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"),
  ])
  func `SHA-256`(_ row: (key: Int, text: String, code: String)) {
    let key = row.key > 0 ? [UInt8](repeating: 0x0B, count: row.key) : Array("Jefe".utf8)
    #expect(Self.hex(HMAC.sha256(row.text, key: key)) == row.code)
  }

  @Test func `a key that is longer than a block counts as its digest`() {
    let text = "Test Using Larger Than Block-Size Key - Hash Key First"
    #expect(
      Self.hex(HMAC.sha1(text, key: [UInt8](repeating: 0xAA, count: 80)))
        == "aa4ae5e15272d00e95705637ce8a3b55ed402112")
    #expect(
      Self.hex(HMAC.sha256(text, key: [UInt8](repeating: 0xAA, count: 131)))
        == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
  }
}
