import FileStores
import Foundation
import POSIX
import Synchronization
import TestKit
import Testing

@testable import Backends

/// A real WebDAV server on loopback, for all cases of a test. Its folder is in a temporary folder.
final class WebDAVServer: Sendable {
  enum Kind: String, Sendable, CaseIterable {
    case apache, wsgidav, nginx, lighttpd, rclone, sabre
  }

  let kind: Kind
  let port: Int
  let folder: TemporaryFolder
  private let process: Process
  private let clubs = Atomic(0)
  private let lines = Mutex<[HTTPOptions: any HTTPTransport]>([:])

  /// The server that all cases of a test with the trait `davServed` use.
  static var shared: WebDAVServer { get throws { try #require(current) } }
  @TaskLocal fileprivate static var current: WebDAVServer?

  static let user = "ann"
  static let password = "harbour:café"

  var origin: String { "http://127.0.0.1:\(port)" }

  /// A folder on the disk that the server serves, for writes past it.
  var files: String { folder.file("files") }

  init(_ kind: Kind) async throws {
    self.kind = kind
    folder = try TemporaryFolder()
    port = try WebDAVServer.freePort()
    for name in ["files", "own", "own/body"] {
      try FileManager.default.createDirectory(atPath: folder.file(name), withIntermediateDirectories: false)
      chmod(folder.file(name), 0o777)
    }
    chmod(folder.path, 0o755)
    process = Process()
    let command = try kind.command(folder, port)
    process.executableURL = URL(filePath: command[0])
    process.arguments = Array(command.dropFirst())
    process.environment = ["PATH": "/usr/sbin:/usr/bin:/bin", "HOME": folder.path, "TMPDIR": folder.file("own")]
    let log = folder.file("own/output")
    try folder.write("own/output", [])
    let handle = try FileHandle(forWritingTo: URL(filePath: log))
    (process.standardOutput, process.standardError, process.standardInput) = (handle, handle, FileHandle.nullDevice)
    try process.run()
    let begun = ContinuousClock.now
    while !isUp {
      guard process.isRunning, ContinuousClock.now - begun < .seconds(20) else {
        throw Failure(
          what: "\(kind) did not start: \(folder.text("own/output") ?? "") \(folder.text("own/error") ?? "")")
      }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  struct Failure: Error, CustomStringConvertible {
    let what: String
    var description: String { what }
  }

  private var isUp: Bool {
    let socket = POSIX.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    return connectToLoopback(socket, port: port) == 0
  }

  /// Foundation's own wait needs a run loop, which a task's thread lacks.
  func stop() {
    process.terminate()
    for _ in 0..<500 where process.isRunning { usleep(10_000) }
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  /// A folder at the server that no other case has used.
  func newClub() throws -> String {
    let name = "club-\(clubs.add(1, ordering: .relaxed).newValue)"
    try FileManager.default.createDirectory(atPath: files + "/" + name, withIntermediateDirectories: false)
    chmod(files + "/" + name, 0o777)
    return name
  }

  func description(_ club: String) -> StoreDescription {
    StoreDescription(kind: "webdav", options: ["url": "\(origin)/\(club)", "user": Self.user])
  }

  /// Stores of one server share connections, and the findings of one test.
  func open(
    _ club: String, tune: (inout WebDAVTuning) -> Void = { _ in },
    through wrap: (any HTTPTransport) -> any HTTPTransport = { $0 }
  ) throws -> WebDAVStore {
    let store = description(club)
    var tuning = WebDAVTuning()
    tuning.firstPoll = .milliseconds(20)
    tuning.longestPoll = .milliseconds(200)
    tune(&tuning)
    return try WebDAVKind.open(
      store, pool: WebDAVServer.pool, network: network(store, through: wrap), tuning: tuning)
  }

  func network(
    _ store: StoreDescription, through wrap: (any HTTPTransport) -> any HTTPTransport = { $0 }
  ) throws -> StoreNetwork {
    let options = try #require(try WebDAVKind().httpOptions(for: store))
    let transport = lines.withLock { lines in
      if let known = lines[options] { return known }
      let made = CurlTransport(options: options)
      lines[options] = made
      return made
    }
    return StoreNetwork(transport: wrap(transport), tokens: StaticToken(Self.password), findings: memory)
  }

  private static let pool = BlockingPool()
  private let memory = FindingsMemory()

  static func freePort() throws -> Int {
    let socket = POSIX.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(socket, address, length) == 0 ? getsockname(socket, address, &length) : -1
      }
    }
    try #require(code == 0)
    return Int(UInt16(bigEndian: address.sin_port))
  }
}

final class FindingsMemory: FindingsKeeping {
  private let findings = Mutex<ServerFindings?>(nil)
  func kept() -> ServerFindings? { findings.withLock { $0 } }
  func keep(_ new: ServerFindings?) { findings.withLock { $0 = new } }
}

extension WebDAVServer.Kind {
  /// The server's program, if it is installed.
  var program: String? {
    let path =
      switch self {
      case .apache: "/usr/sbin/apache2"
      case .nginx: "/usr/sbin/nginx"
      case .lighttpd: "/usr/sbin/lighttpd"
      case .rclone: "/usr/bin/rclone"
      case .sabre: "/usr/bin/php"
      // Beside the Python of scripts/python.sh.
      case .wsgidav:
        URL(filePath: ProcessInfo.processInfo.environment["BYTECLUB_TEST_PYTHON"] ?? "/python")
          .deletingLastPathComponent().appending(path: "wsgidav").path
      }
    return access(path, X_OK) == 0 ? path : nil
  }

  fileprivate func command(_ folder: TemporaryFolder, _ port: Int) throws -> [String] {
    guard let program else { throw WebDAVServer.Failure(what: "\(self) is not installed") }
    let (files, own) = (folder.file("files"), folder.file("own"))
    // The password's SHA-1, as htpasswd -s writes it.
    try folder.write("own/users", Array("\(WebDAVServer.user):{SHA}4jgjXo+2XNoOEFl0ZWIPUgHsPt0=\n".utf8))
    switch self {
    case .apache:
      let modules = [
        "mpm_event", "authn_core", "authn_file", "auth_basic", "authz_core", "authz_user", "dav", "dav_fs",
      ]
      let loads = modules.map { "LoadModule \($0)_module /usr/lib/apache2/modules/mod_\($0).so" }
      let user = geteuid() == 0 ? "User nobody\nGroup nogroup\n" : ""
      try folder.write(
        "own/config",
        Array(
          """
          ServerRoot "\(own)"
          PidFile "\(own)/pid"
          ErrorLog "\(own)/error"
          DefaultRuntimeDir "\(own)"
          Listen 127.0.0.1:\(port)
          ServerName localhost
          \(loads.joined(separator: "\n"))
          \(user)StartServers 1
          ServerLimit 2
          ThreadsPerChild 32
          MaxRequestWorkers 64
          KeepAliveTimeout 60
          MaxKeepAliveRequests 0
          DavLockDB "\(own)/body/locks"
          DocumentRoot "\(files)"
          <Directory "\(files)">
            Dav On
            AuthType Basic
            AuthName club
            AuthUserFile "\(own)/users"
            Require valid-user
          </Directory>

          """.utf8))
      return [program, "-f", own + "/config", "-DFOREGROUND"]
    case .wsgidav:
      try folder.write(
        "own/config.json",
        Array(
          """
          {"host":"127.0.0.1","port":\(port),"provider_mapping":{"/":"\(files)"},"verbose":0,
          "http_authenticator":{"domain_controller":null,"accept_basic":true,"accept_digest":false},
          "simple_dc":{"user_mapping":{"*":{"ann":{"password":"harbour:café"}}}},
          "lock_storage":true,"property_manager":null}
          """.utf8))
      return [program, "--config", own + "/config.json"]
    case .rclone:
      return [
        program, "serve", "webdav", files, "--addr", "127.0.0.1:\(port)", "--user", WebDAVServer.user, "--pass",
        WebDAVServer.password, "--vfs-cache-mode", "off", "--dir-cache-time", "0s",
      ]
    case .nginx, .lighttpd, .sabre:
      throw WebDAVServer.Failure(what: "\(self) has no config here")
    }
  }
}

/// One server for all cases of a test.
struct WebDAVServedTrait: TestTrait, TestScoping {
  let kind: WebDAVServer.Kind

  func scopeProvider(for test: Test, testCase: Test.Case?) -> WebDAVServedTrait? { testCase == nil ? self : nil }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    let server = try await WebDAVServer(kind)
    defer { server.stop() }
    try await WebDAVServer.$current.withValue(server) { try await function() }
  }
}

extension Trait where Self == WebDAVServedTrait {
  static func served(by kind: WebDAVServer.Kind) -> Self { WebDAVServedTrait(kind: kind) }
}

extension WebDAVServer {
  /// No unfinished file is left, whatever happened.
  func expectClean(_ club: String) throws {
    let left = allNames("\(files)/\(club)").filter { $0.contains(".byteclub-part") || $0.contains("probe-") }
    #expect(left.isEmpty, "\(left)")
  }
}
