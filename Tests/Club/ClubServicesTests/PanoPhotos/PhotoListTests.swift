import ClubServices
import FileStores
import Testing

@Suite struct `The list of photos` {
  let workshop: PhotoWorkshop
  let service: PhotosService

  init() throws {
    workshop = try PhotoWorkshop()
    service = try workshop.service()
  }

  private func listed() async throws -> [FileEntry] {
    var entries: [FileEntry] = []
    try await service.list { entries += $0 }
    return entries
  }

  @Test func `has the pictures at any depth, and nothing else`() async throws {
    let shown = [
      "a.jpg", "b.JPEG", "c.Png", "d.webp", "o.gif", "m.jfif", "n.JPE", "2024/e.jpg", "2024/deep/er/f.jpg",
      "\u{1F3E0} ü.jpg", "k.HEIC", "o.heif", "p.avif",
    ]
    let others = [
      "notes.md", "jpg", "g.jpg.txt", ".hidden.jpg", ".folder/h.jpg", "2024/.trash/i.jpg", "k.tiff", ".jpg", "l.jpg.",
    ]
    for name in shown + others { try await workshop.put("photos/\(name)", [1]) }
    try await workshop.put("outside.jpg", [1])
    try await workshop.put("photos2/other.jpg", [1])
    let entries = try await listed()
    #expect(Set(entries.map(\.path.description)) == Set(shown.map { "photos/\($0)" }))
    #expect(entries.count == shown.count)
    #expect(entries.allSatisfy { $0.size == 1 && $0.revision != nil })
  }

  @Test func `of a folder that is not there is empty`() async throws {
    #expect(try await listed().isEmpty)
  }

  @Test func `is an error when the photos folder is a file`() async throws {
    try await workshop.put("photos", [1])
    #expect(await photoFault { _ = try await listed() }?.kind == .badInput)
  }

  @Test func `is told what changes`() async throws {
    func file(_ path: String) throws -> ChangeSet.Change {
      .present(FileEntry(path: try StorePath(path), kind: .file, size: 1))
    }
    func gone(_ path: String) throws -> ChangeSet.Change { .absent(try StorePath(path)) }
    let folder = ChangeSet.Change.present(FileEntry(path: try StorePath("photos/2024"), kind: .folder))
    workshop.store.tell([
      [try file("notes.md"), try file("photos/a.jpg"), try file("photos/.b.jpg")],
      [try gone("notes.md"), try file("photos/readme.txt")],
      [try gone("photos/a.jpg"), try gone("c.jpg")],
      [folder], [try gone("photos/2024")], [try gone("photos")], nil,
    ])
    let (service, (heard, continuation)) = (service, AsyncStream<ChangeSet>.makeStream())
    let following = Task { await photoFault { try await service.changes { continuation.yield($0) } } }
    var sets: [ChangeSet] = []
    for await set in heard {
      sets.append(set)
      if sets.count == 6 { break }
    }
    #expect(sets.map(\.changes) == [[try file("photos/a.jpg")], [try gone("photos/a.jpg")], [], [], [], []])
    #expect(sets.map(\.mustRelist) == [false, false, true, true, true, true])
    following.cancel()
    #expect(await following.value?.kind == .cancelled)
  }
}

@Suite struct `A photo` {
  let workshop: PhotoWorkshop
  let service: PhotosService

  init() throws {
    workshop = try PhotoWorkshop()
    service = try workshop.service()
  }

  @Test(arguments: [
    ("garage.jpg", "photos/garage.jpg"), ("garage", "photos/garage.jpg"), ("garage.", "photos/garage.jpg"),
    ("Garage.JPEG", "photos/Garage.JPEG"),
  ])
  func `gets another name in its folder`(name: String, expected: String) async throws {
    try await workshop.put("photos/a.jpg", [1])
    let entry = try await service.rename(try StorePath("photos/a.jpg"), to: name)
    #expect(entry.path == (try StorePath(expected)))
  }

  @Test(arguments: ["", ".hidden.jpg", "a/b.jpg", "a\u{1B}[2J.jpg", "a.txt", "..", "a\u{202E}gpj.jpg"])
  func `gets no name under which it would not be shown`(name: String) async throws {
    try await workshop.put("photos/a.jpg", [1])
    let fault = await photoFault { _ = try await service.rename(try StorePath("photos/a.jpg"), to: name) }
    #expect(fault?.kind == .badName)
    #expect(try await workshop.bytes("photos/a.jpg") == [1])
  }

  @Test func `never takes the name of another`() async throws {
    try await workshop.put("photos/a.jpg", [1])
    try await workshop.put("photos/b.jpg", [2])
    let fault = await photoFault { _ = try await service.rename(try StorePath("photos/a.jpg"), to: "b.jpg") }
    #expect(fault?.kind == .exists)
  }

  @Test func `comes back out of the trash`() async throws {
    try await workshop.put("photos/a.jpg", [7])
    let trashed = try await service.trash(try StorePath("photos/a.jpg"))
    #expect(await photoFault { _ = try await workshop.bytes("photos/a.jpg") }?.kind == .notFound)
    let entry = try await service.restore(trashed.id)
    #expect(entry.path == (try StorePath("photos/a.jpg")))
    #expect(try await workshop.bytes("photos/a.jpg") == [7])
  }
}
