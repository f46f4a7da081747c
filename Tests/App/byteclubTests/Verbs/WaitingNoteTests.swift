import ArgumentParser
import ClubServices
import FileStores
import Foundation
import TestKit
import Testing

@testable import byteclub

/// What verbs that show the club's files say of a note whose text waits on this machine.
@Suite struct WaitingNoteTests {
  private let home: TemporaryFolder
  private let session: Session

  /// A club with one note, of which a newer text waits, and a text of a note that the club does not have.
  init() async throws {
    home = try TemporaryFolder()
    let club = home.file("club")
    try FileManager.default.createDirectory(atPath: club, withIntermediateDirectories: false)
    try Data("old\n".utf8).write(to: URL(filePath: club + "/log.md"))
    let setup = try ClubSetup(StartOptions(folder: club), environment: Environment(["HOME": home.path]))
    session = Session(setup: setup, output: Output(), isJSON: false, open: try OpenClub(setup))
    for name in ["log.md", "new.md"] {
      _ = try await session.open.notes.postpone(Array("mine\n".utf8), for: try StorePath(name), base: nil)
    }
  }

  private func refusal(_ verb: some ClubVerb) async -> StoreError? {
    do throws(StoreError) {
      _ = try await verb.perform(session)
      return nil
    } catch {
      return error
    }
  }

  @Test func `a note that only waits is not called missing`() async throws {
    defer { withExtendedLifetime(home) {} }
    let errors = [
      await refusal(try NoteHistory.parse(["new"])), await refusal(try NoteLink.parse(["new"])),
      await refusal(try NoteMove.parse(["new", "other"])),
    ]
    for error in errors {
      #expect(error?.kind == .notFound)
      #expect(error?.message == "The club does not have \"new.md\" yet: your text waits on this machine.")
      #expect(error?.remedy == "To send it now: byteclub draft send \"new.md\"")
    }
    #expect(await refusal(try NoteLink.parse(["none"]))?.message == "The club has no note \"none\".")
  }

  @Test func `the history of a note with a waiting text says that it is the club's`() async throws {
    defer { withExtendedLifetime(home) {} }
    let answer = try await NoteHistory.parse(["log"]).perform(session)
    #expect(
      answer.notices == ["These are the versions of the club. Your text of \"log.md\" waits on this machine."])
  }

  @Test func `an export says that texts wait and are not among the files`() async throws {
    defer { withExtendedLifetime(home) {} }
    let answer = try await ClubExportVerb.parse([home.file("copy"), "--progress", "none"]).perform(session)
    #expect(
      answer.notices.last
        == "2 texts of yours wait to be sent and are not among the files. To see what waits: byteclub draft ls")
    #expect(try String(contentsOfFile: home.file("copy/log.md"), encoding: .utf8) == "old\n")
    #expect(!FileManager.default.fileExists(atPath: home.file("copy/new.md")))
  }
}
