import FileStores
import Synchronization
import TestKit
import Testing
import Transfers

@testable import Backends

/// Uploads to the double of a Nextcloud, through the engine of the transfers.
@Suite(.serialized) struct `An upload to a Nextcloud` {
  private let bench: Bench
  private let cloud: NextcloudDouble
  private let club: String
  private let path: StorePath

  init() throws {
    bench = try Bench(stands: true)
    cloud = try NextcloudDouble()
    club = cloud.newClub()
    path = try StorePath("sub/a.jpg")
  }

  private func store() async throws -> WebDAVStore {
    let description = StoreDescription(kind: "webdav", options: ["url": club, "user": "ann"])
    let options = try #require(try WebDAVKind().httpOptions(for: description))
    var tuning = WebDAVTuning()
    tuning.chunkBytes = 700
    tuning.sweeps = false
    tuning.clock = ManualClock(advancesOnSleep: true)
    let store = try WebDAVKind.open(
      description, pool: bench.pool,
      network: StoreNetwork(transport: CurlTransport.patient(options), tokens: StaticToken("x")), tuning: tuning)
    _ = try await store.server.findings()
    _ = cloud.takeRecorded()
    return store
  }

  /// Sends until the chunk with this number is there, then stops as if the program were killed.
  private func sendPart(upTo chunk: Int, _ bytes: [UInt8]) async throws -> Transfer.ID {
    let engine = bench.engine(StoppedStore(base: try await store(), after: chunk))
    let id = try await engine.add([bench.upload("a.jpg", bytes, to: "sub/a.jpg")])[0]
    _ = await engine.ended(id)
    await engine.stop()
    return id
  }

  private func goOn(_ id: Transfer.ID) async throws -> (end: Transfer?, resumes: [UInt64]) {
    let (engine, delegate) = (bench.engine(try await store()), bench.delegate)
    await engine.attach(delegate)
    try await engine.start()
    try await engine.perform(.retry(id))
    let end = await engine.ended(id)
    await engine.stop()
    return (end, delegate.resumes(id))
  }

  private func check(_ bytes: [UInt8], _ end: Transfer?) async throws {
    #expect(end?.state == .done, "\(String(describing: end))")
    #expect(try await store().readAll(path).bytes == bytes)
    #expect(cloud.names(in: club).filter { !$0.hasPrefix(".byteclub") } == ["sub", "sub/a.jpg"])
    #expect(cloud.openUploads.isEmpty && !cloud.names(in: club).contains { $0.contains("-part-") })
    cloud.stop()
  }

  @Test func `goes on from its last chunk after a kill`() async throws {
    let bytes = Bench.bytes(5000)
    let id = try await sendPart(upTo: 3, bytes)
    let (end, resumes) = try await goOn(id)
    let chunks = cloud.takeRecorded().filter { $0.method == "PUT" && $0.path.contains("/uploads/") }.map(\.bytes)
    #expect(resumes == [2100] && chunks == [700, 700, 700, 700, 100])
    try await check(bytes, end)
  }

  @Test func `begins anew when the server has forgotten it`() async throws {
    let bytes = Bench.bytes(5000)
    let id = try await sendPart(upTo: 3, bytes)
    cloud.forgetUploads()
    let (end, _) = try await goOn(id)
    #expect(end?.restarts == 1)
    try await check(bytes, end)
  }

  @Test func `begins anew a day after its beginning`() async throws {
    let bytes = Bench.bytes(5000)
    let id = try await sendPart(upTo: 3, bytes)
    bench.clock.advance(by: .seconds(86_401))
    let (end, _) = try await goOn(id)
    #expect(end?.restarts == 1)
    try await check(bytes, end)
  }

  @Test(arguments: [NextcloudDouble.Fault.late(3), .lostAnswer, .failed, .lostChunk])
  func `is whole and there once`(fault: NextcloudDouble.Fault) async throws {
    let bytes = Bench.bytes(5000)
    let store = RetryingStore(try await store(), clock: ManualClock(advancesOnSleep: true))
    cloud.misbehave(fault)
    let engine = bench.engine(store)
    let id = try await engine.add([bench.upload("a.jpg", bytes, to: "sub/a.jpg")])[0]
    let end = await engine.ended(id)
    await engine.stop()
    try await check(bytes, end)
  }
}

/// Fails for ever after some appends.
private struct StoppedStore: StoreWrapper {
  let base: any FileStore
  let after: Int
  let appended = Counter()

  final class Counter: Sendable {
    private let count = Mutex(0)
    func next() -> Int {
      count.withLock { count in
        count += 1
        return count
      }
    }
  }

  func call<Answer: Sendable>(
    _ call: StoreCall<Answer>, _ body: () async throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    if call.name == .append, appended.next() > after { throw StoreError(.quota, "It is full.") }
    return try await body()
  }
}
