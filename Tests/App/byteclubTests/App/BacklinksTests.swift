import ClubServices
import FileStores
import Foundation
import Synchronization
import TestKit
import Testing
import TextUI

@testable import Screens
@testable import byteclub

/// The search for links to a note, over a club in a folder.
@Suite struct BacklinksTests {
  private struct NoDesktop: DesktopOpener {
    func open(_ path: StorePath) async throws(StoreError) -> String { "" }
    func open(address: String) async throws(StoreError) -> String { "" }
    func open(file: String) async throws(StoreError) -> String { "" }
  }

  private func found(_ notes: [String: String]) async throws -> FoundBacklinks {
    try await performed(notes) { try await $0.backlinks(to: try StorePath("pier.md")) }
  }

  private func performed<Answer>(
    _ notes: [String: String], _ work: (NotesPerformer) async throws -> Answer
  ) async throws -> Answer {
    let folder = TemporaryFolder.newPath()
    defer { removeFolder(folder) }
    let root = folder + "/Club"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    for (name, text) in notes { try Data(text.utf8).write(to: URL(filePath: "\(root)/\(name)")) }
    let open = try OpenClub(ClubSetup(StartOptions(folder: root), environment: Environment(["HOME": folder])))
    let performer = NotesPerformer(
      service: open.notes, journal: open.drafts, editor: { ExternalProgram([$0]) }, desktop: NoDesktop())
    return try await work(performer)
  }

  @Test func `links come by name and line, and a note that cannot be read is counted`() async throws {
    let large = "[[pier]]" + String(repeating: " ", count: Int(NotesService.mostSearchedBytes))
    let found = try await found([
      "pier.md": "[[pier]]", "b.md": "x\n[[pier]]\n[p](pier.md)", "a.md": "see [[Pier]] and [[pier]]", "c.md": "pier",
      "large.md": large,
    ])
    #expect(found.links.map { "\($0.path):\($0.line)" } == ["a.md:0", "b.md:1", "b.md:2"])
    #expect(found.unread == 1 && !found.isCut && found.remark == "byteclub could not read 1 note.")
  }

  @Test func `tags of texts and of front matter are counted, each note once`() async throws {
    let tags = try await performed([
      "a.md": "---\ntags: [oslo, trips/rome]\n---\n#oslo #pier\n", "b.md": "#trips\n", "c.md": "no tag, see `#no`\n",
      "d.txt": "#no\n", "e.md": "---\ntag: pier\n---\n",
    ]) { try await $0.tags() }
    #expect(tags.all.map { "\($0.tag) \($0.notes)" } == ["pier 2", "trips 2", "oslo 1", "trips/rome 1"])
  }

  @Test func `a note with very many links is listed in part`() async throws {
    let found = try await found(["pier.md": "", "a.md": String(repeating: "[[pier]]\n\n", count: 1200)])
    #expect(found.links.count == 1000 && found.remark == "Only 1000 links are listed.")
  }
}
