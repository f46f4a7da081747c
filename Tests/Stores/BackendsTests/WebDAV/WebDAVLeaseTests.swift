import FileStores
import TestKit
import Testing

@testable import Backends

/// The lease of a file at a real Apache.
@Suite(.serialized, .enabled(if: WebDAVServer.Kind.apache.program != nil, "apache2 is not installed"))
struct WebDAVLeaseTests {
  @Test(.served(by: .apache), .timeLimit(.minutes(5)))
  func `one of eight writers at a time has the lease of a file, and each gets it`() async throws {
    let server = try WebDAVServer.shared
    let club = try server.newClub()
    let stores = try (0..<8).map { _ in try server.open(club, tune: { $0.sweeps = false }) }
    let (path, inside, most, turns) = (try StorePath("note.md"), Counter(), Counter(), Counter())
    try await withThrowingTaskGroup(of: Void.self) { group in
      for store in stores {
        group.addTask {
          for _ in 0..<3 {
            try await store.holdingLease(path) { () throws(StoreError) in
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
    #expect(most.value == 0, "\(most.value) times two writers had the lease")
    #expect(turns.value == 24)
    try server.expectClean(club)
  }

  @Test(.served(by: .apache)) func `leases of two files do not hinder each other`() async throws {
    let server = try WebDAVServer.shared
    let store = try server.open(try server.newClub())
    let (one, other) = (try WebDAVLease(StorePath("a.md"), store), try WebDAVLease(StorePath("b.md"), store))
    try await one.take()
    try await other.take()
    await one.leave()
    await other.leave()
  }
}
