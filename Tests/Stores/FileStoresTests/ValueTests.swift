import Basics
import FileStores
import Testing

@Suite struct ValueTests {
  @Test("The content hash is Dropbox's: SHA-256 over the SHA-256 of each 4 MiB block")
  func contentHash() throws {
    let block = 4 * 1024 * 1024
    let bytes = (0..<(block + 5)).map { UInt8(truncatingIfNeeded: $0) }
    func digest(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
      let hash = SHA256()
      hash.update(bytes)
      return hash.finish()
    }
    let expected = SHA256.hexadecimal(of: digest(bytes[..<block]) + digest(bytes[block...]))
    #expect(ContentHash(of: bytes).hex == expected)
    let pieces = ContentHasher()
    for start in stride(from: 0, to: bytes.count, by: 100_003) { pieces.update(bytes[start...].prefix(100_003)) }
    #expect(pieces.finish().hex == expected)
  }

  @Test("The content hash of nothing is the hash of nothing")
  func emptyHash() {
    #expect(ContentHash(of: []).hex == SHA256.hexadecimal(of: []))
  }

  @Test("A hash from outside needs 64 hexadecimal digits")
  func hashFromOutside() {
    #expect(ContentHash(hex: String(repeating: "A", count: 64))?.hex == String(repeating: "a", count: 64))
    #expect(ContentHash(hex: String(repeating: "a", count: 63)) == nil)
    #expect(ContentHash(hex: String(repeating: "g", count: 64)) == nil)
  }

  @Test("Paths know name, parent and what is below what")
  func paths() throws {
    let path = try StorePath("/a/b/c")
    #expect(path.description == "a/b/c" && Array(path.name) == [99])
    #expect(try path.parent == StorePath("a/b"))
    #expect(path.relative(to: try StorePath("a")).map(Array.init) == Array("b/c".utf8))
    #expect(path.relative(to: try StorePath("a/b/c")) == nil)
    #expect(try StorePath("ab").relative(to: StorePath("a")) == nil)
    #expect(StorePath.root.isRoot && StorePath.root.parent.isRoot)
    #expect(try StorePath("x/.byteclub-tmp/y").isReserved)
    #expect(try !StorePath("x/byteclub").isReserved)
  }

  @Test(
    "Bytes of a name that are not UTF-8 are spelled out",
    arguments: [
      ([0x62, 0xFE, 0x2E, 0x6D], #"b\xFE.m"#), ([0xE2, 0x82], #"\xE2\x82"#), ([0xC3, 0xBC, 0x80, 0xC3], #"ü\x80\xC3"#),
      ([0xF0, 0x9F, 0x61], #"\xF0\x9Fa"#), ([0xED, 0xA0, 0x80], #"\xED\xA0\x80"#),
    ] as [([UInt8], String)])
  func oddName(row: (bytes: [UInt8], text: String)) throws {
    #expect(try StorePath(row.bytes).description == row.text)
  }

  @Test("A sentence about the club's folder names it")
  func rootError() {
    let error = StoreError(.notFound, "\"\" does not exist.", path: .root)
    #expect(error.message == "The club's folder does not exist.")
    #expect(StoreError(.notFound, "\"\" does not exist.").message == "\"\" does not exist.")
    let refused = StoreError(.notPermitted, "The server does not permit list with \"\": no.", path: .root)
    #expect(refused.message == "The server does not permit list with the club's folder: no.")
  }

  @Test("A sentence about a long path leaves its middle out, also if it is shown again, and the path stays whole")
  func longPath() throws {
    let path = try StorePath(String(repeating: "a/", count: 1000) + "z")
    let error = StoreError(.badName, "The path \"\(path)\" is too long.", path: path)
    let shown = String(repeating: "a/", count: 45) + "…" + String(repeating: "/a", count: 44) + "/z"
    #expect(error.message == "The path \"\(shown)\" is too long." && error.path == path)
    #expect(StoreError(.badName, error.message, path: path).message == error.message)
    let wide = try StorePath(String(repeating: "海", count: 80))
    #expect(StoreError(.badName, "\"\(wide)\" is there.", path: wide).message == "\"\(wide)\" is there.")
    let short = try StorePath(String(repeating: "a/", count: 99) + "zz")
    #expect(StoreError(.badName, "\"\(short)\" is there.", path: short).message == "\"\(short)\" is there.")
  }

  @Test("Canonically equal names are different paths")
  func twins() throws {
    #expect(try StorePath("caf\u{E9}") != StorePath("cafe\u{301}"))
  }

  @Test("A child by raw name is the child by name, and no name is nil")
  func rawChild() throws {
    for folder in [StorePath.root, try StorePath("a/b")] {
      for name in [Array("x".utf8), [0xFE], Array("long name".utf8), Array("...".utf8)] {
        let child = name.withUnsafeBytes { folder.child(named: $0) }
        #expect(child == (try folder.appending(name)))
      }
      for name in [[], Array(".".utf8), Array("..".utf8), Array("a/b".utf8), [97, 0]] {
        #expect(name.withUnsafeBytes { folder.child(named: $0) } == nil)
      }
    }
  }

  @Test("Times that do not fit are clamped, and seconds round down")
  func timestamps() {
    #expect(Timestamp(seconds: .max).nanoseconds == .max && Timestamp(seconds: .min).nanoseconds == .min)
    #expect(Timestamp(nanoseconds: -1).seconds == -1 && Timestamp(nanoseconds: 1_999_999_999).seconds == 1)
    #expect(Timestamp(seconds: 5, nanoseconds: 7).nanoseconds == 5_000_000_007)
  }
}
