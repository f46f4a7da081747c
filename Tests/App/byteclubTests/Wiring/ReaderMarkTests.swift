import ArgumentParser
import TestKit
import Testing

@testable import byteclub

/// What this machine remembers of the server's word about readers.
@Suite struct ReaderMarkTests {
  @Test func `a mark belongs to one account, is fresh for a day, and holds after that`() throws {
    let folder = try TemporaryFolder()
    let mark = ReaderMark(state: folder.path, key: "https://club\naccount ann")
    #expect(!mark.isReader && !mark.isFresh(at: 1000))
    try mark.keep(true, at: 1000)
    #expect(mark.isReader && mark.isFresh(at: 1000) && mark.isFresh(at: 1000 + 24 * 3600 - 1))
    #expect(mark.isReader && !mark.isFresh(at: 1000 + 24 * 3600))
    // The clock was put back.
    #expect(!mark.isFresh(at: 999))
    for damaged in [Int64.min, .max] {
      try mark.keep(true, at: damaged)
      #expect(mark.isReader && !mark.isFresh(at: 1000))
    }
    #expect(!ReaderMark(state: folder.path, key: "https://club\naccount ben").isReader)
    try mark.keep(false, at: 2000)
    #expect(!mark.isReader && mark.isFresh(at: 2000))
  }

  @Test func `verbs that rename, remove, restore, send, share or revoke are refused to a reader at once`() throws {
    let verbs: [any ClubVerb] = try [
      NoteMove.parse(["a", "b"]), NoteRemove.parse(["a"]), NoteRestore.parse(["a", "r"]), NoteLink.parse(["a"]),
      PhotoLink.parse(["a.jpg"]), PhotoAsk.parse([]), LinkRemove.parse(["a"]), DraftSend.parse([]),
    ]
    for verb in verbs { #expect(verb.changesClub, "\(verb)") }
  }
}
