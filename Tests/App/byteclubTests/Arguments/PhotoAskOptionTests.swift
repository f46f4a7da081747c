import ArgumentParser
import Backends
import ClubServices
import FileStores
import Testing

@testable import byteclub

/// The options of `byteclub photo ask`, and its sentences about phones.
@Suite struct PhotoAskOptionTests {
  @Test(
    arguments: [
      ("1", 1), ("340", 340), ("20KiB", 20_480), ("500MiB", 524_288_000), ("2GiB", 2_147_483_648),
    ] as [(String, UInt64)])
  func `a size is read`(text: String, bytes: UInt64) throws { #expect(try PhotoAsk.bytes(text) == bytes) }

  @Test(arguments: ["", "0", "MiB", "-1", "1.5GiB", "5 MiB", "500MB", "20kib", "999999999999GiB", "0x10", "1e9"])
  func `another size is refused`(text: String) { #expect(throws: (any Error).self) { try PhotoAsk.bytes(text) } }

  @Test func `the page ends in a day, and never without an end`() throws {
    let plain = try PhotoAsk.parse([])
    #expect(plain.expires == .after(86_400) && plain.limit == 500 << 20 && plain.folder.isEmpty && plain.giver.isEmpty)
    #expect(throws: (any Error).self) { try PhotoAsk.parse(["--expires", "never"]) }
  }

  @Test(
    arguments: [
      ("http://127.0.0.1:8080/d/code", [:], "No phone reaches"),
      ("https://localhost/d/code", ["pin": "sha256//x"], "No phone reaches"),
      ("https://club.example/d/code", ["pin": "sha256//x"], "own certificate"),
      ("https://club.example/d/code", ["caFile": "/ca.pem"], "own certificate"),
      ("https://club.example/d/code", [:], nil),
    ] as [(String, [String: String], String?)])
  func `a sentence names a phone that cannot come, or that warns`(
    address: String, options: [String: String], words: String?
  ) {
    let sentences = PhotoAsk.warnings(address, StoreDescription(kind: "dropbox", options: options))
    #expect(sentences.count == (words == nil ? 0 : 1))
    #expect(words.map { sentences.first?.contains($0) == true } != false, "\(sentences)")
  }
}
