import FileStores
import Foundation
import POSIX
import Synchronization
import TestKit
import Testing

@testable import ClubServices

/// Photos that were looked at, in a club behind a network.
@Suite struct `A photo that was looked at` {
  let workshop: PhotoWorkshop
  let service: PhotosService

  init() throws {
    workshop = try PhotoWorkshop()
    service = try workshop.service(keeping: 1 << 20)
  }

  private func look(_ name: String, _ service: PhotosService? = nil) async throws {
    _ = try await (service ?? self.service).picture(try StorePath("photos/\(name)")) { _ in }
  }

  private func kept(_ names: String..., by service: PhotosService? = nil) async throws -> [String] {
    let paths = try names.map { try StorePath("photos/\($0)") }
    return await (service ?? self.service).keptPhotos(paths).map { String(decoding: $0.name, as: UTF8.self) }.sorted()
  }

  @Test func `is not fetched again, nor by the next process`() async throws {
    try await workshop.put("photos/a.jpg", try PhotoWorkshop.jpeg())
    try await service.list { _ in }
    #expect(try await kept("a.jpg") == [])
    try await look("a.jpg")
    #expect(try await kept("a.jpg") == ["a.jpg"] && workshop.store.reads == 1)
    try await look("a.jpg")
    _ = try await service.info(try StorePath("photos/a.jpg"))
    let next = try workshop.service(keeping: 1 << 20)
    try await next.list { _ in }
    try await look("a.jpg", next)
    #expect(workshop.store.reads == 1)
  }

  @Test func `is downloaded without fetching it, unless it was changed since`() async throws {
    let bytes = try PhotoWorkshop.jpeg()
    try await workshop.put("photos/a.jpg", bytes)
    try await look("a.jpg")
    let store = KeptPhotosStore(
      Club(
        name: "home", place: "~/ByteClub", memberName: { "" }, store: workshop.store,
        photosFolder: try StorePath("photos")),
      photos: workshop.photoCache(), contents: workshop.cache())
    let path = try StorePath("photos/a.jpg")
    func download(from offset: UInt64) async throws -> [UInt8] {
      let entry = try await store.entry(at: path)
      var read: [UInt8] = []
      let told = try await store.read(path, ReadOptions(from: offset, ifRevision: entry.revision, isChecked: false)) {
        read += $0
      }
      #expect(told.revision == entry.revision && told.size == entry.size)
      return read
    }
    #expect(try await download(from: 0) == bytes)
    #expect(try await download(from: 100) == Array(bytes[100...]))
    #expect(workshop.store.reads == 1)
    let new = try PhotoWorkshop.jpeg(blue: 200)
    try await workshop.put("photos/a.jpg", new)
    #expect(try await download(from: 0) == new && workshop.store.reads == 2)
  }

  @Test func `is there already when it was fetched ahead; a look meanwhile takes over`() async throws {
    for (number, name) in ["a.jpg", "b.jpg"].enumerated() {
      try await workshop.put("photos/\(name)", try PhotoWorkshop.jpeg(blue: UInt32(number)))
    }
    let path = try StorePath("photos/a.jpg")
    #expect(await !service.prefetch(path) && workshop.store.reads == 0)
    try await service.list { _ in }
    // However long a fetch took on a busy machine, the line is not slow.
    func forgetPace() { self.service.pace.withLock { $0 = nil } }
    #expect(await service.prefetch(path) && workshop.store.reads == 1)
    try await look("a.jpg")
    forgetPace()
    #expect(await service.prefetch(path) && workshop.store.reads == 1)
    forgetPace()
    // Fetched once for both, though the fetch ahead is cancelled.
    let latch = Gate()
    workshop.store.hold { await latch.wait() }
    let (service, other) = (service, try StorePath("photos/b.jpg"))
    let ahead = Task { await service.prefetch(other) }
    await latch.arrivals(1)
    let looking = Task { try await service.picture(other) { _ in } }
    while service.fetching.askers(of: try await key(other)) < 2 { await Task.yield() }
    ahead.cancel()
    #expect(await !ahead.value)
    latch.open()
    _ = try await looking.value
    #expect(workshop.store.reads == 2)
  }

  @Test func `is not fetched ahead over a slow line, nor when there is no room for it`() async throws {
    try await workshop.put("photos/a.jpg", try PhotoWorkshop.jpeg())
    try await service.list { _ in }
    service.pace.withLock { $0 = 100 }
    #expect(try await !service.prefetch(StorePath("photos/a.jpg")))
    let small = try workshop.service(keeping: 100)
    try await small.list { _ in }
    #expect(try await !small.prefetch(StorePath("photos/a.jpg")) && workshop.store.reads == 0)
  }

