import Backends
import FileStores
import TestKit
import Testing

@testable import ClubServices
@testable import Database

/// A club whose outbox, local copy and catalogue were written by an earlier version, which showed no folders.
@Suite struct OldClubTests {
  private let club = "https://club"
  private let created = Timestamp(seconds: 1_900_000_000).nanoseconds

  /// The top of the club and its photos.
  private func keepCopy(_ world: CopyWorld, _ entries: [FileEntry], _ cursor: ChangeCursor) throws {
    try LocalCopyDatabase(openingLater: world.copiesPath).file.write { database in
      try database.run(
        "INSERT INTO copied_clubs VALUES (?, 'ann', 'notes photos', ?, ?)", [club, cursor.value, created])
      for entry in entries {
        let kind = entry.kind == .folder ? 1 : 0
        try database.run(
          "INSERT INTO copied_entries VALUES (?, ?, ?, ?, ?, ?, ?, NULL, 0)",
          [
            club, entry.path.bytes, kind, entry.size.map { Int64($0) }, entry.modified?.nanoseconds,
            entry.revision?.value, entry.contentHash?.hex,
          ])
      }
    }
  }

  private func addChange(_ kind: String, of file: FileEntry, to target: StorePath?, _ database: SQLConnection) throws {
    let size = Int64(file.size ?? 0)
    let sum = RowChecksum("changes")
    for text in [club, kind] { sum.add(text) }
    sum.add(file.path.bytes)
    sum.add(target?.bytes)
    for text in [nil, file.revision?.value, file.contentHash?.hex] { sum.add(text) }
    for number in [size, created] { sum.add(number) }
    try database.run(
      """
      INSERT INTO changes (club, kind, path, target, trashed, base, base_hash, size, created, tried, checksum)
      VALUES (?, ?, ?, ?, NULL, ?, ?, ?, ?, 0, ?)
      """,
      [
        club, kind, file.path.bytes, target?.bytes, file.revision?.value, file.contentHash?.hex, size, created,
        sum.finish(),
      ])
  }

  private func addSave(_ text: [UInt8], over file: FileEntry, _ old: [UInt8], _ database: SQLConnection) throws {
    let sum = RowChecksum("saves")
    sum.add(club)
    sum.add(file.path.bytes)
    for text in [file.revision?.value, old.hashed, nil] { sum.add(text) }
    sum.add(text.count)
    sum.add(text.hashed)
    sum.add(created)
    sum.add("")
    try database.run(
      """
      INSERT INTO saves (club, path, base, base_hash, draft, bytes, text_hash, created, owner, checksum, text)
      VALUES (?, ?, ?, ?, NULL, ?, ?, ?, '', ?, ?)
      """,
      [club, file.path.bytes, file.revision?.value, old.hashed, text.count, text.hashed, created, sum.finish(), text])
  }

