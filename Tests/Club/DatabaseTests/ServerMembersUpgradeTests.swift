import FileStores
import TestKit
import Testing

@testable import Database

@Suite struct ServerMembersUpgradeTests {
  @Test func `a reader stays one when an older list of members is opened, and the others write on`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("members.sqlite")
    do {
      let old = SQLiteFile(path: path, purpose: .kept, schema: Array(ServerMembersDatabase.schema.prefix(6)))
      try old.write { database in
        for name in ["ann", "ben"] { try database.run("INSERT INTO members VALUES (?, ?, 1)", ["id-" + name, name]) }
        try database.run("INSERT INTO readers VALUES ('id-ben')")
      }
    }
    let members = try ServerMembersDatabase(path: path)
    #expect(members.damagedFile == nil)
    #expect(try members.members().map(\.isReader) == [false, true])
    #expect(try members.add(ServerMember(id: "id-kim", name: "kim", created: 2, isReader: true)))
    #expect(try members.members().map(\.isReader) == [false, true, true])
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
