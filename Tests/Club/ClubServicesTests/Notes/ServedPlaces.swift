import Basics
import FileStores
import Synchronization
import TestKit
import Testing

@testable import Backends

/// Stores behind a network, at doubles of their servers, each in a place of its own.
enum ServedPlaces {
  private final class Findings: FindingsKeeping {
    private let findings = Mutex<ServerFindings?>(nil)
    func kept() -> ServerFindings? { findings.withLock { $0 } }
    func keep(_ new: ServerFindings?) { findings.withLock { $0 = new } }
  }

  private static let cloud = Result { try NextcloudDouble() }
  private static let cloudFindings = Findings()

  /// A folder at a WebDAV server that keeps all conditions.
  static func webDAV(_ pool: BlockingPool) throws -> any FileStore {
    let description = StoreDescription(kind: "webdav", options: ["url": try cloud.get().newClub(), "user": "ann"])
    let options = try #require(try WebDAVKind().httpOptions(for: description))
    var tuning = WebDAVTuning()
    tuning.sweeps = false
    return try WebDAVKind.open(
      description, pool: pool,
      network: StoreNetwork(
        transport: CurlTransport.patient(options), tokens: StaticToken("x"), findings: cloudFindings), tuning: tuning)
  }

  /// A bucket without versions, or with them, at a server that keeps all conditions but those of copies.
  static func bucket(keepsVersions: Bool, _ pool: BlockingPool) throws -> any FileStore {
    var tuning = S3Tuning()
    tuning.variable = { ["AWS_ACCESS_KEY_ID": "AKIATEST", "AWS_SECRET_ACCESS_KEY": "secret"][$0] }
    tuning.clock = ManualClock(advancesOnSleep: true)
    let double = S3Double(keepsVersions ? .newest : nil)
    return try S3Store(
      StoreDescription(kind: "s3", options: ["endpoint": "https://s3.test", "bucket": "b", "prefix": "p"]),
      StoreNetwork(transport: double.transport, tokens: StaticToken(""), findings: Findings()), pool: pool,
      tuning: tuning)
  }
}
