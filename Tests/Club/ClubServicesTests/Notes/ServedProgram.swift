import Basics
import FileStores
import Foundation
import Synchronization
import TestKit
import Testing

@testable import Backends

/// byteclub's server in a process of its own over a folder, for all cases of a test.
struct ServedProgram: Sendable {
  /// The program beside the byteclub that is tested; nil where it was not built.
  static let path: String? = {
    let club = ProcessInfo.processInfo.environment["BYTECLUB_TEST_BINARY"]
    return club.map { $0 + "-serve" }.flatMap { FileManager.default.isExecutableFile(atPath: $0) ? $0 : nil }
  }()

  @TaskLocal fileprivate static var current: ServedProgram?
  private static let clubs = Atomic(0)

  let origin: String
  let token: String

  /// A new folder of the server, by one of the two versions of its API.
  static func store(_ kind: String, _ pool: BlockingPool) async throws -> any FileStore {
    let served = try #require(current)
    let club = "/club-\(clubs.add(1, ordering: .relaxed).newValue)"
    let description = StoreDescription(kind: kind, options: ["server": served.origin, "folder": club])
    let kind = try StoreRegistry.standard.kind(kind)
    let options = try #require(try kind.httpOptions(for: description))
    let store = try kind.open(
      description, pool: pool,
      network: StoreNetwork(transport: CurlTransport.patient(options), tokens: StaticToken(served.token)))
    try await store.createFolder(.root)
    return store
  }
}

struct ServedByProgram: TestTrait, TestScoping {
  func scopeProvider(for test: Test, testCase: Test.Case?) -> ServedByProgram? { testCase == nil ? self : nil }

  func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    guard let program = ServedProgram.path else { return }
    let home = try TemporaryFolder()
    defer { withExtendedLifetime(home) {} }
    try FileManager.default.createDirectory(atPath: home.path + "/club", withIntermediateDirectories: false)
    var environment = ["HOME": home.path, "SWIFT_BACKTRACE": "enable=no"]
    environment["LD_LIBRARY_PATH"] = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"]
    let root = ["--root", home.path + "/club"]
    let admitted = try Spawn(program, ["member", "add", "ann"] + root, environment: environment).finish()
    try #require(admitted.status == 0, "\(admitted.said)")
    let server = try Spawn(program, root + ["--listen", "127.0.0.1:0"], environment: environment)
    var failure: (any Error)?
    do {
      try server.wait(forOutput: "\"folder\"")
      let port = try #require(server.told.split(separator: "://127.0.0.1:").last).prefix { $0.isNumber }
      let served = ServedProgram(
        origin: "http://127.0.0.1:\(port)", token: admitted.text.trimmingCharacters(in: .whitespacesAndNewlines))
      try await ServedProgram.$current.withValue(served) { try await function() }
    } catch {
      failure = error
    }
    server.signal(SIGTERM)
    _ = try server.finish()
    if let failure { throw failure }
  }
}

extension Trait where Self == ServedByProgram {
  static var servedByProgram: Self { ServedByProgram() }
}
