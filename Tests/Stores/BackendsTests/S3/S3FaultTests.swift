import FileStores
import Synchronization
import TestKit
import Testing

@testable import Backends

/// Faults between the client and a real server, below all logic of the store.
@Suite(.serialized, .enabled(if: S3Server.isThere, Comment(rawValue: PythonPackages.reason))) struct S3FaultTests {
  private static let findings = SharedFindings()
  @Test(
    "S3 through retries over faults of the network:",
    arguments: StoreChecks.share(4, seeds: [1, 2]))
  func matrix(check: StoreCheck, seed: UInt64) async throws {
    let server = try S3Server.shared.get()
    let (bucket, club) = (try await server.bucket("plain"), S3Server.newClub())
    let other = try server.store(bucket, club, findings: Self.findings)
    _ = try await other.server.findings()
    let store = try server.store(
      bucket, club, findings: Self.findings, { $0.clock = ManualClock(advancesOnSleep: true) },
      through: { FaultyWire($0, seed: seed) })
    let steady = RetryingStore(
      store, policy: RetryPolicy(attempts: 60), clock: ManualClock(advancesOnSleep: true), draw: { 0.5 })
    try await check.run(StoreUnderTest(steady, other: other))
  }

  @Test(arguments: [16 << 20, 1 << 20]) func `bytes that are damaged on their way are refused`(held: Int) async throws {
    let server = try S3Server.shared.get()
    let bucket = try await server.bucket("plain")
    let store = try server.store(
      bucket, S3Server.newClub(), findings: Self.findings, { $0.heldBytes = held },
      through: { DamagingWire(base: $0) })
    _ = try await store.server.findings()
    let (path, bytes) = (try StorePath("a"), [UInt8](repeating: 7, count: 6 << 20))
    let error = await #expect(throws: StoreError.self) {
      try await store.put(DataSource(bytes), at: path, mode: .create)
    }
    #expect(error?.kind == .server && error?.message.contains("damaged") == true, "\(String(describing: error))")
    #expect(try await store.entryIfAny(path) == nil)
    let uploads = S3Uploads(store: store)
    let session = try await uploads.begin(path, size: 6 << 20)
    let other = await #expect(throws: StoreError.self) {
      try await uploads.append(DataSource(bytes), count: 5 << 20, to: session, at: 0)
    }
    #expect(other?.message.contains("damaged") == true, "\(String(describing: other))")
    #expect(try await uploads.offset(of: session) == 0)
    try await uploads.abandon(session)
  }
}

/// Loses requests and answers, answers that the server is busy, and breaks bodies off. Of three requests of one kind in a
/// row at least one passes.
private final class FaultyWire: HTTPTransport {
  private enum Fault: CaseIterable {
    case lostRequest, lostAnswer, busy, failed, brokenBody
  }

  private let base: any HTTPTransport
  private let state: Mutex<(numbers: SeededNumbers, row: [String: Int])>

  init(_ base: any HTTPTransport, seed: UInt64) {
    self.base = base
    state = Mutex((SeededNumbers(seed), [:]))
  }

  func exchange(
    _ request: HTTPRequest, sent: (@Sendable (UInt64) -> Void)?,
    _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> HTTPResponse {
    let lost = StoreError(.offline, "The connection broke.", remedy: "Try again.")
    switch next("\(request.method) \(request.name)") {
    case nil: return try await base.exchange(request, sent: sent, receive)
    case .lostRequest: throw lost
    case .lostAnswer:
      _ = try await base.exchange(request, sent: nil) { (_, _) throws(StoreError) in }
      throw lost
    case .busy: return try await answer(503, "SlowDown", request, receive)
    case .failed: return try await answer(500, "InternalError", request, receive)
    case .brokenBody:
      _ = try await base.exchange(request, sent: nil) { (response, chunk) throws(StoreError) in
        try await receive(response, chunk.prefix(chunk.count / 2))
        throw lost
      }
      throw lost
    }
  }

  private func answer(
    _ status: Int, _ code: String, _ request: HTTPRequest,
    _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> HTTPResponse {
    let response = HTTPResponse(status)
    if request.method != .head { try await receive(response, Array("<Error><Code>\(code)</Code></Error>".utf8)[...]) }
    return response
  }

  private func next(_ name: String) -> Fault? {
    state.withLock { state in
      let isFaulty = UInt8.random(in: 0..<10, using: &state.numbers) < 2
      guard isFaulty, state.row[name, default: 0] < 2 else {
        state.row[name] = 0
        return nil
      }
      state.row[name, default: 0] += 1
      return Fault.allCases.randomElement(using: &state.numbers)
    }
  }
}

/// Changes the first byte of each file's content.
private struct DamagingWire: HTTPTransport {
  let base: any HTTPTransport

  func exchange(
    _ request: HTTPRequest, sent: (@Sendable (UInt64) -> Void)?,
    _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> HTTPResponse {
    var request = request
    if request.kind == .content {
      switch request.body {
      case .empty: break
      case .bytes(let bytes): request.body = .bytes([bytes[0] ^ 1] + bytes.dropFirst())
      case .source(let source, let offset, let length):
        request.body = .source(Damaged(base: source), from: offset, length: length)
      }
    }
    return try await base.exchange(request, sent: sent, receive)
  }

  private struct Damaged: ByteSource {
    let base: any ByteSource
    var size: UInt64? { base.size }
    func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
      Reading(base: try await base.open(at: offset))
    }
  }

  private struct Reading: ByteReading {
    var base: any ByteReading
    var isFirst = true

    mutating func next() async throws(StoreError) -> ByteChunk? {
      guard let chunk = try await base.next() else { return nil }
      guard isFirst, let first = chunk.first else { return chunk }
      isFirst = false
      return ([first ^ 1] + chunk.dropFirst())[...]
    }
  }
}
