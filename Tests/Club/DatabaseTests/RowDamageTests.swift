import FileStores
import TestKit
import Testing

@testable import Database

/// A file in which each byte of a row is damaged in turn: whatever its columns then are, reading ends with a value, a
/// damaged row or an error.
@Suite struct RowDamageTests {
  private static let mark = "row-to-damage"

  /// Calls `read` with the file in every state, and says how often a bit was turned over.
  private func damageEach(
    _ write: (String) throws -> Void, _ read: (_ path: String, _ at: Int) throws -> Void
  ) throws {
    let folder = try TemporaryFolder()
    try write(folder.file("whole.sqlite"))
    let bytes = try #require(folder.bytes("whole.sqlite"))
    let start = try #require(bytes.firstRange(of: Array(Self.mark.utf8))?.lowerBound)
    // The row's header with its types lies before its first text.
    for at in max(0, start - 40)..<min(bytes.count, start + 220) {
      for bit in at < start ? [0, 1, 2, 3] : [at % 8] {
        var damaged = bytes
        damaged[at] ^= 1 << UInt8(bit)
        for companion in ["", "-wal", "-shm", ".damaged", ".damaged-wal", ".damaged-shm"] {
          folder.remove("damaged.sqlite" + companion)
        }
        try folder.write("damaged.sqlite", damaged)
        do {
          try read(folder.file("damaged.sqlite"), at - start)
        } catch let error as StoreError {
          #expect([.corrupt, .server].contains(error.kind), "byte \(at - start): \(error)")
        }
      }
    }
  }

  private var draft: DraftRecord {
    get throws {
      DraftRecord(
        id: Self.mark, club: "c", path: try StorePath("n.md"), title: "t", base: Revision("r"), baseHash: "h",
        edits: 3, bytes: 5_000, touched: true, created: Timestamp(seconds: 1), changed: Timestamp(seconds: 2),
        owner: "o", dropped: Timestamp(seconds: 3))
    }
  }

