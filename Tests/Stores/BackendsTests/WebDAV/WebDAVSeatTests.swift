import FileStores
import TestKit
import Testing

@testable import Backends

/// The seat of a file at a real Apache.
@Suite(.serialized, .enabled(if: WebDAVServer.Kind.apache.program != nil, "apache2 is not installed"))
struct WebDAVSeatTests {
  @Test(.served(by: .apache), .timeLimit(.minutes(1)))
  func `one of eight writers at a time has the seat of a file, and each gets it`() async throws {
    let server = try WebDAVServer.shared
    let club = try server.newClub()
    let stores = try (0..<8).map { _ in try server.open(club, tune: { $0.sweeps = false }) }
    let (path, inside, most, turns) = (try StorePath("note.md"), Counter(), Counter(), Counter())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in stores {
        group.addTask {
          for _ in 0..<3 {
            try await store.seated(path) { () throws(StoreError) in
              if inside.add(1) > 1 { most.add(1) }
              _ = try await store.look(at: path)
              inside.add(-1)
              turns.add(1)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(most.value == 0, "\(most.value) times two writers had the seat")
    #expect(turns.value == 24)
    try server.expectClean(club)
  }

  @Test(.served(by: .apache)) func `seats of two files do not hinder each other`() async throws {
    let server = try WebDAVServer.shared
    let store = try server.open(try server.newClub())
    let (one, other) = (try WebDAVSeat(StorePath("a.md"), store), try WebDAVSeat(StorePath("b.md"), store))
    try await one.take()
    try await other.take()
    await one.leave()
    await other.leave()
  }
}

/// The seat of a file at the double of a Nextcloud, whose clock the client does not see.
@Suite(.serialized) struct WebDAVTimelessSeatTests {
  private struct Timeless: HTTPTransport {
    let base: any HTTPTransport

    func exchange(
      _ request: HTTPRequest, sent: (@Sendable (UInt64) -> Void)?,
      _ receive: (HTTPResponse, ByteChunk) async throws(StoreError) -> Void
    ) async throws(StoreError) -> HTTPResponse {
      let response = try await base.exchange(request, sent: sent) { (response, chunk) throws(StoreError) in
        try await receive(without(response), chunk)
      }
      return without(response)
    }

    private func without(_ response: HTTPResponse) -> HTTPResponse {
      var headers = response.headers
      headers["Date"] = nil
      return HTTPResponse(response.status, headers: headers)
    }
  }

  @Test(.atNextcloud) func `the mark of a killed program goes, too, at a server that tells no time`() async throws {
    let cloud = try NextcloudDouble.shared
    let (club, path) = (cloud.newClub(), try StorePath("a.md"))
    // The test of the server draws names of its own.
    _ = try await cloud.open(club)
    func seat(_ random: UInt64) async throws -> WebDAVSeat {
      let store = try await cloud.open(
        club,
        tune: {
          $0.clock = ManualClock(advancesOnSleep: true)
          $0.random = { random }
        }, through: { Timeless(base: $0) })
      return try WebDAVSeat(path, store)
    }
    try await seat(35).take()
    let waiting = try await seat(1)
    try await waiting.take()
    await waiting.leave()
    #expect(cloud.leavings(in: club).isEmpty)
  }
}
