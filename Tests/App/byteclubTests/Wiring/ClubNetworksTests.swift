import Backends
import FileStores
import Foundation
import JSON
import ManualPages
import Synchronization
import TestKit
import Testing

@testable import Accounts
@testable import byteclub

/// How a club's server is reached: once a process, as the config says, and nowhere else.
struct ClubNetworksTests {
  /// A member's machine, and a server that knows one access token and one refresh token.
  private final class Scene: Sendable {
    let folder: String
    let server: RawServer
    private let seen: Log

    private final class Log: Sendable {
      let requests = Mutex<[RawRequest]>([])
      let isSignedIn = Mutex(true)
    }

    init() throws {
      let log = Log()
      seen = log
      folder = TemporaryFolder.newPath()
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      server = try RawServer.answering { request in
        log.requests.withLock { $0.append(request) }
        if request.target == "/oauth2/token" {
          return log.isSignedIn.withLock { $0 }
            ? Scene.json(#"{"access_token":"second","token_type":"bearer","expires_in":14400}"#)
            : Scene.json(#"{"error":"invalid_grant","error_description":"revoked"}"#, 400)
        }
        guard request.headers["Authorization"] == "Bearer second" else {
          return Scene.json(#"{"error_summary":"expired_access_token/","error":{".tag":"expired_access_token"}}"#, 401)
        }
        return request.target.hasPrefix("/2/files/list_folder")
          ? Scene.json(#"{"entries":[],"cursor":"c","has_more":false}"#) : Scene.json("null")
      }
    }

    deinit {
      server.stop()
      try? FileManager.default.removeItem(atPath: folder)
    }

    var requests: [RawRequest] { seen.requests.withLock { $0 } }
    var renewals: Int { requests.filter { $0.target == "/oauth2/token" }.count }
    func revoke() { seen.isSignedIn.withLock { $0 = false } }

    func setup(network: String = "{}", club: String = "lab") throws -> ClubSetup {
      let config = folder + "/config.json"
      try Data(
        #"{"clubs":{"lab":{"store":"dropbox","server":"\#(server.url)","folder":"/club"}},"network":\#(network)}"#.utf8
      ).write(to: URL(fileURLWithPath: config))
      return try ClubSetup(StartOptions(config: config), environment: Environment(["HOME": folder]))
    }

    /// A sign-in whose access token the server does not accept any more.
    func signIn(_ setup: ClubSetup) throws {
      let account = try Account(club: "lab", service: AccountService(server: server.url), appKey: nil)
      try TokenFile(directory: setup.paths.tokensDirectory, account: account).write(
        Grant(
          accessToken: "first", refreshToken: "refresh", obtained: ClubAccount.now, expires: ClubAccount.now + 9999,
          accountID: nil))
    }

    private static func json(_ text: String, _ status: Int = 200) -> RawAnswer {
      RawAnswer(status, headers: ["Content-Type": "application/json"], body: Array(text.utf8))
    }
  }

  @Test func `each store that is opened uses the same connections`() async throws {
    let scene = try Scene()
    let setup = try scene.setup()
    try scene.signIn(setup)
    for _ in 0..<5 { _ = try await setup.openStore().list(.root, ListOptions(.names), after: nil) }
    _ = try await scene.setup().openStore().list(.root, ListOptions(.names), after: nil)
    #expect(scene.server.connections == 1)
  }

  @Test func `stores that are refused at the same moment renew the sign-in once`() async throws {
    let scene = try Scene()
    let setup = try scene.setup()
    try scene.signIn(setup)
    let stores = try (0..<6).map { _ in try setup.openStore() }
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in stores { group.addTask { _ = try await store.list(.root, ListOptions(.names), after: nil) } }
      try await group.waitForAll()
    }
    #expect(scene.renewals == 1)
    #expect(scene.requests.filter { $0.headers["Authorization"] == "Bearer first" }.count <= 6)
  }

  @Test func `a sign-in that was revoked names the command, and the server is not asked again and again`() async throws
  {
    let scene = try Scene()
    let setup = try scene.setup()
    try scene.signIn(setup)
    scene.revoke()
    for _ in 0..<3 {
      let store = try setup.openStore()
      let error = await #expect(throws: StoreError.self) {
        _ = try await store.list(.root, ListOptions(.names), after: nil)
      }
      #expect(error?.kind == .notSignedIn)
      #expect(error?.remedy == "Sign in with: byteclub login --club lab --config ~/config.json")
    }
    #expect(scene.renewals == 1)
  }

  @Test func `requests say the program's version and the config's fields`() async throws {
    let scene = try Scene()
    let setup = try scene.setup(network: #"{"headers":{"X-Gate":"let me in"}}"#)
    try scene.signIn(setup)
    _ = try await setup.openStore().list(.root, ListOptions(.names), after: nil)
    #expect(scene.renewals == 1)
    for request in scene.requests {
      #expect(request.headers["X-Gate"] == "let me in")
      #expect(request.headers["User-Agent"] == "byteclub/\(BuildVersion.number)")
    }
  }

  @Test func `other settings, and another server, have connections of their own`() throws {
    let networks = ClubNetworks()
    let lab = StoreDescription(kind: "dropbox", options: ["server": "https://a.example", "folder": "/x"])
    let same = StoreDescription(kind: "dropbox", options: ["server": "https://a.example", "folder": "/y"])
    let other = StoreDescription(kind: "dropbox", options: ["server": "https://b.example"])
    var slow = NetworkSettings()
    slow.requestTimeoutSeconds = 5
    func transport(_ store: StoreDescription, _ settings: NetworkSettings) throws -> CurlTransport {
      var route = try #require(try StoreRegistry.standard.kind(store.kind).httpOptions(for: store))
      settings.apply(to: &route)
      return try #require(networks.transport(route) as? CurlTransport)
    }
    let first = try transport(lab, NetworkSettings())
    #expect(try transport(same, NetworkSettings()) === first)
    #expect(try transport(other, NetworkSettings()) !== first)
    #expect(try transport(lab, slow) !== first)
  }

  @Test(arguments: ["dropbox", "dropbox-v1"])
  func `without encryption only this machine is asked, unless the config says otherwise`(_ kind: String) throws {
    func setup(_ server: String, _ network: String) throws -> ClubSetup {
      let folder = URL(filePath: TemporaryFolder.newPath())
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
      defer { try? FileManager.default.removeItem(at: folder) }
      let config = folder.appending(path: "config.json")
      let text = #"{"clubs":{"lab":{"store":"\#(kind)","server":"\#(server)"}},"network":\#(network)}"#
      try Data(text.utf8).write(to: config)
      return try ClubSetup(StartOptions(config: config.path), environment: Environment(["HOME": folder.path]))
    }
    for server in ["http://club.example", "http://192.168.1.2:8080", "http://127.0.0.1.example", "http://[::2]"] {
      for network in ["{}", #"{"allowPlainHTTP":"loopback"}"#] {
        let error = #expect(throws: ConfigFault.self) { try setup(server, network) }
        #expect(error?.description.contains(#""network.allowPlainHTTP" to "anywhere""#) == true)
      }
      let allowed = try setup(server, #"{"allowPlainHTTP":"anywhere"}"#)
      _ = try allowed.openStore()
      #expect(
        allowed.plainWarning == "\(server) is not encrypted: others on the network can read it.")
    }
    for server in ["http://127.0.0.1:1", "http://localhost", "http://[::1]:8080", "https://club.example"] {
      for network in ["{}", #"{"allowPlainHTTP":"anywhere"}"#] {
        let quiet = try setup(server, network)
        _ = try quiet.openStore()
        #expect(quiet.plainWarning == nil)
      }
    }
  }
}
