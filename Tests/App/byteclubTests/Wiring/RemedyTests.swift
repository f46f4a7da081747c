import ArgumentParser
import Backends
import FileStores
import Foundation
import TestKit
import Testing

@testable import byteclub

/// What a store's errors tell a member to type: it names the club, and can be pasted into a shell.
struct RemedyTests {
  /// A server that has no club, and takes no token for a look at one file.
  private final class Scene {
    let folder: String
    private let server: RawServer
    private let kind: String

    init(_ kind: String) throws {
      self.kind = kind
      server = try RawServer.answering { request in
        let (status, body) = Scene.answer(to: request.target)
        return RawAnswer(status, headers: ["Content-Type": "application/json"], body: Array(body.utf8))
      }
      folder = TemporaryFolder.newPath()
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
    }

    deinit {
      server.stop()
      try? FileManager.default.removeItem(atPath: folder)
    }

    func store(of club: String) throws -> any FileStore {
      let config = folder + "/config.json"
      let clubs = [club: ["store": kind, "server": server.url, "folder": "/club"], "home": ["path": "/nowhere"]]
      try JSONSerialization.data(withJSONObject: ["clubs": clubs]).write(to: URL(fileURLWithPath: config))
      let setup = try ClubSetup(
        StartOptions(config: config, club: club), environment: Environment(["HOME": folder, "BYTECLUB_TOKEN": "t"]))
      return try setup.openStore()
    }

    private static func answer(to target: String) -> (Int, String) {
      switch target.prefix(while: { $0 != "?" }) {
      case "/2/files/list_folder":
        (409, #"{"error_summary":"path/not_found/","error":{".tag":"path","path":{".tag":"not_found"}}}"#)
      case "/2/files/get_metadata", "/1/metadata/auto/club/file":
        (400, #"{"error":"The given OAuth 2 access token is malformed."}"#)
      case "/1/metadata/auto/club": (404, #"{"error":"Path '/club' not found"}"#)
      default: (200, #"{"cursor":"begin"}"#)
      }
    }
  }

  /// The words that a shell makes of the command in a remedy.
  private func words(_ remedy: String?, home: String = "/home") throws -> [String] {
    let remedy = try #require(remedy)
    let command = try #require(remedy.split(separator: "with: ").last?.split(separator: " (or ").first)
    let said = try Spawn("/bin/sh", ["-c", "printf '%s\\0' \(command)"], environment: ["HOME": home]).finish()
    #expect(said.status == 0)
    let words = said.text.split(separator: "\0", omittingEmptySubsequences: false).map(String.init)
    #expect(words.first == "byteclub" && words.last == "")
    return Array(words.dropFirst().dropLast())
  }

  @Test(
    arguments: ["dropbox", "dropbox-v1"],
    [
      "lab", "my club", #"it's "here""#, "-x", "$(id);`id` & #", "Grüße\n", #"a\b"#, "~", "~root",
      "a'\u{301};false;'\u{301}", "-\u{301}x",
    ])
  func `the command of a remedy is for the club that it is about, whatever its name`(
    kind: String, club: String
  ) async throws {
    let scene = try Scene(kind)
    defer { withExtendedLifetime(scene) {} }
    let store = try scene.store(of: club)
    let missing = await #expect(throws: StoreError.self) {
      _ = try await store.list(.root, ListOptions(.names), after: nil)
    }
    #expect(missing?.kind == .notFound)
    let made = try RootCommand.parseAsRoot(try words(missing?.remedy, home: scene.folder))
    #expect((made as? ClubInit)?.shared.start == StartOptions(config: scene.folder + "/config.json", club: club))
    let refused = await #expect(throws: StoreError.self) { _ = try await store.entry(at: StorePath("file")) }
    #expect(refused?.kind == .notSignedIn)
    let signedIn = try RootCommand.parseAsRoot(try words(refused?.remedy, home: scene.folder))
    #expect(
      (signedIn as? LoginCommand)?.shared.start == StartOptions(config: scene.folder + "/config.json", club: club))
  }

  @Test(arguments: ["plain", "with a space", "it's", "~", "-x"])
  func `a directory that is not there is made by a command that names it`(name: String) throws {
    let scene = try Scene("dropbox")
    let directory = scene.folder + "/" + name
    let setup = try ClubSetup(StartOptions(folder: directory), environment: Environment(["HOME": scene.folder]))
    let error = #expect(throws: StoreError.self) { try setup.openStore() }
    #expect(error?.kind == .notFound)
    let made = try RootCommand.parseAsRoot(try words(error?.remedy, home: scene.folder))
    #expect((made as? ClubInit)?.shared.start.folder == directory)
  }
}
