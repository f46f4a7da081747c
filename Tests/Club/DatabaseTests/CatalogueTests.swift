import FileStores
import TestKit
import Testing

@testable import Database

@Suite struct CatalogueTests {
  private let hash = ContentHash(of: [1])
  private let other = ContentHash(of: [2])

  @Test func `a content is known for its revision alone`() throws {
    let catalogue = try CatalogueDatabase(path: ":memory:")
    let path = try StorePath("photos/a.jpg")
    try catalogue.remember(hash, of: path, revision: Revision("1"), club: "c")
    #expect(try catalogue.contentHash(of: path, revision: Revision("1"), club: "c") == hash)
    #expect(try catalogue.contentHash(of: path, revision: Revision("2"), club: "c") == nil)
    #expect(try catalogue.contentHash(of: path, revision: Revision("1"), club: "d") == nil)
    try catalogue.remember(other, of: path, revision: Revision("2"), club: "c")
    #expect(try catalogue.contentHash(of: path, revision: Revision("1"), club: "c") == nil)
    #expect(try catalogue.contentHash(of: path, revision: Revision("2"), club: "c") == other)
    #expect(try catalogue.clear() == 1)
  }

  @Test func `a damaged catalogue is made anew`() throws {
    let folder = try TemporaryFolder()
    try folder.write("catalogue.sqlite", Array(repeating: 0x55, count: 9000))
    let catalogue = try CatalogueDatabase(path: folder.file("catalogue.sqlite"))
    try catalogue.remember(hash, of: try StorePath("a"), revision: Revision("1"), club: "c")
    #expect(try catalogue.clear() == 1)
    #expect(folder.names().allSatisfy { $0.hasPrefix("catalogue.sqlite") && !$0.contains("damaged") })
    #expect(folder.mode("catalogue.sqlite") == 0o600)
  }

  @Test func `the catalogue is there at the next start`() throws {
    let folder = try TemporaryFolder()
    let path = try StorePath(Array("a".utf8) + [0xFF])
    try CatalogueDatabase(path: folder.file("c")).remember(hash, of: path, revision: Revision("1"), club: "c")
    let again = try CatalogueDatabase(path: folder.file("c"))
    #expect(try again.contentHash(of: path, revision: Revision("1"), club: "c") == hash)
  }
}
