import FileStores
import TestKit
import Testing

@testable import Backends

/// Eight writers on one note.
@Suite(.serialized) struct WebDAVRaces {
  static let writers = 8

  /// The texts of the writes that were acknowledged. Each race has texts of its own: where a revision is a hash of the
  /// bytes, a note that is replaced by the same text still has its base, and another writer may follow.
  private static func race(_ stores: [WebDAVStore], _ path: StorePath, _ mode: WriteMode, as name: String) async
    -> [String]
  {
    await withTaskGroup(of: String?.self) { group in
      for (number, store) in stores.enumerated() {
        let text = "\(name) of writer \(number) " + String(repeating: "\(number)", count: 2000 + number)
        group.addTask {
          do throws(StoreError) {
            _ = try await store.put(DataSource(text.utf8), at: path, mode: mode)
            return text
          } catch {
            return nil
          }
        }
      }
      var winners: [String] = []
      for await winner in group { if let winner { winners.append(winner) } }
      return winners
    }
  }

  static func run(rounds: Int) async throws {
    let server = try WebDAVServer.shared
    let club = try server.newClub()
    let stores = try (0..<writers).map { _ in try server.open(club) }
    _ = try await stores[0].server.findings()
    for round in 0..<rounds {
      let path = try StorePath("note \(round).md")
      let made = await race(stores, path, .create, as: "text")
      #expect(made.count == 1, "\(made.count) creates won round \(round)")
      let there = try await stores[0].readAll(path, limit: 100_000)
      #expect(made == [String(decoding: there.bytes, as: UTF8.self)])
      let base = try #require(there.entry.revision)
      let replaced = await race(stores, path, .replace(base), as: "change")
      #expect(replaced.count == 1, "\(replaced.count) replaces won round \(round)")
      let now = try await stores[0].readAll(path, limit: 100_000)
      #expect(replaced == [String(decoding: now.bytes, as: UTF8.self)])
    }
    try server.expectClean(club)
  }

  @Test(.enabled(if: WebDAVServer.Kind.apache.program != nil, "apache2 is not installed"), .served(by: .apache))
  func `of eight writers at Apache exactly one wins each round`() async throws {
    try await Self.run(rounds: TestTier.process.rounds(25))
  }
}
