import Basics
import Database
import FileStores
import TestKit
import Testing

@testable import ClubServices

/// The times by which photos are sorted.
@Suite struct CaptureOrderTests {
  private let workshop: PhotoWorkshop

  init() throws { workshop = try PhotoWorkshop() }

  private func path(_ name: String) throws -> StorePath { try StorePath("photos/\(name)") }

  private func put() async throws {
    try await workshop.put("photos/b.jpg", try OnThisDayTests.photo("2023:11:28 18:04:09"))
    try await workshop.put("photos/a.jpg", try OnThisDayTests.photo("2024:05:31 08:00:00", blue: 9))
    try await workshop.put("photos/plain.jpg", try PhotoWorkshop.jpeg(40, 20))
    try await workshop.put("photos/broken.jpg", [1, 2, 3])
  }

  private func listed(_ service: PhotosService) async throws -> PhotosService {
    try await service.list { _ in }
    return service
  }

  @Test func `a listing knows no times, and a club on this machine reads each header once`() async throws {
    try await put()
    let service = try await listed(try workshop.service())
    let before = await service.captures()
    #expect(before.times.isEmpty && before.unread.count == 4)
    var reports: [PhotosService.Captures] = []
    await service.readCaptures { reports.append($0) }
    let last = try #require(reports.last)
    #expect(reports.count == 2 && reports.first?.times.isEmpty == true)
    #expect(Set(last.times.keys) == [try path("a.jpg"), try path("b.jpg")])
    #expect(last.times[try path("b.jpg")]?.day == CivilDate(year: 2023, month: 11, day: 28))
    // A picture without a time is known to have none; only a file that is no picture is tried again.
    #expect(last.unread == [try path("broken.jpg")])
    let next = try await listed(try workshop.service())
    #expect(await next.captures().times == last.times, "The next start knows them without reading.")
  }

  @Test func `behind a network no photo is read for its time, and one that was viewed is known`() async throws {
    try await put()
    let service = try await listed(try workshop.service(keeping: 1 << 20))
    var reports: [PhotosService.Captures] = []
    await service.readCaptures { reports.append($0) }
    #expect(reports.count == 1 && reports.first?.times.isEmpty == true)
    _ = try await service.picture(try path("a.jpg")) { _ in }
    #expect(await Array(service.captures().times.keys) == [try path("a.jpg")])
  }

  @Test func `a photo that was replaced has no time until its header is read`() async throws {
    try await put()
    let service = try await listed(try workshop.service())
    await service.readCaptures { _ in }
    try await workshop.put("photos/a.jpg", try OnThisDayTests.photo("2001:01:01 00:00:00", blue: 3))
    try await service.list { _ in }
    #expect(await service.captures().unread.contains(try path("a.jpg")))
    await service.readCaptures { _ in }
    #expect(await service.captures().times[try path("a.jpg")]?.day == CivilDate(year: 2001, month: 1, day: 1))
  }

  @Test func `a camera's zone counts, and without one the member's`() {
    var captures = PhotosService.Captures()
    captures.times = [.root: CaptureTime(clock: 1_717_178_649, zone: 7200)]
    #expect(captures.moments[.root] == Timestamp(seconds: 1_717_171_449))
    captures.times = [.root: CaptureTime(clock: 1_717_178_649, zone: nil)]
    let offset = Timestamp(seconds: 1_717_178_649).localOffset
    #expect(captures.moments[.root] == Timestamp(seconds: 1_717_178_649 - Int64(offset)))
  }
}
