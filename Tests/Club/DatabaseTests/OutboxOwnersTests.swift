import FileStores
import Testing

@testable import Database

@Suite struct OutboxOwnersTests {
  private let outbox: OutboxDatabase
  private let path: StorePath

  init() throws {
    outbox = try OutboxDatabase(path: ":memory:")
    path = try StorePath("n.md")
  }

  private func fill(_ club: String) throws {
    let time = Timestamp(seconds: 1)
    let head = DraftRecord(
      id: "d \(club)", club: club, path: path, title: "n", base: nil, baseHash: "h", edits: 1, bytes: 4, touched: true,
      created: time, changed: time, owner: "o")
    try outbox.commit(heads: [head], edits: [DraftEditRow(draft: head.id, number: 1, body: [1])])
    let save = SaveRecord(
      club: club, path: path, base: nil, baseHash: nil, draft: nil, text: [1], created: time, owner: "o")
    _ = try outbox.addSave(save, text: [1])
    try outbox.putCopy(
      CopyRecord(
        id: "c \(club)", club: club, path: path, base: nil, baseHash: "h", name: "n", savedHash: "s", owner: "o"))
    _ = try outbox.addChanges(
      [
        ChangeRecord(
          club: club, kind: .rename, path: path, target: try StorePath("m.md"), base: nil, baseHash: nil, size: 1,
          created: time)
      ], club: club)
  }

  @Test func `all that waits under a key goes to another, whole, and nothing else does`() throws {
    for club in ["place\ntoken t", "place\naccount eve"] { try fill(club) }
    try outbox.give(from: "place\ntoken t", to: "place\naccount ann")
    let ann = "place\naccount ann"
    #expect(try outbox.drafts(club: ann).map(\.isDamaged) == [false])
    #expect(try outbox.edits(of: "d place\ntoken t").count == 1)
    #expect(try outbox.saves(club: ann).map(\.isDamaged) == [false])
    #expect(try outbox.copies(club: ann).count == 1)
    #expect(try outbox.changes(club: ann).map(\.isDamaged) == [false])
    #expect(try outbox.waiting(underKeysFrom: "place\n") == [ann: 3, "place\naccount eve": 3])
    try outbox.putCopy(
      CopyRecord(
        id: "c", club: "place\naccount kim", path: path, base: nil, baseHash: "h", name: "n", savedHash: "s", owner: "o"
      ))
    #expect(try outbox.waiting(underKeysFrom: "place\n").count == 2)
    #expect(try outbox.keys(underKeysFrom: "place\n").count == 3)
    #expect(try outbox.waiting(underKeysFrom: "elsewhere\n").isEmpty)
  }

  @Test func `a refusal is noted with the time of the next try, and stays when the note is renamed`() throws {
    try fill("c")
    let id = try #require(try outbox.saves(club: "c").first?.id)
    #expect(try outbox.save(id)?.due == nil)
    try outbox.noteRefusal(of: id, "quota", due: Timestamp(seconds: 9))
    try outbox.moved([path: try StorePath("m.md")], club: "c")
    let save = try #require(try outbox.save(id))
    #expect(!save.isDamaged && save.refusals == 1 && save.refusal == "quota" && save.due == Timestamp(seconds: 9))
  }
}
