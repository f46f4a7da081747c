import FileStores
import TestKit
import Testing

@testable import ClubServices

/// The note or folder that a typed name means, in a club with folders.
@Suite struct MeantNoteTests {
  private let world: NotesWorld

  init() throws { world = try NotesWorld() }

  private func fill() async throws -> NotesService {
    for name in [
      "index.md", "trips/oslo.md", "trips/2026/bergen.md", "trips/todo.md", "work/todo.md",
      "work/re\u{301}sume\u{301}.md",
      "trips/map.bin", "photos/pier.md", ".hidden/secret.md", "Twins/x.md", "twins/x.md",
    ] {
      try await world.put(name, at: name)
    }
    return try world.service()
  }

  @Test(arguments: [
    ("index", "index.md"), ("oslo", "trips/oslo.md"), ("OSLO.md", "trips/oslo.md"), ("Trips/OSLO", "trips/oslo.md"),
    ("/trips/oslo", "trips/oslo.md"), ("2026/bergen", "trips/2026/bergen.md"),
    ("r\u{E9}sum\u{E9}", "work/re\u{301}sume\u{301}.md"),
    ("work/todo", "work/todo.md"), ("/oslo", nil), ("26/bergen", nil), ("map.bin", nil), ("pier", nil), ("secret", nil),
    ("gone", nil), ("Twins/x", "Twins/x.md"),
  ])
  func `a note is meant by its path, or by the end of it that no other note has`(row: (typed: String, path: String?))
    async throws
  {
    let found = try await fill().entry(named: row.typed, isAnywhere: true)?.path
    #expect(found == (try row.path.map { try StorePath($0) }))
  }

  @Test func `several notes of a name are listed, and none is taken`() async throws {
    let service = try await fill()
    for (typed, words) in [
      ("todo", "\"trips/todo.md\", \"work/todo.md\""), ("TWINS/x", "\"Twins/x.md\", \"twins/x.md\""),
    ] {
      do throws(StoreError) {
        _ = try await service.entry(named: typed, isAnywhere: true)
        Issue.record("\(typed) was found")
      } catch {
        #expect(error.kind == .badInput && error.message == "2 notes are named \"\(typed)\": \(words).")
      }
    }
    #expect(try await service.entry(named: "todo") == nil)
    #expect(try await service.entry(named: "OSLO", ignoresCase: false, isAnywhere: true) == nil)
    let flat = try world.service(hasNoteFolders: false)
    #expect(try await flat.entry(named: "oslo", isAnywhere: true) == nil)
  }

  @Test(arguments: [
    ("trips", "trips"), ("TRIPS/", "trips"), ("/Trips/2026/", "trips/2026"), ("Trips/new", "trips/new"), ("/", ""),
    ("", ""),
    ("TWINS", "TWINS"), ("new/one", "new/one"),
  ])
  func `a folder is meant by letter case alone, part by part, also one that is to be made`(
    row: (typed: String, path: String)
  ) async throws {
    #expect(try await fill().folder(named: row.typed) == StorePath(row.path))
  }

  @Test(arguments: [".hidden", "trips/../x", "photos", "photos/oslo", "a\u{7}b", String(repeating: "x/", count: 65)])
  func `what no list shows is no folder`(typed: String) async throws {
    let service = try await fill()
    await #expect(throws: StoreError.self) { try await service.folder(named: typed) }
  }

  @Test func `a new note goes into the folder that is meant`() async throws {
    let service = try await fill()
    #expect(try await service.newPath(meaning: "TRIPS/2026/rome") == StorePath("trips/2026/rome.md"))
    #expect(try await service.newPath(meaning: "rome") == StorePath("rome.md"))
    #expect(try HeldText.path(ofNote: "trips/rome") == StorePath("trips/rome.md"))
    #expect(try HeldText.path(ofNote: "../rome") == HeldText.path(like: "../rome"))
  }
}
