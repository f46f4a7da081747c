import Backends
import ClubServices
import FileStores
import TestKit
import Testing

/// Pages for photos from phones, as the verb and the app ask for them.
@Suite struct DropPageServiceTests {
  private static let now = Timestamp(seconds: 4_000_000_000, nanoseconds: 5)

  private func service(_ store: any FileStore = MemoryStore()) throws -> LinkService {
    LinkService(
      Club(
        name: "lab", place: "~/ByteClub", memberName: { "ann" }, store: store, photosFolder: try StorePath("photos")),
      now: { Self.now })
  }

  @Test func `without terms it takes 500 MiB for a day into the photos folder`() async throws {
    let page = try await service().dropPage()
    #expect(page.path.description == "photos" && page.expires == Timestamp(seconds: 4_000_086_400))
    #expect(page.drop == DropTerms(giver: nil, mostBytes: 500 << 20))
  }

  @Test(arguments: [
    ("oslo", "photos/oslo"), ("oslo/pier/", "photos/oslo/pier"), ("photos/oslo", "photos/oslo"), ("photos", "photos"),
    ("/oslo", "photos/oslo"), ("", "photos"), ("/", "photos"),
  ])
  func `the folder is one below the photos folder`(typed: String, folder: String) async throws {
    #expect(try await service().dropPage(into: typed).path.description == folder)
  }

  @Test(arguments: ["..", "../x", "a//b", "oslo/../.."]) func `another folder is refused`(typed: String) async throws {
    let error = await #expect(throws: StoreError.self) { try await service().dropPage(into: typed) }
    #expect(error?.kind == .badName)
  }

  @Test(arguments: [("", nil), ("  ", nil), (" Mia\nof  Oslo ", "Mia of Oslo")] as [(String, String?)])
  func `the giver's name has single spaces, and an empty one is none`(typed: String, name: String?) async throws {
    #expect(try await service().dropPage(giver: typed).drop?.giver == name)
  }

  @Test(arguments: [LinkEnd.never, .at(Self.now), .at(Timestamp(seconds: 1))])
  func `a page without an end to come is refused`(end: LinkEnd) async throws {
    let links = try service()
    let error = await #expect(throws: StoreError.self) { try await links.dropPage(end: end) }
    #expect(error?.kind == .badInput)
    #expect(try await links.all().isEmpty)
  }

  @Test func `pages stand below the links, and end by address or folder`() async throws {
    let store = MemoryStore()
    for path in ["pier.md", "photos/zoo.jpg", "photos/oslo/a.jpg"] {
      _ = try await store.put(DataSource(Array("x".utf8)), at: StorePath(path), mode: .create)
    }
    let links = try service(store)
    let pages = [try await links.dropPage(), try await links.dropPage(into: "oslo")]
    _ = try await links.link(to: StorePath("photos/zoo.jpg"))
    _ = try await links.link(to: StorePath("pier.md"))
    let paths = { (links: [SharedLink]) in links.map(\.path.description) }
    #expect(paths(try await links.all()) == ["photos/zoo.jpg", "pier.md", "photos", "photos/oslo"])
    #expect(try await links.revoke("oslo") == [pages[1]])
    #expect(try await links.revoke(pages[0].url) == [pages[0]])
    #expect(paths(try await links.all()) == ["photos/zoo.jpg", "pier.md"])
    let last = try await links.dropPage(into: "oslo")
    #expect(try await links.revoke("photos/oslo/") == [last])
  }

  @Test func `a club without a server says who has such pages`() async throws {
    let error = await #expect(throws: StoreError.self) { try await service(Plain()).dropPage() }
    #expect(error?.kind == .unsupported && error?.description.contains("byteclub serve --drop-pages") == true)
  }

  private struct Plain: StoreAround {
    let base: any FileStore = MemoryStore()
    var capabilities: Capabilities { Capabilities() }
  }
}
