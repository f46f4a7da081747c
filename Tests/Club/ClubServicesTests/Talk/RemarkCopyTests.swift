import FileStores
import Foundation
import TestKit
import Testing

@testable import ClubServices

/// The text of a remark as a file for the member's own editor.
@Suite struct RemarkCopyTests {
  private let world: NotesWorld
  private let service: NotesService
  private let walk: StorePath

  init() throws {
    world = try NotesWorld()
    service = try world.service()
    walk = try StorePath("walk.md")
  }

  private var copies: [String] { (try? FileManager.default.contentsOfDirectory(atPath: world.edits)) ?? [] }

  @Test func `the copy is the member's own, and goes when its text is read`() async throws {
    let copy = try await service.beginEdit(of: bytes("low"), .words("sand"), about: walk)
    #expect(copy.thing == walk && copy.aim == .words("sand") && copy.file.hasPrefix(world.edits))
    #expect(FileManager.default.contents(atPath: copy.file) == Data("low\n".utf8))
    let facts = try FileManager.default.attributesOfItem(atPath: copy.file)
    #expect(facts[.posixPermissions] as? Int == 0o600)
    try Data("low\r\n\r\n  tide\r\n\r\n".utf8).write(to: URL(filePath: copy.file))
    #expect(try await service.endEdit(copy) == "low\n\n  tide")
    #expect(copies.isEmpty)
  }

  @Test(
    "What the editor left as it was, or empty, or removed, is no new text",
    arguments: ["low\n", "low", "low\n\n", "", " \n", nil])
  func oldTexts(_ text: String?) async throws {
    let copy = try await service.beginEdit(of: bytes("low"), .whole, about: walk)
    if let text {
      try Data(text.utf8).write(to: URL(filePath: copy.file))
    } else {
      try FileManager.default.removeItem(atPath: copy.file)
    }
    #expect(try await service.endEdit(copy) == nil)
    #expect(copies.isEmpty)
  }

  @Test func `a text that is too long for remarks stays in the copy, which the error names`() async throws {
    let copy = try await service.beginEdit(of: [], .whole, about: walk)
    try Data(repeating: 0x78, count: Talk.mostBytes + 1).write(to: URL(filePath: copy.file))
    do throws(StoreError) {
      _ = try await service.endEdit(copy)
      Issue.record("no error")
    } catch {
      #expect(error.kind == .tooLarge && error.remedy == "Your text is kept in \"\(copy.file)\".")
    }
    #expect(FileManager.default.fileExists(atPath: copy.file))
  }
}
