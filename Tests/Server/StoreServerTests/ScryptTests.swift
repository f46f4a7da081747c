import FileStores
import Testing

@testable import StoreServer

@Suite struct ScryptTests {
  @Test(
    "The hashes are those of RFC 7914, section 12",
    arguments: [
      ("", "", 16, 1, 1, "77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442"),
      ("password", "NaCl", 1024, 8, 16, "fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162"),
      (
        "pleaseletmein", "SodiumChloride", 16384, 8, 1,
        "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
      ),
    ])
  func vectors(_ password: String, _ salt: String, n: UInt64, r: UInt32, p: UInt32, right: String) throws {
    let hash = try Scrypt.hash(
      Array(password.utf8), salt: Array(salt.utf8), Scrypt.Cost(n: n, r: r, p: p), count: 64)
    let text = hash.prefix(32).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(text == right)
  }

  @Test("A digest is of its own word alone, and no two of a word are the same")
  func digests() throws {
    let (one, other) = (try Scrypt.digest(of: "word"), try Scrypt.digest(of: "word"))
    #expect(one != other && one.count == 48)
    #expect(try Scrypt.isDigest(one, of: "word"))
    #expect(try Scrypt.isDigest(other, of: "word"))
    #expect(try !Scrypt.isDigest(one, of: "words"))
    var changed = one
    changed[47] ^= 1
    #expect(try !Scrypt.isDigest(changed, of: "word"))
    #expect(try !Scrypt.isDigest([], of: "word"))
    #expect(try !Scrypt.isDigest(Array(one.prefix(32)), of: "word"))
  }

  @Test("What cannot be is an error")
  func impossible() {
    #expect(throws: StoreError.self) {
      try Scrypt.hash([], salt: [], Scrypt.Cost(n: 3, r: 8, p: 1), count: 32)
    }
  }
}
