internal import Basics
internal import FileStores

/// Tests which conditions an S3 server keeps, because several ignore them and answer success: some forty small
/// requests on keys below `.byteclub-probe/`, which are removed again.
struct S3SelfTest: ServerSelfTest {
  let version = 3

  func run(
    on store: StoreDescription, pool: BlockingPool, network: StoreNetwork
  ) async throws(StoreError) -> ServerFindings {
    let client = try S3Client(store, network, pool: pool, tuning: S3Tuning())
    return try await run(client, word: UInt64.random(in: .min ... .max))
  }

  func conditions(_ findings: ServerFindings) -> WriteConditions { S3Features(findings).conditions }

  func sentences(_ findings: ServerFindings) -> [String] {
    let features = S3Features(findings)
    var all: [String] = []
    if features.conditions == .none {
      all.append(
        "The server keeps no conditions of writes, so a save could destroy another member's: the club is read-only unless "
          + "\"unsafeWrites\" is true.")
      if features.isVersioned { all.append("It may keep them in a bucket without versioning, as Ceph 16 does.") }
    } else {
      all.append("The server keeps the conditions of saves.")
    }
    if features.completeCreate != .kept || features.completeReplace != .kept {
      all.append("It ignores conditions at the end of an upload: byteclub reserves the name first.")
    }
    if features.delete == .ignored || features.delete == .refused {
      all.append("It ignores conditions of deletions: byteclub keeps a copy in the trash first.")
    }
    if features.copyTarget != .kept {
      all.append("It ignores conditions of copies: byteclub reserves the name before a move.")
    }
    if !features.comparesBodies {
      all.append("It does not compare the hash of a file that it gets: damage on the way would not be noticed.")
    }
    if findings["asks"] == "early" {
      all.append("It confirms files before it has them: byteclub does not ask it first.")
    }
    if let lost = LostNames(findings) {
      all.append("It loses files with \(lost.words) in their names: byteclub refuses such names.")
    }
    all.append(
      features.isVersioned
        ? "The bucket keeps versions: notes have a history, and the trash needs no copies."
        : "The bucket keeps no versions: notes have no history."
          + (features.replace == .kept ? " Turn versioning on to have one." : ""))
    switch findings["order"].flatMap(S3VersionOrder.Answer.init(rawValue:)) {
    case .kinds:
      all.append("It lists deletions apart from versions: of those of one second, byteclub takes one of each by turns.")
    case .other:
      all.append("It lists versions in no order: of changes within one second, the trash can show another text.")
    case .kept, nil: break
    }
    if let skew = findings["clock"], skew != "0" {
      all.append("The server's clock differs from this machine's by \(skew) seconds. Set this machine's clock.")
    }
    return all
  }

  /// - Parameter word: makes the keys differ from those of other tests.
  func run(_ client: S3Client, word: UInt64) async throws(StoreError) -> ServerFindings {
    var probe = try S3Probe(client, word: word)
    try await always({ () throws(StoreError) in await probe.clean() }) { () throws(StoreError) in
      try await probe.ask()
    }
    return ServerFindings(kind: S3Kind().name, version: version, server: probe.server, answers: probe.answers)
  }
}
