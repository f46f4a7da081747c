import Backends
import ClubServices
import FileStores
import TestKit
import Testing

/// Links of a club, as verbs and the app use them.
@Suite struct LinkServiceTests {
  private func service(_ store: any FileStore) throws -> LinkService {
    LinkService(
      Club(
        name: "lab", place: "~/ByteClub", memberName: { "ann" }, store: store, photosFolder: try StorePath("photos")),
      now: { Timestamp(seconds: 4_000_000_000, nanoseconds: 5) })
  }

  private func club() async throws -> (MemoryStore, LinkService) {
    let store = MemoryStore()
    for path in ["pier.md", "log", "photos/pier.jpg", "photos/far/quay.jpg"] {
      _ = try await store.put(DataSource(Array("x".utf8)), at: StorePath(path), mode: .create)
    }
    return (store, try service(store))
  }

  @Test("A link is ended by its note's name, its photo's name, its path, or its address")
  func revoke() async throws {
    let (_, links) = try await club()
    for (path, words) in [
      ("pier.md", ["pier", "pier.md"]), ("log", ["log"]), ("photos/pier.jpg", ["pier.jpg", "photos/pier.jpg"]),
      ("photos/far/quay.jpg", ["far/quay.jpg", "photos/far/quay.jpg"]),
    ] {
      for word in words {
        _ = try await links.link(to: StorePath(path))
        #expect(try await links.revoke(word).map(\.path.description) == [path], "\(word)")
        #expect(try await links.all().isEmpty)
      }
      let link = try await links.link(to: StorePath(path))
      #expect(try await links.revoke(link.url) == [link])
    }
  }

  @Test("A link is ended by a name in another Unicode form than its file has")
  func forms() async throws {
    let (store, links) = try await club()
    for path in ["re\u{301}sume\u{301}.md", "photos/Cafe\u{301}.jpg"] {
      _ = try await store.put(DataSource(Array("x".utf8)), at: StorePath(path), mode: .create)
      _ = try await links.link(to: StorePath(path))
    }
    for word in ["r\u{E9}sum\u{E9}", "Caf\u{E9}.jpg"] { #expect(try await links.revoke(word).count == 1) }
    #expect(try await links.all().isEmpty)
  }

  @Test("What has no link is not found, and nothing else is ended")
  func unknown() async throws {
    let (_, links) = try await club()
    let link = try await links.link(to: StorePath("pier.md"))
    for word in ["log", "quay.jpg", "nothing", "https://memory.example/s/99", "", "../x", "a/../b"] {
      let error = await #expect(throws: StoreError.self) { try await links.revoke(word) }
      #expect(error?.kind == .notFound || error?.kind == .badName, "\(word): \(error?.description ?? "")")
    }
    #expect(try await links.all() == [link])
  }

  @Test("The links are listed by path")
  func order() async throws {
    let (_, links) = try await club()
    for path in ["photos/pier.jpg", "log", "pier.md"] { _ = try await links.link(to: StorePath(path)) }
    #expect(try await links.all().map(\.path.description) == ["log", "photos/pier.jpg", "pier.md"])
  }

  @Test("A new link ends in a week unless another end is given, and a link that is there stays as it is")
  func ends() async throws {
    let (_, links) = try await club()
    let path = try StorePath("pier.md")
    let first = try await links.link(to: path)
    #expect(first.expires == Timestamp(seconds: 4_000_000_000 + 7 * 86_400))
    #expect(try await links.link(to: path) == first)
    #expect(try await links.share(path, until: .never).link == first)
    let error = await #expect(throws: StoreError.self) { try await links.link(to: path, .never) }
    #expect(error?.kind == .exists)
    _ = try await links.revoke("pier")
    #expect(try await links.share(path, until: .never).isNew)
    #expect(try await links.link(to: path, .never).expires == nil)
    #expect(try await links.link(to: path).expires == nil)
  }

  @Test(
    "An end that has passed is refused, and nothing is shared", arguments: [3_999_999_999, 4_000_000_000] as [Int64])
  func past(second: Int64) async throws {
    let (_, links) = try await club()
    let error = await #expect(throws: StoreError.self) {
      try await links.link(to: StorePath("pier.md"), .at(Timestamp(seconds: second)))
    }
    #expect(error?.kind == .badInput)
    #expect(try await links.all().isEmpty)
  }

  @Test("A club whose store has no links says so")
  func unsupported() async throws {
    let links = try service(Plain())
    let error = await #expect(throws: StoreError.self) { try await links.all() }
    #expect(error?.kind == .unsupported && error?.message.contains("~/ByteClub") == true)
  }

  @Test("The terms name the end and the password")
  func terms() throws {
    let path = try StorePath("a")
    #expect(SharedLink(url: "u", path: path).terms == "It never expires.")
    #expect(
      SharedLink(url: "u", path: path, expires: Timestamp(seconds: 1_800_000_000), hasPassword: true).terms
        == "It ends on 2027-01-15 at 08:00 UTC. It asks for its password.")
  }

  @Test("A note whose rename waits to be sent is shared by the name that the store still has")
  func renamed() async throws {
    let world = try CopyWorld()
    try await world.put("text", at: "a.md")
    try await world.visit()
    world.server.isAway = true
    let process = try world.start()
    _ = try await process.notes.rename(StorePath("a.md"), to: "b.md", seen: nil)
    let offline = await #expect(throws: StoreError.self) { try await process.notes.links.link(to: StorePath("b.md")) }
    #expect(offline?.kind == .offline)
    world.server.isAway = false
    let link = try await process.notes.links.link(to: StorePath("b.md"))
    #expect(link.path.description == "b.md")
    #expect(try await process.notes.links.revoke("b").map(\.path.description) == ["b.md"])
  }

  private struct Plain: StoreAround {
    let base: any FileStore = MemoryStore()
    var capabilities: Capabilities { Capabilities() }
  }
}