  @Test func `is not fetched ahead on a metered line, and is read when it is opened`() async throws {
    try await workshop.put("photos/a.jpg", try PhotoWorkshop.jpeg())
    let (metered, path) = (try workshop.service(keeping: 1 << 20, readsAhead: false), try StorePath("photos/a.jpg"))
    try await metered.list { _ in }
    #expect(await !metered.prefetch(path) && workshop.store.reads == 0)
    _ = try await metered.picture(path) { _ in }
    #expect(workshop.store.reads == 1)
  }

  private func key(_ path: StorePath) async throws -> PhotoKey {
    PhotoKey(path: path, revision: try await service.trusted(path).revision)
  }

  @Test func `is fetched again when it was changed since`() async throws {
    try await workshop.put("photos/a.jpg", try PhotoWorkshop.jpeg())
    try await service.list { _ in }
    try await look("a.jpg")
    try await workshop.put("photos/a.jpg", try PhotoWorkshop.jpeg(blue: 200))
    try await service.list { _ in }
    #expect(try await kept("a.jpg") == [])
    try await look("a.jpg")
    #expect(workshop.store.reads == 2)
  }

  @Test func `is fetched again when its file is damaged, which is then put right`() async throws {
    try await workshop.put("photos/a.jpg", try PhotoWorkshop.jpeg())
    try await look("a.jpg")
    let file = try #require(workshop.keptFiles.first)
    #expect(chmod(file, 0o600) == 0)
    try Data([1, 2, 3]).write(to: URL(filePath: file))
    try await look("a.jpg")
    #expect(workshop.store.reads == 2)
    #expect(try Data(contentsOf: URL(filePath: try #require(workshop.keptFiles.first))).count > 3)
    try await look("a.jpg")
    #expect(workshop.store.reads == 2)
  }

  @Test func `makes room for newer looks, the oldest look first`() async throws {
    let photos = try [1, 2, 3].map { try PhotoWorkshop.jpeg(blue: UInt32($0)) }
    for (number, bytes) in photos.enumerated() { try await workshop.put("photos/\(number).jpg", bytes) }
    let small = try workshop.service(keeping: photos[0].count + photos[1].count + photos[2].count / 2)
    try await small.list { _ in }
    for name in ["0.jpg", "1.jpg", "0.jpg", "2.jpg"] { try await look(name, small) }
    #expect(try await kept("0.jpg", "1.jpg", "2.jpg", by: small) == ["0.jpg", "2.jpg"])
    let none = try workshop.service(keeping: 0)
    try await none.list { _ in }
    try await look("1.jpg", none)
    #expect(try await kept("1.jpg", by: none) == [])
  }

  @Test func `opens as a read-only file with its own name`() async throws {
    let bytes = try PhotoWorkshop.jpeg()
    try await workshop.put("photos/hall/the pier.jpg", bytes)
    let path = try StorePath("photos/hall/the pier.jpg")
    try await service.list { _ in }
    let fault = await photoFault { _ = try await service.file(of: path) }
    #expect(fault?.kind == .notFound)
    try await look("hall/the pier.jpg")
    let file = try await service.file(of: path)
    #expect(file.hasSuffix("/the pier.jpg"))
    #expect(try Data(contentsOf: URL(filePath: file)) == Data(bytes))
    var facts = stat()
    #expect(stat(file, &facts) == 0 && facts.st_mode & 0o777 == 0o400)
    #expect(try await service.file(of: path) == file)
  }

  @Test func `goes when the cache is cleared, which tells how much that was`() async throws {
    let bytes = try PhotoWorkshop.jpeg()
    try await workshop.put("photos/a.jpg", bytes)
    try await look("a.jpg")
    _ = try await service.file(of: try StorePath("photos/a.jpg"))
    let gone = try await workshop.photoCache().clear()
    #expect(gone.photos == 1 && gone.bytes == bytes.count)
    #expect(workshop.keptFiles.isEmpty)
    #expect(try await workshop.photoCache().clear().photos == 0)
    try await look("a.jpg")
    #expect(workshop.store.reads == 2)
  }

  @Test func `is not kept for a club of this machine`() async throws {
    let local = try workshop.service()
    try await workshop.put("photos/a.jpg", try PhotoWorkshop.jpeg())
    try await local.list { _ in }
    try await look("a.jpg", local)
    #expect(!local.keepsPhotos && workshop.keptFiles.isEmpty)
    #expect(try await kept("a.jpg", by: local) == [])
  }
}
