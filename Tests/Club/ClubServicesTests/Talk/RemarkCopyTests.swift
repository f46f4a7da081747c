import Database
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

  @Test func `the copy is the member's own, and goes when its text is in the draft`() async throws {
    let copy = try await service.beginEdit(of: bytes("low"), .words("sand"), about: walk)
    #expect(copy.thing == walk && copy.aim == .words("sand") && copy.file.hasPrefix(world.edits))
    #expect(FileManager.default.contents(atPath: copy.file) == Data("low\n".utf8))
    let facts = try FileManager.default.attributesOfItem(atPath: copy.file)
    #expect(facts[.posixPermissions] as? Int == 0o600)
    try Data("low\r\n\r\n  tide\r\n\r\n".utf8).write(to: URL(filePath: copy.file))
    #expect(try await service.endEdit(copy) == "low\n\n  tide")
    #expect(copies.count == 1)
    await service.drop(copy)
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
  }

  @Test func `what an editor saves after byteclub has ended is a draft of the remark, once`() async throws {
    var first: NotesService? = try world.service()
    let copy = try #require(try await first?.beginEdit(of: bytes("low"), .words("sand"), about: walk))
    try Data("low tide\n".utf8).write(to: URL(filePath: copy.file))
    // Another process that runs leaves the copy of one that lives alone.
    _ = try await service.unsent()
    #expect(copies.count == 1)
    await NotesWorld.end(&first)
    let later = try world.service()
    _ = try await later.unsent()
    #expect(copies.isEmpty)
    let found = try #require(try await later.typedRemark(on: walk, chosen: nil))
    #expect(found.text == "low tide" && found.aim == .words("sand"))
    _ = try await later.unsent()
    #expect(try world.outbox.drafts(club: "~/Club").count == 1)
  }

  @Test func `an untouched copy stays for a day, as an editor may have it open`() async throws {
    var first: NotesService? = try world.service()
    let copy = try #require(try await first?.beginEdit(of: bytes("low"), .whole, about: walk))
    #expect(try await first?.endEdit(copy) == .some(nil))
    await NotesWorld.end(&first)
    for (age, count) in [(86_399, 1), (86_401, 0)] {
      let time = Date(timeIntervalSince1970: Double(1_925_726_400 - age))
      try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: copy.file)
      _ = try await service.unsent()
      #expect(copies.count == count, "\(age) s")
    }
    #expect(try world.outbox.drafts(club: "~/Club").isEmpty)
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
