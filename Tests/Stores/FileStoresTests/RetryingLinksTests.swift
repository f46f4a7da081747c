import Backends
import FileStores
import Synchronization
import TestKit
import Testing

/// The end of a link whose request or answer is lost.
@Suite struct RetryingLinksTests {
  /// A store whose first request to end a link is lost, or loses its answer.
  private final class OnceLost: StoreAround, LinkSharing {
    let base: any FileStore
    let sharing: any LinkSharing
    private let arrives: Bool
    private let isBroken = Atomic(false)

    init(_ base: MemoryStore, arrives: Bool) throws {
      self.base = base
      sharing = try #require(base.capabilities.links)
      self.arrives = arrives
    }

    var capabilities: Capabilities { Capabilities(links: self) }

    func link(to path: StorePath, _ terms: LinkTerms) async throws(StoreError) -> SharedLink {
      try await sharing.link(to: path, terms)
    }
    func dropPage(
      into folder: StorePath, _ terms: DropTerms, expires: Timestamp?
    ) async throws(StoreError) -> SharedLink {
      try await sharing.dropPage(into: folder, terms, expires: expires)
    }
    func links(to path: StorePath?) async throws(StoreError) -> [SharedLink] { try await sharing.links(to: path) }
    func revoke(_ url: String) async throws(StoreError) {
      guard !isBroken.exchange(true, ordering: .relaxed) else { return try await sharing.revoke(url) }
      if arrives { try await sharing.revoke(url) }
      throw StoreError(.offline, "The line broke.")
    }
  }

  private let memory = MemoryStore()

  private func links(arrives: Bool) throws -> any LinkSharing {
    let store = RetryingStore(
      try OnceLost(memory, arrives: arrives), clock: ManualClock(advancesOnSleep: true), draw: { 0.5 })
    return try #require(store.capabilities.links)
  }

  @Test(arguments: [true, false]) func `a link has ended once, whether the request or its answer was lost`(
    arrives: Bool
  ) async throws {
    _ = try await memory.put(DataSource("text".utf8), at: StorePath("a"), mode: .create)
    let links = try links(arrives: arrives)
    let link = try await links.link(to: StorePath("a"), LinkTerms())
    try await links.revoke(link.url)
    #expect(try await links.links(to: nil).isEmpty)
    let error = await #expect(throws: StoreError.self) { try await links.revoke(link.url) }
    #expect(error?.kind == .notFound)
  }

  @Test(arguments: [true, false]) func `a link that never was is not found, also when a request was lost`(
    arrives: Bool
  ) async throws {
    let error = await #expect(throws: StoreError.self) {
      try await links(arrives: arrives).revoke("https://club.example/s/word")
    }
    #expect(error?.kind == .notFound)
  }
}