  @Test func `no damaged draft ends the program or passes for what was written`() throws {
    let draft = try draft
    try damageEach({ try OutboxDatabase(path: $0).commit(heads: [draft], edits: []) }) { path, at in
      let outbox = try OutboxDatabase(path: path)
      for found in try outbox.drafts(club: "c") { #expect(found.isDamaged || found == draft, "byte \(at)") }
      for found in try outbox.drafts(club: "c") { try outbox.removeDraft(found.id) }
      #expect(try outbox.drafts(club: "c").allSatisfy { $0.isDamaged }, "byte \(at) cannot be removed")
    }
  }

  @Test func `no damaged row of a draft's log ends the program or passes for what was written`() throws {
    let edit = DraftEditRow(draft: Self.mark, number: 1, body: Array("what was typed".utf8))
    try damageEach({ try OutboxDatabase(path: $0).commit(heads: [], edits: [edit]) }) { path, at in
      for found in try OutboxDatabase(path: path).edits(of: Self.mark) { #expect(found == edit, "byte \(at)") }
    }
  }

  @Test func `no damaged save ends the program or passes for what was written`() throws {
    let text = Array("the text".utf8)
    let save = SaveRecord(
      club: Self.mark, path: try StorePath("n.md"), base: Revision("r"), baseHash: "h", draft: "d", text: text,
      created: Timestamp(seconds: 1), owner: "o")
    try damageEach({ _ = try OutboxDatabase(path: $0).addSave(save, text: text) }) { path, at in
      let outbox = try OutboxDatabase(path: path)
      for found in try outbox.saves(club: Self.mark) where !found.isDamaged {
        #expect(found.path == save.path && found.textHash == save.textHash && found.base == save.base, "byte \(at)")
        let stored = try outbox.text(ofSave: found.id)
        #expect(stored?.bytes == text || stored?.isDamaged == true, "byte \(at)")
      }
      _ = try outbox.addSave(save, text: text)
    }
  }

  @Test func `no damaged change of names ends the program or passes for what was written`() throws {
    let a = try StorePath("a")
    let sight = FolderSight(
      a, [FileEntry(path: try a.appending("x.md"), kind: .file, size: 7, revision: Revision("r"))])
    let change = ChangeRecord(
      club: Self.mark, kind: .moveFolder, path: a, target: try StorePath("c"), base: Revision("r"), baseHash: "h",
      size: 7, sight: sight, created: Timestamp(seconds: 1))
    try damageEach({ _ = try OutboxDatabase(path: $0).addChanges([change], club: Self.mark) }) { path, at in
      for var found in try OutboxDatabase(path: path).changes(club: Self.mark) where !found.isDamaged {
        // A hint without a checksum.
        found.isTried = false
        #expect(found == change.numbered(found.id), "byte \(at)")
      }
    }
  }

  @Test func `no damaged copy ends the program or passes for what was written`() throws {
    let copy = CopyRecord(
      id: Self.mark, club: "c", path: try StorePath("n.md"), base: Revision("r"), baseHash: "h", name: "n",
      savedHash: "s", owner: "o")
    try damageEach({ try OutboxDatabase(path: $0).putCopy(copy) }) { path, at in
      for found in try OutboxDatabase(path: path).copies(club: "c") { #expect(found == copy, "byte \(at)") }
    }
  }

  @Test func `a damaged row of a server's index goes, and its content can be written again`() throws {
    let node = ServerNode(
      key: "/" + Self.mark, id: "id:1", display: "/Row", path: try StorePath("Row"), isFolder: false, size: 70_000,
      storeRevision: Revision("r"), rev: 9, hash: ContentHash(of: [1]), clientModified: 1, serverModified: 2)
    let write: (String) throws -> Void = { path in
      let index = try ServerIndexDatabase(path: path)
      try index.write { writing in
        let saved = try writing.save(node)
        if let version = ServerRevision(of: saved) { try writing.add(version, at: 1) }
      }
    }
    try damageEach(write) { path, at in
      let index = try ServerIndexDatabase(path: path)
      _ = try index.read { try $0.nodes(in: .children(""), after: "", limit: 10) }
      _ = try index.read { (try $0.node(path: node.path), try $0.node(id: "id:1"), try $0.node(key: node.key)) }
      _ = try index.read { try $0.revisions(key: node.key, before: .max, limit: 10) }
      _ = try index.write { try $0.save(node) }
      let found = try index.read { try $0.node(key: node.key) }
      #expect(found?.size == 70_000 && found?.path == node.path, "byte \(at)")
    }
  }

  @Test func `a damaged member or token lets nobody in, and the others stay`() throws {
    let member = ServerMember(id: Self.mark, name: "ann", created: 5_000)
    let ben = ServerMember(id: "x-ben", name: "ben", created: 1)
    let token = ServerToken(
      id: "t", digest: [UInt8](repeating: 7, count: 32), member: member.id, purpose: .access, family: "f",
      scopes: ["files.content.read"], expires: 70_000)
    let write: (String) throws -> Void = { path in
      let members = try ServerMembersDatabase(path: path)
      _ = (try members.add(member), try members.add(ben), try members.add(token), try members.secret("seal"))
    }
    try damageEach(write) { path, at in
      let members = try ServerMembersDatabase(path: path)
      for found in try members.members() where found.id == member.id {
        #expect(found.name.utf8.count == 3, "byte \(at)")
      }
      _ = try members.token(id: "t")
      #expect(try members.secret("seal").count == 32)
    }
  }

  @Test func `a damaged list of members is reported at every start, until the damaged file is taken away`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("members.sqlite")
    #expect(try ServerMembersDatabase(path: path).damagedFile == nil)
    try folder.write("members.sqlite", [UInt8](repeating: 7, count: 5_000))
    for companion in ["-wal", "-shm"] { folder.remove("members.sqlite" + companion) }
    #expect(try ServerMembersDatabase(path: path).damagedFile == path + ".damaged")
    #expect(try ServerMembersDatabase(path: path).damagedFile == path + ".damaged")
    folder.remove("members.sqlite.damaged")
    #expect(try ServerMembersDatabase(path: path).damagedFile == nil)
  }

  @Test func `a file that is opened to be read stays as it is, damaged, missing, of an older form or whole`() throws {
    let folder = try TemporaryFolder()
    let garbage = [UInt8](repeating: 7, count: 5_000)
    for name in ["members.sqlite", "index.sqlite"] {
      let path = folder.file(name)
      func open() throws -> Int {
        if name == "index.sqlite" { return try ServerIndexDatabase(reading: path).read { Int(try $0.usedBytes()) } }
        return try ServerMembersDatabase(reading: path).members().count
      }
      #expect(throws: StoreError.self) { _ = try open() }
      #expect(folder.bytes(name) == nil)
      try folder.write(name, garbage)
      let error = #expect(throws: StoreError.self) { _ = try open() }
      #expect(error?.kind == .corrupt && error?.remedy.hasPrefix("Start the server again: ") == true)
      #expect(folder.bytes(name) == garbage && folder.bytes(name + ".damaged") == nil)
      folder.remove(name)
      let schema = name == "index.sqlite" ? ServerIndexDatabase.schema : ServerMembersDatabase.schema
      let old = SQLiteFile(path: path, purpose: .kept, schema: Array(schema.dropLast()))
      try old.open()
      #expect(try open() == 0)
      #expect(try old.read { try $0.first("PRAGMA user_version")?.number(0) } == Int64(schema.count - 1))
    }
    let members = try ServerMembersDatabase(path: folder.file("members.sqlite"))
    _ = try members.add(ServerMember(id: "m", name: "ann", created: 1))
    let reading = try ServerMembersDatabase(reading: folder.file("members.sqlite"))
    #expect(try reading.members().map(\.name) == ["ann"])
    #expect(throws: StoreError.self) { _ = try reading.remove(name: "ann") }
  }
}
