import FileStores
import Testing

@testable import Database

@Suite struct OutboxCopiesTests {
  @Test func `copies are remembered, changed and forgotten`() throws {
    let outbox = try OutboxDatabase(path: ":memory:")
    var copy = CopyRecord(
      id: "a", club: "c", path: try StorePath("n.md"), base: Revision("r"), baseHash: "h", name: "n.md",
      savedHash: "h", owner: "o")
    try outbox.putCopy(copy)
    copy.savedHash = "other"
    try outbox.putCopy(copy)
    #expect(try outbox.copies(club: "c") == [copy])
    #expect(try outbox.copies(club: "d").isEmpty)
    try outbox.removeCopy("a")
    #expect(try outbox.copies(club: "c").isEmpty)
  }

  @Test func `a copy whose base could not be written is not in the outbox`() throws {
    let outbox = try OutboxDatabase(path: ":memory:")
    let copy = CopyRecord(
      id: "a", club: "c", path: try StorePath("n.md"), base: Revision("r"), baseHash: "h", name: "n.md",
      savedHash: "h", owner: "o")
    let full = StoreError(.quota, "The disk is full.")
    #expect(throws: full) { try outbox.putCopy(copy) { () throws(StoreError) in throw full } }
    #expect(try outbox.copies(club: "c").isEmpty)
  }
}
