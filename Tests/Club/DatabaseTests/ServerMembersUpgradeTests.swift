import FileStores
import TestKit
import Testing

@testable import Database

@Suite struct ServerMembersUpgradeTests {
  @Test func `members of an older list may write, and readers are added to it`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("members.sqlite")
    do {
      let old = SQLiteFile(path: path, purpose: .kept, schema: Array(ServerMembersDatabase.schema.prefix(5)))
      try old.write { database in
        for name in ["ann", "ben"] { try database.run("INSERT INTO members VALUES (?, ?, 1)", ["id-" + name, name]) }
      }
    }
    let members = try ServerMembersDatabase(path: path)
    #expect(members.damagedFile == nil)
    #expect(try members.members().map(\.isReader) == [false, false])
    #expect(try members.add(ServerMember(id: "id-kim", name: "kim", created: 2, isReader: true)))
    #expect(try members.members().map(\.isReader) == [false, false, true])
    let token = ServerToken(id: "t", digest: [], member: "id-lea", purpose: .access, family: "f")
    #expect(try members.add(ServerMember(id: "id-lea", name: "lea", created: 3), with: token))
    try members.note(uses: ["f": 9, "unknown": 9])
    #expect(try members.devices(of: "id-lea", at: 1).map(\.used) == [9])
  }

  @Test func `a link of an older list leads to a file`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("members.sqlite")
    do {
      let old = SQLiteFile(path: path, purpose: .kept, schema: Array(ServerMembersDatabase.schema.prefix(7)))
      try old.write { database in
        try database.run("INSERT INTO members (id, name, created) VALUES ('id-ann', 'ann', 1)")
        try database.run(
          "INSERT INTO links (id, member, file, epoch, display, created) VALUES ('l', 'id-ann', 'id:a', 'e', '/a', 1)")
      }
    }
    let members = try ServerMembersDatabase(path: path)
    #expect(members.damagedFile == nil)
    #expect(try members.link(id: "l")?.isFolder == false)
    let link = ServerLink(
      id: "f", member: "id-ann", file: "id:f", epoch: "e", display: "/f", isFolder: true, created: 2)
    _ = try members.add(link, atMost: 9, at: 2)
    #expect(try members.link(id: "f")?.isFolder == true)
  }

  @Test(arguments: ["7", "x'ff'", "'no'"]) func `a damaged flag lets nobody in`(value: String) throws {
    let members = try ServerMembersDatabase(path: ":memory:")
    let token = ServerToken(id: "t", digest: [], member: "id-ben", purpose: .access, family: "t")
    #expect(try members.add(ServerMember(id: "id-ben", name: "ben", created: 1, isReader: true), with: token))
    #expect(try members.token(id: "t")?.member.isReader == true)
    try members.file.write { try $0.run("UPDATE members SET reader = \(value)") }
    #expect(try members.token(id: "t") == nil && members.members().isEmpty)
  }
}
