import Basics
import FileStores
import Imaging
import TestKit
import Testing

@testable import ClubServices

@Suite struct OnThisDayTests {
  private let workshop: PhotoWorkshop
  private let today = CivilDate(year: 2026, month: 11, day: 28)

  init() throws { workshop = try PhotoWorkshop() }

  /// A small JPEG with a capture date, and perhaps with the mark of a sphere.
  static func photo(_ taken: String, isSphere: Bool = false, blue: UInt32 = 64) throws -> [UInt8] {
    func number(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 0xFF) } }
    func segment(_ bytes: [UInt8]) -> [UInt8] {
      [0xFF, 0xE1, UInt8((bytes.count + 2) >> 8), UInt8((bytes.count + 2) & 0xFF)] + bytes
    }
    // A directory with the place of the next one, which has the date.
    let pieces: [[UInt8]] = [
      Array("II*\0".utf8), number(8, 4), number(1, 2), number(0x8769, 2), number(4, 2), number(1, 4), number(26, 4),
      number(0, 4), number(1, 2), number(0x9003, 2), number(2, 2), number(20, 4), number(44, 4), number(0, 4),
      Array("\(taken)\0".utf8),
    ]
    let exif = segment(Array("Exif\0\0".utf8) + pieces.joined())
    let packet = "http://ns.adobe.com/xap/1.0/\0<x GPano:ProjectionType=\"equirectangular\"/>"
    let jpeg = try PhotoWorkshop.jpeg(40, 20, blue: blue)
    let xmp = isSphere ? segment(Array(packet.utf8)) : []
    return [Array(jpeg[..<2]), exif, xmp, Array(jpeg[2...])].flatMap { $0 }
  }

  /// Lists the photos and reads the header of each.
  private func service(_ photos: [String: [UInt8]]) async throws -> PhotosService {
    for (name, bytes) in photos { try await workshop.put("photos/\(name)", bytes) }
    let service = try workshop.service()
    try await service.list { _ in }
    for name in photos.keys { _ = try await service.header(of: try StorePath("photos/\(name)")) }
    return service
  }

  @Test func `a photo of this day in an earlier year is remembered, with its years, its kind and its name`()
    async throws
  {
    let service = try await service([
      "lighthouse.jpg": try Self.photo("2023:11:28 18:04:09", isSphere: true),
      "b.jpg": try Self.photo("2023:11:27 10:00:00"),
    ])
    let found = try #require(await service.onThisDay(today))
    #expect(try found.photo == StorePath("photos/lighthouse.jpg"))
    #expect(found.years == 3 && found.kind == .sphere)
    #expect(found.sentence.hasPrefix("3 years ago: ") && found.sentence.hasSuffix("lighthouse (360)"))
    #expect(await service.onThisDay(CivilDate(year: 2026, month: 11, day: 29)) == nil)
  }

  @Test func `the facts are there at the next start, before any header is read`() async throws {
    _ = try await service(["a.jpg": try Self.photo("2025:11:28 09:00:00")])
    let next = try workshop.service()
    #expect(await next.onThisDay(today) == nil, "not listed")
    try await next.list { _ in }
    let found = try #require(await next.onThisDay(today))
    #expect(found.years == 1 && found.sentence.contains("1 year ago: "))
  }

  @Test(arguments: ["1989:11:28 10:00:00", "2026:11:28 10:00:00", "2027:11:28 10:00:00", "0001:11:28 00:00:00"])
  func `years that no camera wrote, this year and the future are not remembered`(taken: String) async throws {
    #expect(await (try service(["a.jpg": try Self.photo(taken)])).onThisDay(today) == nil)
  }

  @Test(arguments: [
    (2026, 2, 28, true), (2026, 3, 1, false), (2028, 2, 28, false), (2028, 2, 29, true), (2100, 2, 28, true),
  ])
  func `a 29 February comes back on the 28th of years without one`(
    year: Int, month: Int, day: Int, isFound: Bool
  ) async throws {
    let service = try await service(["leap.jpg": try Self.photo("2024:02:29 10:00:00")])
    #expect((await service.onThisDay(CivilDate(year: year, month: month, day: day)) != nil) == isFound)
  }

  @Test(arguments: [(0, 27), (3600, 28), (-43_200, 27), (50_400, 28)])
  func `the day is that of the member's time zone`(offset: Int, day: Int) {
    let moment = Timestamp(
      seconds: Int64(
        CivilTime(CivilDate(year: 2026, month: 11, day: 27), hour: 23, minute: 30, second: 0).secondsSince1970))
    #expect(OnThisDay.day(of: moment, offset: offset) == CivilDate(year: 2026, month: 11, day: day))
  }

  @Test func `a caption is the title, on one line and cut`() async throws {
    let service = try await service(["a.jpg": try Self.photo("2023:11:28 18:04:09")])
    try await workshop.put("photos/a.jpg.md", Array("The light\nat the pier\n".utf8))
    #expect(await service.onThisDay(today)?.title == "The light at the pier")
    try await workshop.put("photos/a.jpg.md", Array(String(repeating: "x", count: 500).utf8))
    #expect(await service.onThisDay(today)?.title == String(repeating: "x", count: 60) + "...")
  }

  @Test func `a panorama comes before a flat photo, the older one first, and the others are counted`() async throws {
    let service = try await service([
      "old.jpg": try Self.photo("1999:11:28 10:00:00"),
      "new.jpg": try Self.photo("2025:11:28 10:00:00", isSphere: true, blue: 1),
      "mid.jpg": try Self.photo("2012:11:28 10:00:00", isSphere: true, blue: 2),
    ])
    let found = try #require(await service.onThisDay(today))
    #expect(found.title == "mid" && found.years == 14 && found.others == 2)
    #expect(found.sentence.hasSuffix("mid (360), and 2 more"))
  }

  @Test func `a photo that is gone or was replaced is not remembered`() async throws {
    let service = try await service(["a.jpg": try Self.photo("2023:11:28 18:04:09")])
    #expect(await service.onThisDay(today) != nil)
    try await workshop.put("photos/a.jpg", try PhotoWorkshop.jpeg(40, 20))
    try await service.list { _ in }
    #expect(await service.onThisDay(today) == nil)
    try await workshop.store.base.delete(try StorePath("photos/a.jpg"), ifRevision: nil)
    try await service.list { _ in }
    #expect(await service.onThisDay(today) == nil)
  }

  @Test func `a thumbnail that reads the whole photo notes its facts, too`() async throws {
    try await workshop.put("photos/a.jpg", try Self.photo("2023:11:28 18:04:09"))
    let service = try workshop.service()
    var entries: [FileEntry] = []
    try await service.list { entries += $0 }
    _ = try await service.thumbnail(of: try #require(entries.first), maxWidth: 16, maxHeight: 16)
    #expect(await service.onThisDay(today)?.years == 3)
  }
}
