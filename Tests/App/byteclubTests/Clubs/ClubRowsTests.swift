import Backends
import ClubServices
import Database
import FileStores
import Foundation
import Screens
import Synchronization
import TestKit
import Testing

@testable import byteclub

/// The list of clubs: what this machine knows, then what the stores answer.
struct ClubRowsTests {
  /// All reports, in order.
  private func reports(
    _ home: DropInTests.Home, current: String? = nil, _ stores: StoreRegistry = .standard
  ) async throws -> [[ClubRow]] {
    let base = try TransferBase(StartOptions(), environment: home.environment, stores: stores)
    let seen = Mutex<[[ClubRow]]>([])
    await ClubRows(SharedServices(base), current: current).report { rows in seen.withLock { $0.append(rows) } }
    return seen.withLock { $0 }
  }

  private func folder(_ home: DropInTests.Home, _ notes: [String]) throws {
    try FileManager.default.createDirectory(
      atPath: home.folder.file("shelf/photos"), withIntermediateDirectories: true)
    for note in notes { try Data(note.utf8).write(to: URL(fileURLWithPath: home.folder.file("shelf/\(note)"))) }
  }

  private static let config = #"{"clubs":{"shelf":{"path":"~/shelf"},"gone":{"path":"~/gone"}}}"#

  @Test func `all clubs come at once, then each with its store's answer`() async throws {
    let home = try DropInTests.Home(Self.config, ["bent": "{"])
    try folder(home, ["a.md"])
    let reports = try await reports(home, current: "shelf")
    let first = try #require(reports.first), last = try #require(reports.last)
    #expect(first.map(\.name) == ["shelf", "gone", "bent"] && last.map(\.name) == first.map(\.name))
    #expect(first.map(\.isOpen) == [true, false, false])
    #expect(first[0].state == .unknown && first[0].place == "~/shelf" && first[0].waiting == nil)
    #expect(last[0].state == .reachable && last[0].waiting == 0 && !last[0].canAddDevice)
    guard case .broken(let gone) = last[1].state, case .broken(let bent) = first[2].state else {
      Issue.record("\(last)")
      return
    }
    #expect(gone.contains("~/gone does not exist"))
    #expect(bent.contains("~/.config/byteclub/clubs.d/bent.json") && bent.hasSuffix("takes the club off this list."))
  }

  @Test func `a club behind a server says at once that nobody is signed in, and takes devices`() async throws {
    let home = try DropInTests.Home(
      Self.config, ["lab": #"{"version":1,"store":"dropbox","server":"http://127.0.0.1:1","folder":"/"}"#])
    let row = try #require(try await reports(home).last?.first { $0.name == "lab" })
    #expect(row.state == .needsSignIn && row.canAddDevice && row.news == nil)
  }

  @Test func `a program of the config is not started for the list`() async throws {
    let mark = try TemporaryFolder().file("started")
    let home = try DropInTests.Home(
      #"{"clubs":{"lab":{"store":"dropbox","server":"http://127.0.0.1:1","tokenCommand":["touch","\#(mark)"]}}}"#)
    let row = try #require(try await reports(home).last?.first)
    #expect(row.state == .unknown && !FileManager.default.fileExists(atPath: mark))
  }

  @Test func `what waits is counted for each place, of all its accounts, and no name is shown`() async throws {
    let home = try DropInTests.Home(Self.config)
    try folder(home, [])
    let outbox = OutboxDatabase(openingLater: home.paths.outboxFile)
    for (number, key) in ["~/shelf", "~/shelf\naccount other", "~/shelfish"].enumerated() {
      let save = SaveRecord(
        club: key, path: try StorePath("secret \(number).md"), base: nil, baseHash: nil, draft: nil, text: [1],
        created: Timestamp(seconds: 1), owner: "o")
      _ = try outbox.addSave(save, text: [1])
    }
    let rows = try #require(try await reports(home).last)
    #expect(rows.map(\.waiting) == [2, 0])
    #expect(!"\(rows)".contains("secret"))
  }

  @Test func `news are what the member has not seen of a folder, and unknown before the first list`() async throws {
    let home = try DropInTests.Home(Self.config)
    try folder(home, ["a.md", "b.md"])
    #expect(try await reports(home).last?.first?.news == nil)
    try await look(home)
    try folder(home, ["c.md"])
    #expect(try await reports(home).last?.first?.news == 1)
    // To look is not to see.
    #expect(try await reports(home).last?.first?.news == 1)
  }

  @Test(arguments: [true, false]) func `news in folders count as the setting says`(hasFolders: Bool) async throws {
    let home = try DropInTests.Home(
      #"{"notes":{"folders":\#(hasFolders)},"clubs":{"shelf":{"path":"~/shelf"}}}"#)
    try folder(home, ["a.md"])
    try await look(home)
    for name in ["trips/2026", ".hidden"] {
      try FileManager.default.createDirectory(
        atPath: home.folder.file("shelf/\(name)"), withIntermediateDirectories: true)
    }
    try folder(home, ["trips/b.md", "trips/2026/c.md", "trips/2026/map.bin", ".hidden/d.md", "e.md"])
    #expect(try await reports(home).last?.first?.news == (hasFolders ? 3 : 1))
  }

  @Test(arguments: [(false, 1), (true, nil)] as [(Bool, Int?)])
  func `news of another club behind a network come from its store, and none are asked for where each byte costs`(
    isMetered: Bool, news: Int?
  ) async throws {
    let kind = ShelfKind()
    let stores = StoreRegistry.standard.adding(kind)
    let home = try DropInTests.Home(
      #"{"network":{"metered":\#(isMetered)},"clubs":{"shelf":{"store":"shelf","label":"B 4"}}}"#)
    _ = try await kind.shelf("B 4").put(DataSource("a".utf8), at: StorePath("a.md"), mode: .create)
    try await look(home, stores)
    _ = try await kind.shelf("B 4").put(DataSource("b".utf8), at: StorePath("b.md"), mode: .create)
    let row = try #require(try await reports(home, current: nil, stores).last?.first)
    #expect(row.state == .reachable && row.news == news, "\(row)")
  }

  /// Opens the club "shelf" for the first time.
  private func look(_ home: DropInTests.Home, _ stores: StoreRegistry = .standard) async throws {
    let setup = try ClubSetup(StartOptions(club: "shelf"), environment: home.environment, stores: stores)
    let open = try OpenClub(setup)
    let entries = try await open.club.store.list(.root, ListOptions(.full), after: nil).entries
    _ = await open.news.marks(ofAll: entries.filter { $0.kind == .file }, in: .notes)
    await open.news.finish()
  }
}
