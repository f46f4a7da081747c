import Basics
import ClubServices
import FileStores
import Testing

@Suite struct `A caption` {
  let workshop: PhotoWorkshop
  let service: PhotosService
  let photo: StorePath
  let caption: StorePath

  init() throws {
    workshop = try PhotoWorkshop()
    service = try workshop.service()
    (photo, caption) = (try StorePath("photos/2024/pier.jpg"), try StorePath("photos/2024/pier.jpg.md"))
  }

  private func text(_ path: StorePath) async throws -> String? {
    try await service.caption(of: path).map { String(decoding: $0.text, as: UTF8.self) }
  }

  @Test func `is the note beside the photo, and no photo`() async throws {
    try await workshop.put("photos/2024/pier.jpg", [1])
    #expect(try await service.caption(of: photo) == nil)
    try await workshop.put("photos/2024/pier.jpg.md", Array("Low tide\n\n  at the *pier*\n".utf8))
    let found = try await service.caption(of: photo)
    #expect(found?.line == "Low tide   at the *pier*" && found?.entry.path == caption && found?.entry.revision != nil)
    var listed: [StorePath] = []
    try await service.list { listed += $0.map(\.path) }
    #expect(listed == [photo])
  }

  @Test(arguments: [
    ("photos/pier.jpg.md", "photos/pier.jpg"), ("pier.JPEG.md", "pier.JPEG"), ("photos/pier.md", nil),
    ("photos/.pier.jpg.md", nil), (".md", nil), ("photos/pier.jpg", nil), ("photos/pier.jpg.MD", nil),
  ])
  func `is known by its name`(path: String, photo: String?) throws {
    #expect(Caption.photo(of: try StorePath(path)) == (try photo.map { try StorePath($0) }))
  }

  @Test func `follows its photo to a new name and back`() async throws {
    try await workshop.put("photos/2024/pier.jpg", [1])
    try await workshop.put("photos/2024/pier.jpg.md", Array("Low tide".utf8))
    let moved = try await service.rename(photo, to: "quay.jpg")
    #expect(try await text(moved.path) == "Low tide")
    #expect(try await text(photo) == nil)
    _ = try await service.rename(moved.path, to: "pier.jpg")
    #expect(try await text(photo) == "Low tide")
  }

  @Test func `that cannot follow stays, and the sentence names both files`() async throws {
    try await workshop.put("photos/2024/pier.jpg", [1])
    try await workshop.put("photos/2024/pier.jpg.md", Array("Low tide".utf8))
    try await workshop.put("photos/2024/quay.jpg.md", Array("Another".utf8))
    let fault = await photoFault { _ = try await service.rename(photo, to: "quay.jpg") }
    #expect(fault?.kind == .exists)
    #expect(
      fault?.message.hasPrefix("Renamed \"\(photo)\" to \"photos/2024/quay.jpg\", but not its caption. ") == true)
    #expect(try await text(photo) == "Low tide")
    #expect(try await text(try StorePath("photos/2024/quay.jpg")) == "Another")
  }

  @Test func `goes into the trash with its photo, and comes back with it`() async throws {
    try await workshop.put("photos/2024/pier.jpg", [1])
    try await workshop.put("photos/2024/pier.jpg.md", Array("Low tide".utf8))
    let file = try await service.trash(photo)
    #expect(file.origin == photo)
    #expect(try await text(photo) == nil)
    #expect(try await service.restore(file.id).path == photo)
    #expect(try await text(photo) == "Low tide")
  }

  @Test func `above 64 KiB is an error, not a part of it`() async throws {
    try await workshop.put("photos/2024/pier.jpg.md", [UInt8](repeating: 0x61, count: Caption.mostBytes + 1))
    #expect(await photoFault { _ = try await service.caption(of: photo) }?.kind == .tooLarge)
  }

  @Test func `is found by its words, and with those of the name`() async throws {
    for name in ["pier.jpg", "wall.jpg", "tide.jpg"] { try await workshop.put("photos/\(name)", [1]) }
    try await workshop.put("photos/pier.jpg.md", Array("Sunday\nLow Tide at the quay".utf8))
    try await workshop.put("photos/gone.jpg.md", Array("tide".utf8))
    let found = try await service.search(for: "tide").found
    #expect(found.map(\.entry.path.description) == ["photos/pier.jpg", "photos/tide.jpg"])
    #expect(found.first?.lines.map(\.number) == [2] && found.last?.lines.isEmpty == true)
    #expect(try await service.search(for: "tide pier").found.map(\.entry.path.description) == ["photos/pier.jpg"])
    #expect(try await service.search(for: "tide wall").found.isEmpty)
  }
}
