import FileStores
import TestKit
import Testing

@testable import Database

@Suite struct ServerDropPageTests {
  private let ann = ServerMember(id: "id-ann", name: "ann", created: 1)

  private func members() throws -> ServerMembersDatabase {
    let members = try ServerMembersDatabase(path: ":memory:")
    #expect(try members.add(ann))
    return members
  }

  private func page(_ id: String = "p", expires: Int64 = 100) -> ServerDropPage {
    ServerDropPage(
      id: id, member: ann, folder: "/in", guest: "Mia", created: 1, expires: expires, mostBytes: 10)
  }

  @Test func `a page counts what fits, and gives back what was not kept`() throws {
    let members = try members()
    #expect(try members.add(page(), atMost: 1, at: 1))
    #expect(try !members.add(page("q"), atMost: 1, at: 1))
    #expect(try members.claim(6, ofDropPage: "p", atMost: 2, at: 99))
    #expect(try !members.claim(5, ofDropPage: "p", atMost: 2, at: 99))
    #expect(try !members.claim(1, ofDropPage: "p", atMost: 2, at: 100))
    try members.giveBack(6, ofDropPage: "p")
    #expect(try members.claim(10, ofDropPage: "p", atMost: 2, at: 99))
    #expect(try members.claim(0, ofDropPage: "p", atMost: 2, at: 99))
    #expect(try !members.claim(0, ofDropPage: "p", atMost: 2, at: 99))
    let found = try #require(try members.dropPage(id: "p"))
    #expect(found.leftBytes == 0 && found.pictures == 2 && found.member.name == "ann" && found.guest == "Mia")
  }

  @Test func `pages end by themselves, by their member, and with them`() throws {
    let members = try members()
    for (id, expires) in [("a", 10), ("b", 20), ("c", 30)] as [(String, Int64)] {
      #expect(try members.add(page(id, expires: expires), atMost: 9, at: 1))
    }
    try members.forgetDropPages(endedBefore: 15)
    #expect(try members.dropPages(of: "id-ann").map(\.id) == ["b", "c"])
    #expect(try members.revoke(dropPage: "b"))
    #expect(try !members.revoke(dropPage: "b"))
    #expect(try members.remove(name: "ann"))
    #expect(try members.dropPage(id: "c") == nil)
    #expect(try members.add(ann))
    #expect(try members.dropPage(id: "c") == nil)
  }

  @Test func `a guest has a name by their account, which is no member's`() throws {
    let members = try members()
    let mia = ServerAuthor(ann, guest: "Mia")
    try members.note(guest: mia, account: "account", isKept: true)
    try members.note(guest: ServerAuthor(ann), account: "own", isKept: true)
    #expect(try members.guest(account: "account")?.shownName == "Mia (a guest of ann)")
    #expect(try members.guest(account: "own") == nil)
    #expect(ServerAuthor(mia.text) == mia && ServerAuthor(ServerAuthor(ann).text) == ServerAuthor(ann))
  }

  @Test func `a guest is forgotten until a picture of theirs is kept`() throws {
    let (members, mia) = (try members(), ServerAuthor(ann, guest: "Mia"))
    try members.note(guest: mia, account: "account", isKept: false)
    #expect(try members.guest(account: "account") == mia)
    try members.forgetUnkeptGuest(account: "account")
    #expect(try members.guest(account: "account") == nil)
    // Another form of theirs was kept meanwhile.
    try members.note(guest: mia, account: "account", isKept: true)
    try members.note(guest: mia, account: "account", isKept: false)
    try members.forgetUnkeptGuest(account: "account")
    #expect(try members.guest(account: "account") == mia)
  }

  @Test func `an older list of members takes pages`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("members.sqlite")
    do {
      let old = SQLiteFile(path: path, purpose: .kept, schema: Array(ServerMembersDatabase.schema.prefix(8)))
      try old.write { try $0.run("INSERT INTO members (id, name, created) VALUES ('id-ann', 'ann', 1)") }
    }
    let members = try ServerMembersDatabase(path: path)
    #expect(members.damagedFile == nil)
    #expect(try members.add(page(), atMost: 9, at: 1))
    #expect(try members.dropPages(of: "id-ann").map(\.id) == ["p"])
  }
}
