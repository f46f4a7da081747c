import Backends
import ClubServices
import FileStores
import Foundation
import Synchronization
import TestKit
import Testing
import TextUI

@testable import Screens
@testable import byteclub

/// What a list of notes asks of a server: a store that tells sizes and ages with the names is asked once.
struct ListRequestsTests {
  /// A server with a club of three notes, for both versions of the API; the first page of the newer one has two.
  private final class Scene: Sendable {
    private final class Log: Sendable {
      let targets = Mutex<[String]>([])
    }

    private let folder: String
    private let server: RawServer
    private let log = Log()
    private let performer: NotesPerformer
    private let config: String

    init(_ kind: String) throws {
      let log = log
      server = try RawServer.answering { request in
        let route = String(request.target.prefix { $0 != "?" })
        log.targets.withLock { $0.append(route) }
        return RawAnswer(
          200, headers: ["Content-Type": "application/json"], body: Array(Scene.answer(to: route, request.body).utf8))
      }
      folder = TemporaryFolder.newPath()
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      config = folder + "/config.json"
      let club = #"{"store":"\#(kind)","server":"\#(server.url)","folder":"/club"}"#
      try Data(#"{"clubs":{"lab":\#(club)}}"#.utf8).write(to: URL(fileURLWithPath: config))
      performer = try Scene.start(folder, config, .checked)
    }

    /// A later start of the app.
    func startAgain() throws -> NotesPerformer { try Scene.start(folder, config, .atOnce) }

    private static func start(
      _ folder: String, _ config: String, _ freshness: LocalCopy.Freshness
    ) throws -> NotesPerformer {
      let setup = try ClubSetup(
        StartOptions(config: config), environment: Environment(["HOME": folder, "BYTECLUB_TOKEN": "t"]))
      let open = try OpenClub(setup, freshness: freshness)
      return NotesPerformer(
        service: open.notes, journal: open.drafts, editor: { ExternalProgram([$0]) }, desktop: NoDesktop())
    }

    deinit {
      server.stop()
      try? FileManager.default.removeItem(atPath: folder)
    }

    /// Lists as the key for it does.
    /// - Returns: what the screen gets, and the routes that were asked meanwhile.
    func list(with other: NotesPerformer? = nil) async -> (told: [FileListAction], asked: [String]) {
      let before = log.targets.withLock { $0.count }
      let told = Mutex<[FileListAction]>([])
      await (other ?? performer).perform(
        .files(.list),
        Sender { action, _ in
          if case .files(let action) = action { told.withLock { $0.append(action) } }
        })
      return (told.withLock { $0 }, log.targets.withLock { Array($0[before...]) })
    }

    private static func answer(to route: String, _ body: [UInt8]) -> String {
      switch route {
      case "/2/files/list_folder": #"{"entries":[\#(file("a")),\#(file("b"))],"cursor":"c","has_more":true}"#
      case "/2/files/list_folder/continue": #"{"entries":[\#(file("c"))],"cursor":"d","has_more":false}"#
      case "/1/metadata/auto/club":
        #"{"path":"/club","is_dir":true,"bytes":0,"hash":"h"}"#
      // From the beginning it is the list of all files.
      case "/1/delta" where !String(decoding: body, as: UTF8.self).contains("cursor="):
        #"{"entries":[\#(["a", "b", "c"].map(old).joined(separator: ","))],"cursor":"d","has_more":false,"reset":true}"#
      case "/1/delta": #"{"entries":[],"cursor":"d","has_more":false,"reset":false}"#
      default: #"{"cursor":"begin"}"#
      }
    }

    private static func file(_ name: String) -> String {
      #"{".tag":"file","name":"\#(name)","path_lower":"/club/\#(name)","path_display":"/club/\#(name)","#
        + #""rev":"a1c10ce0dd78","size":7,"client_modified":"2015-05-12T15:50:38Z","#
        + #""server_modified":"2015-05-12T15:50:38Z"}"#
    }

    private static func old(_ name: String) -> String {
      #"["/club/\#(name)",{"path":"/club/\#(name)","is_dir":false,"bytes":7,"rev":"362e2029684fe","#
        + #""modified":"Tue, 12 May 2015 15:50:38 +0000"}]"#
    }
  }

  private struct NoDesktop: DesktopOpener {
    func open(_ path: StorePath) async throws(StoreError) -> String { "" }
    func open(address: String) async throws(StoreError) -> String { "" }
    func open(file: String) async throws(StoreError) -> String { "" }
  }

  @Test(arguments: [
    (
      "dropbox", "/2/files/list_folder/get_latest_cursor", ["/2/files/list_folder", "/2/files/list_folder/continue"],
      "/2/files/list_folder/continue"
    ),
    ("dropbox-v1", "/1/delta/latest_cursor", ["/1/metadata/auto/club", "/1/delta"], "/1/delta"),
  ])
  func `the first list asks for a cursor and for each page once, a refresh for the changes once`(
    kind: String, cursor: String, pages: [String], changes: String
  ) async throws {
    let scene = try Scene(kind)
    #expect(await scene.list().asked == [cursor] + pages)
    let (told, asked) = await scene.list()
    #expect(asked == [changes])
    guard case .listed(let table)? = told.first, told.count == 1 else {
      Issue.record("told \(told)")
      return
    }
    #expect(table.count == 3)
    let (second, _) = await scene.list(with: try scene.startAgain())
    guard case .named(let names)? = second.first, case .listed? = second.dropFirst().first else {
      Issue.record("a further start told \(second)")
      return
    }
    #expect(names.count == 3)
    for row in 0..<3 {
      #expect(table.size(at: row) == 7)
      #expect(table.modified(at: row) == Timestamp(seconds: 1_431_445_838))
    }
  }
}
