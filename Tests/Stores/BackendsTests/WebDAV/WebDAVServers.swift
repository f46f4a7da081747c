import Basics
import FileStores
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Backends

/// A real WebDAV server, for all cases of a test, with stores of its clubs.
final class WebDAVServer: Sendable {
  typealias Kind = WebDAVProgram.Kind

  /// The kind that `scripts/conformance` names.
  static let named = ProcessInfo.processInfo.environment["BYTECLUB_TEST_WEBDAV"].flatMap { Kind(rawValue: $0) }

  private let program: WebDAVProgram
  private let lines = Mutex<[HTTPOptions: any HTTPTransport]>([:])

  /// The server that all cases of a test with the trait `served` use.
  static var shared: WebDAVServer { get throws { try #require(current) } }
  @TaskLocal fileprivate static var current: WebDAVServer?

  init(_ kind: Kind) async throws { program = try await WebDAVProgram(kind) }

  var files: String { program.files }
  func newClub() throws -> String { try program.newClub() }
  func stop() { program.stop() }

  /// A new club. The server is tested: the capabilities of stores depend on the findings.
  func newTestedClub() async throws -> String {
    let club = try newClub()
    _ = try await open(club).server.findings()
    return club
  }

  var port: Int { program.port }

  /// - Parameter origin: that of a proxy before the server.
  func description(_ club: String, at origin: String? = nil) -> StoreDescription {
    StoreDescription(
      kind: "webdav", options: ["url": "\(origin ?? program.origin)/\(club)", "user": WebDAVProgram.user])
  }

  /// Stores of one server share connections, and the findings of one test.
  func open(
    _ club: String, at origin: String? = nil, tune: (inout WebDAVTuning) -> Void = { _ in },
    findings: FindingsMemory? = nil, through wrap: (any HTTPTransport) -> any HTTPTransport = { $0 }
  ) throws -> WebDAVStore {
    let store = description(club, at: origin)
    var tuning = WebDAVTuning()
    tuning.firstPoll = .milliseconds(20)
    tuning.longestPoll = .milliseconds(200)
    tune(&tuning)
    return try WebDAVKind.open(
      store, pool: WebDAVServer.pool, network: network(store, findings, through: wrap), tuning: tuning)
  }

  func network(
    _ store: StoreDescription, _ findings: FindingsMemory? = nil,
    through wrap: (any HTTPTransport) -> any HTTPTransport = { $0 }
  ) throws -> StoreNetwork {
    let options = try #require(try WebDAVKind().httpOptions(for: store))
    let transport = lines.withLock { lines in
      if let known = lines[options] { return known }
      let made = CurlTransport.patient(options)
      lines[options] = made
      return made
    }
    return StoreNetwork(
      transport: wrap(transport), tokens: StaticToken(WebDAVProgram.password), findings: findings ?? memory)
  }

  private static let pool = BlockingPool()
  private let memory = FindingsMemory()
}

final class FindingsMemory: FindingsKeeping {
  private let findings = Mutex<ServerFindings?>(nil)
  func kept() -> ServerFindings? { findings.withLock { $0 } }
  func keep(_ new: ServerFindings?) { findings.withLock { $0 = new } }
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
  /// The names of all files and folders of a club on the disk, from there.
  func names(_ club: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: "\(files)/\(club)").sorted()
  }

  /// No unfinished file and no mark of a writer is left, whatever happened, but for uploads that nobody has finished.
  func expectClean(_ club: String) throws {
    let left = try names(club).filter { name in
      (name.contains(".byteclub-part-") || name.contains("probe-") || name.hasPrefix(WebDAVLease.folder + "/"))
        && !name.contains(".byteclub-part-upload-")
    }
    #expect(left.isEmpty, "\(left)")
  }
}

extension WebDAVTuning {
  /// For a line that loses answers: the same names for a seed, no sweep between the requests, and no pauses between the
  /// tries of one request.
  mutating func sendOverBadLine(seed: UInt64) {
    let numbers = SharedNumbers(seed)
    random = { numbers.next() }
    retryClock = ManualClock(advancesOnSleep: true)
    sweeps = false
  }
}