  @Test func `of an old club nothing is news and nothing is removed when its folders come, and what waits is sent`()
    async throws
  {
    let world = try CopyWorld()
    var files: [FileEntry] = []
    for name in ["a.md", "b.md", "c.md", "photos/p.jpg"] { files.append(try await world.put("of \(name)", at: name)) }
    for number in 0..<30 { try await world.put("text", at: "trips/n\(number).md") }
    let cursor = try #require(try await world.memory.capabilities.changes?.start())
    let folders = try ["photos", "trips"].map { FileEntry(path: try StorePath($0), kind: .folder) }
    try keepCopy(world, files + folders, cursor)
    let renamed = try StorePath("d.md")
    try OutboxDatabase(path: world.outboxPath).file.write { [files] database in
      try addSave(bytes("typed long ago"), over: files[0], bytes("of a.md"), database)
      try addChange("rename", of: files[1], to: renamed, database)
      try addChange("trash", of: files[2], to: nil, database)
    }
    let catalogue = try CatalogueDatabase(path: ":memory:")
    try catalogue.file.write { [files] database in
      for (path, revision) in [(files[0].path, files[0]), (renamed, files[1]), (files[3].path, files[3])] {
        try database.run("INSERT INTO seen VALUES (?, ?, ?)", [club, path.bytes, revision.revision?.value])
      }
      for list in ["notes", "photos", "noteRemarks", "photoRemarks"] {
        try database.run("INSERT INTO seen_lists VALUES (?, ?)", [club, list])
      }
    }

    let process = try world.start()
    var notes: [FileEntry] = []
    try await process.notes.details { notes += $0 }
    #expect(notes.count == 32 && process.copy.heldPaths.isEmpty)
    #expect(await process.copy.waitingChanges().map(\.words) == ["renamed from \"b.md\"", "moved to the trash"])
    #expect(try await process.notes.waiting().count == 3)
    let news = NewsService(club: club, catalogue: catalogue, pool: world.pool)
    #expect(await news.compare(notes, in: .notes).isEmpty)
    #expect(await news.compare([files[3]], in: .photos).isEmpty)

    #expect(await process.notes.sendNames().isEmpty)
    try await process.notes.sendAll(conflicts: true) { _, _ in }
    #expect(try await process.notes.waiting().isEmpty)
    let texts: [(String, String?)] = [
      ("a.md", "typed long ago"), ("b.md", nil), ("c.md", nil), ("d.md", "of b.md"),
    ]
    for (name, text) in texts { #expect(try await world.text(name) == text) }
    try await process.copy.refresh()
    #expect(try await process.names().count == 32)
    #expect(process.copy.heldPaths.isEmpty)
    #expect(world.failures.all.isEmpty)
  }

  @Test func `the move of a folder that an earlier version kept knows no file of it, and is sent`() async throws {
    let world = try CopyWorld()
    let sample = try await world.put("of x", at: "a/x.md")
    try await world.visit()
    let (a, c) = (try StorePath("a"), try StorePath("c"))
    let folder = FileEntry(
      path: a, kind: .folder, size: sample.size, revision: sample.revision, contentHash: sample.contentHash)
    try OutboxDatabase(path: world.outboxPath).file.write { try addChange("moveFolder", of: folder, to: c, $0) }
    // No later version can tell it from another folder.
    try await world.put("of x, and more", at: "a/x.md")
    let process = try world.start()
    _ = try await process.names()
    #expect(await process.copy.waitingChanges().map(\.words) == ["renamed from \"a\""])
    #expect(await process.notes.sendNames().isEmpty)
    #expect(try await world.text("c/x.md") == "of x, and more")
    #expect(try await world.text("a/x.md") == nil)
  }

  @Test func `while the server is away an old club knows that it lacks its folders, and they come with the server`()
    async throws
  {
    let world = try CopyWorld()
    for name in ["a.md", "trips/b.md"] { try await world.put("text", at: name) }
    try await world.visit(hasNoteFolders: false)
    world.server.isAway = true
    let process = try world.start()
    #expect(try await process.names() == ["a.md"])
    #expect(process.copy.lacksFolders)
    let move = PathMove(try StorePath("a.md"), to: try StorePath("c.md"))
    _ = try await process.notes.rename(move.from, to: "c")
    let error = await #expect(throws: StoreError.self) { _ = try await process.notes.linksToMend(after: [move]) }
    #expect(error?.kind == .offline && error?.message.contains("only the notes at the top") == true)
    _ = try await process.notes.rename(move.to, to: "a")
    world.server.isAway = false
    let feed = try #require(process.store.capabilities.changes)
    let set = try await feed.wait(since: process.copy.endCursor)
    #expect(
      set.changes.contains { change in
        if case .present(let entry) = change { "\(entry.path)" == "trips/b.md" } else { false }
      })
    #expect(try await process.names() == ["a.md", "trips/b.md"])
    #expect(!process.copy.lacksFolders)
  }

  @Test func `a copy that has its folders lacks none while the server is away`() async throws {
    let world = try CopyWorld()
    try await world.put("text", at: "trips/b.md")
    try await world.visit()
    world.server.isAway = true
    let process = try world.start()
    #expect(try await process.names() == ["trips/b.md"])
    #expect(!process.copy.lacksFolders)
  }
}
