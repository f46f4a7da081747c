import ClubServices
import FileStores
import Foundation
import Imaging
import TestKit
import Testing

@Suite struct `A thumbnail` {
  let workshop: PhotoWorkshop
  let service: PhotosService

  init() throws {
    workshop = try PhotoWorkshop()
    service = try workshop.service()
  }

  /// The cache keeps copies as JPEG, which is not exact.
  private func isAlike(_ one: Pixels, _ other: Pixels) -> Bool {
    one.size == other.size && zip(one.bytes, other.bytes).allSatisfy { abs(Int($0) - Int($1)) < 20 }
  }

  private func entry(_ path: String) async throws -> FileEntry {
    try await workshop.store.entry(at: try StorePath(path))
  }

  @Test(arguments: [(100, 100, 100, 50), (40, 100, 40, 20), (1000, 10, 20, 10), (5000, 5000, 400, 200), (0, 0, 1, 1)])
  func `fits into its box and keeps its shape`(width: Int, height: Int, wide: Int, high: Int) async throws {
    let entry = try await workshop.put("photos/a.jpg", try PhotoWorkshop.jpeg())
    let pixels = try await service.thumbnail(of: entry, maxWidth: width, maxHeight: height)
    #expect(pixels.size == PixelSize(width: wide, height: high))
    // Red grows to the right.
    #expect(pixels[pixels.width - 1, 0] >> 16 > pixels[0, 0] >> 16 || wide == 1)
  }

  @Test func `is read from the store once, also by the next process`() async throws {
    try await workshop.put("photos/a.jpg", try PhotoWorkshop.jpeg())
    let entry = try await entry("photos/a.jpg")
    #expect(entry.contentHash == nil)
    let first = try await service.thumbnail(of: entry, maxWidth: 90, maxHeight: 90)
    #expect(workshop.store.reads == 1)
    #expect(isAlike(try await service.thumbnail(of: entry, maxWidth: 90, maxHeight: 90), first))
    #expect(try await workshop.service().thumbnail(of: entry, maxWidth: 30, maxHeight: 30).width == 30)
    #expect(workshop.store.reads == 1)
  }

  @Test func `is known by its content, whatever its name`() async throws {
    let bytes = try PhotoWorkshop.jpeg()
    try await workshop.put("photos/a.jpg", bytes)
    _ = try await service.thumbnail(of: try await entry("photos/a.jpg"), maxWidth: 90, maxHeight: 90)
    let known = FileEntry(
      path: try StorePath("photos/gone.jpg"), kind: .file, size: UInt64(bytes.count), revision: Revision("x"),
      contentHash: ContentHash(of: bytes))
    #expect(try await service.thumbnail(of: known, maxWidth: 90, maxHeight: 90).width == 90)
    #expect(workshop.store.reads == 1)
  }

  @Test func `lies in two levels of folders, for its owner alone`() async throws {
    let bytes = try PhotoWorkshop.jpeg()
    let entry = try await workshop.put("photos/a.jpg", bytes)
    _ = try await service.thumbnail(of: entry, maxWidth: 90, maxHeight: 90)
    let hash = ContentHash(of: bytes).hex
    let path = "\(workshop.folder)/cache/thumbnails/\(hash.prefix(2))/\(hash.dropFirst(2).prefix(2))/\(hash).128"
    #expect(workshop.cached == [path])
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
  }

  @Test(arguments: ["cut", "changed", "empty", "foreign"])
  func `is made again when the cache is damaged`(damage: String) async throws {
    try await workshop.put("photos/a.jpg", try PhotoWorkshop.jpeg())
    let entry = try await entry("photos/a.jpg")
    let first = try await service.thumbnail(of: entry, maxWidth: 90, maxHeight: 90)
    let path = try #require(workshop.cached.first)
    var bytes = Array(try Data(contentsOf: URL(filePath: path)))
    switch damage {
    case "cut": bytes.removeLast(10)
    case "changed": bytes[bytes.count / 2] ^= 0x40
    case "empty": bytes = []
    default: bytes = Array("something else".utf8)
    }
    try Data(bytes).write(to: URL(filePath: path))
    #expect(try await service.thumbnail(of: entry, maxWidth: 90, maxHeight: 90) == first)
    #expect(workshop.store.reads == 2)
    #expect(isAlike(try await service.thumbnail(of: entry, maxWidth: 90, maxHeight: 90), first))
    #expect(workshop.store.reads == 2)
  }

  @Test func `is shown though nothing can be kept`() async throws {
    _ = try workshop.local("cache", [1])
    let entry = try await workshop.put("photos/a.jpg", try PhotoWorkshop.jpeg())
    #expect(try await service.thumbnail(of: entry, maxWidth: 90, maxHeight: 90).width == 90)
  }

