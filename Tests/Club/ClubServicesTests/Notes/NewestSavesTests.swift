import Database
import FileStores
import Testing

@testable import ClubServices

@Suite struct NewestSavesTests {
  private func save(_ draft: String, over base: String?, _ text: String) throws -> SaveRecord {
    SaveRecord(
      club: "c", path: try StorePath("n.md"), base: base.map { Revision($0) }, baseHash: nil, draft: draft,
      text: Array(text.utf8), created: Timestamp(seconds: 1), owner: "o")
  }

  @Test func `the drafts that were saved last are remembered, and no more`() throws {
    var saves = NewestSaves()
    for number in 0..<1000 { saves.add(try save("d\(number)", over: nil, "t"), of: "d\(number)", as: Revision("r")) }
    #expect(saves.count == NewestSaves.limit)
    #expect(saves["d999"] != nil && saves["d0"] == nil)
    saves.forget("d999")
    #expect(saves["d999"] == nil && saves.count == NewestSaves.limit - 1)
  }

  @Test func `a draft that is saved again and again keeps its last bases`() throws {
    var saves = NewestSaves()
    for number in 0..<1000 {
      saves.add(
        try save("d", over: number == 0 ? nil : "r\(number - 1)", "t\(number)"), of: "d", as: Revision("r\(number)"))
    }
    let newest = try #require(saves["d"])
    #expect(newest.bases.count == NewestSaves.limit)
    #expect(newest.bases.last == Revision("r998") && newest.revision == Revision("r999"))
    #expect(saves.count == 1)
  }
}
