import FileStores
import TestKit
import Testing

@testable import Backends

/// A bucket with versions where all that happens is of one second.
@Suite struct S3SameSecondTests {
  private static let path = "a.md"
  private let note: StorePath

  init() throws { note = try StorePath(Self.path) }

  private func store(_ order: S3Double.Order) async throws -> S3Store {
    let server = S3Double(order)
    let findings = try await S3SelfTest().run(S3Scene.store(server.transport).client, word: 7)
    return try S3Scene.store(server.transport, findings: findings)
  }

  private func save(_ text: String, _ store: S3Store) async throws -> FileEntry {
    try await store.put(DataSource(text.utf8), at: note, mode: .create)
  }

  private func text(_ path: StorePath, _ store: S3Store) async throws -> String {
    String(decoding: try await store.readAll(path, limit: 100).bytes, as: UTF8.self)
  }

  private func sizes(_ store: S3Store) async throws -> [UInt64?] {
    try await S3History(store: store).versions(of: note, limit: 10).map(\.size)
  }

  @Test(arguments: [
    (S3Double.Order.newest, "kept"), (.kinds, "kinds"), (.oldest, "other"),
  ])
  func `the test of the server finds how it lists versions`(row: (order: S3Double.Order, answer: String)) async throws {
    let findings = try #require(try await store(row.order).server.known)
    #expect(findings["order"] == row.answer && findings["versions"] == "yes")
    let sentences = S3SelfTest().sentences(findings).filter { $0.contains("one second") }
    #expect(sentences.count == (row.answer == "kept" ? 0 : 1))
  }

  @Test(arguments: [S3Double.Order.newest, .kinds])
  func `a note that is written anew in the second of its removal leaves its old text in the trash`(
    order: S3Double.Order
  ) async throws {
    let store = try await store(order)
    let trash = S3VersionTrash(store: store)
    let removed = try await trash.discard(note, ifRevision: try await save("old", store).revision)
    _ = try await save("newer", store)
    #expect(try await trash.contents() == [removed] && removed.size == 3)
    #expect(try await sizes(store) == [5, 3])
    let other = try StorePath("b.md")
    #expect(try await trash.restore(removed.id, as: other).size == 3)
    #expect(try await text(other, store) == "old")
    #expect(try await text(note, store) == "newer")
    #expect(try await trash.contents() == [])
  }

  @Test(arguments: [S3Double.Order.newest, .kinds])
  func `a note that is removed, written and removed within a second is in the trash twice`(
    order: S3Double.Order
  ) async throws {
    let store = try await store(order)
    let trash = S3VersionTrash(store: store)
    let first = try await trash.discard(note, ifRevision: try await save("old", store).revision)
    let last = try await save("newer", store)
    let second = try await trash.discard(note, ifRevision: last.revision)
    #expect(try await trash.contents() == [second, first])
    #expect([second.size, first.size] == [5, 3])
    #expect(try await trash.restore(second.id).revision == last.revision)
    #expect(try await text(note, store) == "newer")
    #expect(try await trash.contents() == [first])
  }

  @Test(arguments: [S3Double.Order.newest, .kinds])
  func `emptying the trash leaves a note that is written anew in the second of its removal`(
    order: S3Double.Order
  ) async throws {
    let store = try await store(order)
    let trash = S3VersionTrash(store: store)
    _ = try await trash.discard(note, ifRevision: try await save("old", store).revision)
    _ = try await save("newer", store)
    #expect(try await trash.empty() == 1)
    #expect(try await text(note, store) == "newer")
    #expect(try await sizes(store) == [5])
  }
}
