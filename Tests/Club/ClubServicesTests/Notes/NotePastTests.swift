import Backends
import Database
import FileStores
import TestKit
import Testing

@testable import ClubServices

/// The versions that this machine has read or written, and the lines that they brought.
@Suite struct NotePastTests {
  private let world: NotesWorld
  private let catalogue: CatalogueDatabase
  private let path: StorePath

  init() throws {
    world = try NotesWorld()
    catalogue = try CatalogueDatabase(path: ":memory:")
    path = try StorePath("a.md")
  }

  private func service() throws -> NotesService {
    let past = NotePast(
      catalogue, club: "~/Club", pool: world.pool, now: { Timestamp(seconds: 1_925_726_400) },
      onFailure: { Issue.record("\($0)") })
    return try world.service(past: past)
  }

  @Test func `texts of other programs that were read, and own ones, are in the history`() async throws {
    let service = try service()
    let first = try await world.put("one\n", at: "a.md")
    _ = try await service.open(path)
    let second = try #require(
      try await service.save(path, base: first.revision, text: bytes("one\ntwo\n"), draft: nil).saved)
    let third = try await world.put("one\ntwo\nthree\n", at: "a.md")
    _ = try await service.open(path)
    let history = try await service.history(of: path)
    #expect(Set(history.compactMap(\.revision)).isSuperset(of: [first, second, third].compactMap(\.revision)))
    #expect(history.first?.revision == third.revision)
    let text = try await service.version(try #require(first.revision), of: path).bytes
    #expect(text == bytes("one\n"))
    let restored = try await service.restore(try #require(first.revision), of: path, over: third.revision)
    #expect(try await world.text("a.md") == "one\n")
    #expect(try await service.history(of: path).first?.revision == restored.revision)
  }

  @Test func `a text that another window saved is the member's own, and that of another program is not`() async throws {
    let (one, two) = (try service(), try service())
    let base = try await world.put("one\ntwo\n", at: "a.md").revision
    for window in [one, two] { _ = try await window.open(path) }
    let saved = try #require(try await one.save(path, base: base, text: bytes("one\n2\n"), draft: nil).saved)
    await one.past?.finish()
    let conflict = try #require(try await two.save(path, base: base, text: bytes("one\nTWO\n"), draft: nil).conflict)
    #expect(conflict.theirEntry?.revision == saved.revision && conflict.theirWriter == .own(isHere: true))
    try await world.put("one\n22\n", at: "a.md")
    #expect(try await two.sendUnsent(conflict.save).conflict?.theirWriter == .unknown)
  }

  @Test(
    arguments: [
      ("ann", NoteWriter.own(isHere: false)), ("ray", .member("ray")), (nil, .unknown),
    ] as [(String?, NoteWriter)])
  func `a change by the member's account that this machine did not make is from another one`(
    member: String?, writer: NoteWriter
  ) async throws {
    let entry = FileEntry(path: path, kind: .file, revision: Revision("r9"), member: member)
    #expect(try await service().writer(of: entry) == writer)
  }

  @Test func `a restore does not overwrite a change that was not seen`() async throws {
    let service = try service()
    let first = try await world.put("one\n", at: "a.md")
    _ = try await service.open(path)
    try await world.put("two\n", at: "a.md")
    let revision = try #require(first.revision)
    #expect(await kind { _ = try await service.restore(revision, of: path, over: revision) } == .conflict)
    #expect(try await world.text("a.md") == "two\n")
  }

  @Test func `equal texts are kept once, and a renamed note takes its past along`() async throws {
    let service = try service()
    for text in ["one\n", "two\n", "one\n"] {
      try await world.put(text, at: "a.md")
      _ = try await service.open(path)
    }
    #expect(try await service.history(of: path).count == 3)
    let renamed = try await service.rename(path, to: "b.md")
    // A history waits for the past, which moves behind the rename.
    #expect(try await service.history(of: renamed.path).count >= 3)
    #expect(try catalogue.past(of: path, club: "~/Club").isEmpty)
  }

  @Test func `old versions make room for new ones`() throws {
    for number in 0..<120 {
      let entry = FileEntry(path: path, kind: .file, revision: Revision("r\(number)"))
      try catalogue.keepPast(
        bytes("\(number)"), hash: "\(number)", of: entry, club: "c", now: Timestamp(seconds: Int64(number)))
    }
    let kept = try catalogue.past(of: path, club: "c")
    #expect(kept.count == 100 && kept.first?.revision == Revision("r119"))
    let entry = FileEntry(path: path, kind: .file, revision: Revision("later"))
    try catalogue.keepPast(bytes("x"), hash: "x", of: entry, club: "c", now: Timestamp(seconds: 400 * 86_400))
    #expect(try catalogue.past(of: path, club: "c").map(\.revision) == [Revision("later")])
  }

  @Test func `each line has the version that brought it`() {
    let versions = (0..<3).map { number in
      FileEntry(path: path, kind: .file, revision: Revision("r\(number)"), member: ["ann", "ray", "kim"][number])
    }
    let texts = ["new\none\nTWO\nthree\n", "one\nTWO\nthree\n", "one\ntwo\nthree\n"].map(bytes)
    let blame = NotesService.blame(path, versions, texts, isCut: false)
    #expect(blame.origins == [0, 2, 1, 2])
    #expect(blame.lines == ["new", "one", "TWO", "three"].map(bytes))
  }
}