  @Test func `goes when the cache is full, the one not used for longest first`() async throws {
    let service = try workshop.service(limitBytes: 40_000)
    var entries: [FileEntry] = []
    for index in 0..<12 {
      let bytes = try PhotoWorkshop.jpeg(300, 300, blue: UInt32(index * 20))
      entries.append(try await workshop.put("photos/\(index).jpg", bytes))
      _ = try await service.thumbnail(of: entries[index], maxWidth: 250, maxHeight: 250)
      // The first is used again and again, and stays.
      _ = try await service.thumbnail(of: entries[0], maxWidth: 250, maxHeight: 250)
    }
    let sizes = try workshop.cached.map { try Data(contentsOf: URL(filePath: $0)).count }
    #expect(sizes.reduce(0, +) <= 40_000)
    #expect(sizes.count > 1 && sizes.count < 12)
    // Each was made once, the first included, which had been there for longest.
    #expect(workshop.store.reads == 12)
  }

  @Test func `can be thrown away with all others`() async throws {
    for index in 0..<3 {
      let entry = try await workshop.put("photos/\(index).jpg", try PhotoWorkshop.jpeg(blue: UInt32(index)))
      _ = try await service.thumbnail(of: entry, maxWidth: 90, maxHeight: 90)
    }
    #expect(try await workshop.cache().clear() == 3)
    #expect(workshop.cached == [])
    #expect(try await workshop.cache().clear() == 0)
  }

  @Test func `of a picture that claims to be huge is refused when its header is there`() async throws {
    let entry = try await workshop.put("photos/a.jpg", try PhotoWorkshop.bomb(3_000_000))
    let fault = await photoFault { _ = try await service.thumbnail(of: entry, maxWidth: 90, maxHeight: 90) }
    #expect(fault?.kind == .tooLarge)
    #expect(fault?.message.contains("a.jpg") == true && fault?.message.contains("65535 x 65535") == true)
    #expect(workshop.store.bytesRead < 500_000)
    #expect(workshop.cached == [])
  }

  @Test func `of what is no picture is refused when that is plain`() async throws {
    let entry = try await workshop.put("photos/a.jpg", [UInt8](repeating: 65, count: 3_000_000))
    let fault = await photoFault { _ = try await service.thumbnail(of: entry, maxWidth: 90, maxHeight: 90) }
    #expect(fault?.kind == .corrupt && fault?.path == entry.path)
    #expect(workshop.store.bytesRead < 500_000)
  }

  @Test(arguments: [0, 1, 20, 150])
  func `of a picture that ends in its header is an error`(length: Int) async throws {
    let entry = try await workshop.put("photos/a.jpg", Array(try PhotoWorkshop.jpeg().prefix(length)))
    let fault = await photoFault { _ = try await service.thumbnail(of: entry, maxWidth: 90, maxHeight: 90) }
    #expect(fault?.kind == .corrupt)
    #expect(fault?.message.contains("\"a.jpg\" cannot be shown") == true)
  }

  @Test func `of another version than the entry's is a conflict`() async throws {
    let entry = try await workshop.put("photos/a.jpg", try PhotoWorkshop.jpeg())
    try await workshop.put("photos/a.jpg", try PhotoWorkshop.jpeg(blue: 9))
    let old = FileEntry(path: entry.path, kind: .file, size: entry.size, revision: entry.revision)
    let fault = await photoFault { _ = try await service.thumbnail(of: old, maxWidth: 90, maxHeight: 90) }
    #expect(fault?.kind == .conflict)
  }

  @Test func `asked for twice at once is made once`() async throws {
    try await workshop.put("photos/a.jpg", try PhotoWorkshop.jpeg())
    let entry = try await entry("photos/a.jpg")
    let (latch, service) = (Gate(), service)
    workshop.store.hold { await latch.wait() }
    let askers = (0..<5).map { _ in Task { try await service.thumbnail(of: entry, maxWidth: 90, maxHeight: 90) } }
    await latch.arrivals(1)
    latch.open()
    for asker in askers { #expect(try await asker.value.width == 90) }
    #expect(workshop.store.reads == 1)
  }

  @Test func `is made no further when nobody waits for it`() async throws {
    try await workshop.put("photos/a.jpg", try PhotoWorkshop.jpeg())
    let entry = try await entry("photos/a.jpg")
    let (latch, service) = (Gate(), service)
    workshop.store.hold { await latch.wait() }
    let asker = Task { await photoFault { _ = try await service.thumbnail(of: entry, maxWidth: 90, maxHeight: 90) } }
    await latch.arrivals(1)
    asker.cancel()
    #expect(await asker.value?.kind == .cancelled)
    #expect(workshop.cached == [])
    // Asked for again, it is made anew.
    latch.open()
    #expect(try await service.thumbnail(of: entry, maxWidth: 90, maxHeight: 90).width == 90)
  }
}
