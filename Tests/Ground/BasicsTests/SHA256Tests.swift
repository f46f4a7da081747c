import Basics
import Testing

@Suite struct SHA256Tests {
  @Test(
    "SHA-256 gives the values of FIPS 180-4",
    arguments: [
      ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
      ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    ])
  func sha256(text: String, hex: String) {
    #expect(SHA256.hexadecimal(of: text.utf8) == hex)
  }

  @Test func `pieces have the hash of the whole, and a hasher can be used again`() {
    let hasher = SHA256()
    for _ in 0..<2 {
      hasher.update([1, 2][...])
      hasher.update([3][...])
      #expect(hasher.finish() == SHA256.digest(of: [1, 2, 3]))
    }
  }
}
