import Backends
import ClubServices
import Database
import FileStores
import Foundation
import TestKit
import Testing
import TextUI

@testable import Screens
@testable import byteclub

/// Drafts of remarks while one is being sent.
@Suite struct TalkPerformerTests {
  /// Stops before it writes a file of remarks.
  private struct SlowStore: StoreAround {
    let base: any FileStore
    let begins = Gate()
    let ends = Gate()

    var capabilities: Capabilities { base.capabilities }

    func put(_ source: any ByteSource, at path: StorePath, mode: WriteMode) async throws(StoreError) -> FileEntry {
      if Talk.thing(of: path) != nil {
        begins.open()
        await ends.wait()
      }
      return try await base.put(source, at: path, mode: mode)
    }
  }

  @Test func `a text that is typed while another is sent keeps its draft, and the sent one is not offered`()
    async throws
  {
    let folder = TemporaryFolder.newPath()
    defer { removeFolder(folder) }
    let root = folder + "/Club"
    try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
    try Data("the text".utf8).write(to: URL(filePath: root + "/a.md"))
    let setup = try ClubSetup(StartOptions(folder: root), environment: Environment(["HOME": folder]))
    let open = try OpenClub(setup)
    let store = SlowStore(base: open.club.store)
    let club = Club(
      name: "home", place: root, memberName: { "ray" }, store: store, photosFolder: try StorePath("photos"))
    let drafts = open.drafts
    let performer = TalkPerformer(
      NotesService(
        club: club, outbox: try OutboxDatabase(path: folder + "/outbox"), drafts: drafts,
        folderAt: { path throws(StoreError) in try FolderStore(root: path, pool: setup.pool) },
        editsDirectory: folder + "/edits"), drafts, editor: { ExternalProgram(["vi", $0]) })
    let thing = try StorePath("a.md")
    let typing = TalkTyping(thing, .whole)
    let ignored = Sender<TalkAction> { _, _ in }
    func offered() async throws -> String? {
      guard
        case .foundDraft(_, _, let text, _)? = try await performer.answer(to: .findDraft(thing, chosen: nil), ignored)
      else {
        return nil
      }
      return text
    }
    performer.post(.beginDraft(typing, .whole, Array("one".utf8)))
    #expect(try await offered() == "one")
    async let sent = performer.answer(to: .say("one", .whole, thing), ignored)
    await store.begins.wait()
    #expect(try await offered() == nil)
    performer.post(.beginDraft(typing, .whole, Array("two".utf8)))
    store.ends.open()
    guard case .said(_, let item, waiting: nil)? = try await sent else {
      Issue.record("The remark was not sent.")
      return
    }
    #expect(item.text == "one")
    #expect(try await offered() == "two")
  }
}
