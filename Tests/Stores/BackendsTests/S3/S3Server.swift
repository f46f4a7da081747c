import Basics
import FileStores
import POSIX
import Synchronization
import TestKit
import Testing

@testable import Backends

/// An S3 server for all tests of this process: moto, on a port of its own; or the server of `BYTECLUB_TEST_S3`
/// (`http://HOST:PORT ID SECRET`), which `scripts/conformance` starts. It ends with this process.
struct S3Server: Sendable {
  static let shared: Result<S3Server, Failure> = Result { () throws(Failure) in try S3Server() }
  static var isThere: Bool { PythonPackages.python != nil || getenv("BYTECLUB_TEST_S3") != nil }

  enum Failure: Error { case didNotStart(String) }

  private static let clubs = Atomic(0)

  let endpoint: String
  let id: String
  let secret: String
  let isMoto: Bool

  private init() throws(Failure) {
    if let other = getenv("BYTECLUB_TEST_S3") {
      let words = String(cString: other).split(separator: " ").map(String.init)
      guard words.count == 3 else { throw .didNotStart("BYTECLUB_TEST_S3 must be \"http://HOST:PORT ID SECRET\".") }
      (endpoint, id, secret, isMoto) = (words[0], words[1], words[2], false)
      return
    }
    do throws(PythonServer.Failure) {
      // It ends with this process.
      let server = try PythonServer("s3_server.py")
      (endpoint, id, secret, isMoto) = ("http://127.0.0.1:\(server.port)", "AKIATEST", "secret", true)
    } catch {
      throw .didNotStart("\(error)")
    }
  }

  /// A bucket that is made if missing.
  func bucket(_ name: String, isVersioned: Bool = false) async throws -> String {
    let client = try S3Client(
      StoreDescription(kind: "s3", options: ["endpoint": endpoint, "bucket": name]), nil, pool: Self.pool,
      tuning: tuning())
    var call = S3Call(.put, nil, about: .root)
    let answer = try await client.answer(call)
    guard answer.isSuccess || answer.status == 409 else { throw client.error(answer, call) }
    if isVersioned {
      call.query = [("versioning", "")]
      call.body = .bytes(
        Array("<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>".utf8))
      let answer = try await client.answer(call)
      guard answer.isSuccess else { throw client.error(answer, call) }
    }
    return name
  }

  static let pool = BlockingPool()

  func tuning() -> S3Tuning {
    var tuning = S3Tuning()
    tuning.partBytes = 5 << 20
    (tuning.pollPause, tuning.longestPause) = (.milliseconds(20), .milliseconds(40))
    let keys = ["AWS_ACCESS_KEY_ID": id, "AWS_SECRET_ACCESS_KEY": secret]
    tuning.variable = { keys[$0] }
    return tuning
  }

  var port: UInt16 { endpoint.split(separator: ":").last.flatMap { UInt16($0) } ?? 0 }

  /// A club of its own in a bucket.
  static func newClub() -> String { "club\(getpid())-\(clubs.wrappingAdd(1, ordering: .relaxed).newValue)" }

  func store(
    _ bucket: String, _ club: String, at other: String? = nil, findings: (any FindingsKeeping)? = nil,
    isUnsafe: Bool = false,
    _ change: (inout S3Tuning) -> Void = { _ in }, through wire: (any HTTPTransport) -> any HTTPTransport = { $0 }
  ) throws -> S3Store {
    var tuning = tuning()
    change(&tuning)
    var options = ["endpoint": other ?? endpoint, "bucket": bucket, "prefix": club]
    if isUnsafe { options["unsafeWrites"] = "true" }
    let description = StoreDescription(kind: "s3", options: options)
    let network = StoreNetwork(
      transport: wire(CurlTransport.patient(try #require(try S3Kind().httpOptions(for: description)))),
      tokens: StaticToken(""), findings: findings)
    return try S3Store(description, network, pool: Self.pool, tuning: tuning)
  }
}

/// Findings of one server in memory, for all stores of it.
final class SharedFindings: FindingsKeeping {
  private let findings = Mutex<ServerFindings?>(nil)

  func kept() -> ServerFindings? { findings.withLock { $0 } }
  func keep(_ new: ServerFindings?) { findings.withLock { $0 = new } }
}
