import Basics
import FileStores
import TestKit
import Testing

@testable import Database

@Suite struct CaptureTests {
  private let catalogue: CatalogueDatabase

  init() throws { catalogue = try CatalogueDatabase(path: ":memory:") }

  private static func hash(_ number: Int) -> ContentHash { ContentHash(of: Array("\(number)".utf8)) }

  private static func facts(_ year: Int, _ month: Int, _ day: Int, kind: String = "flat") -> CaptureFacts {
    CaptureFacts(day: CivilDate(year: year, month: month, day: day), kind: kind)
  }

  @Test func `facts of a content come back, and an answer has the day and the years that were asked for`() throws {
    let all = CaptureFacts(
      day: CivilDate(year: 2023, month: 11, day: 28), latitude: -48_200_000, longitude: 16_370_000, heading: 3599,
      kind: "sphere")
    try catalogue.keep(all, of: Self.hash(1))
    for (number, year) in [(2, 1989), (3, 1990), (4, 2026)] {
      try catalogue.keep(Self.facts(year, 11, 28), of: Self.hash(number))
    }
    try catalogue.keep(Self.facts(2023, 11, 27), of: Self.hash(5))
    try catalogue.keep(CaptureFacts(day: nil, kind: "flat"), of: Self.hash(6))
    #expect(try catalogue.capture(of: Self.hash(1)) == all)
    #expect(try catalogue.capture(of: Self.hash(7)) == nil)
    let found = try catalogue.captures(month: 11, day: 28, years: 1990...2025)
    #expect(found.map(\.hash) == [Self.hash(3), Self.hash(1)])
    #expect(found.last?.facts == all)
  }

  @Test func `what was known of a content stays when less is known of its beginning`() throws {
    try catalogue.keep(Self.facts(2023, 11, 28, kind: "flat"), of: Self.hash(1))
    try catalogue.keep(CaptureFacts(day: nil, heading: 900, kind: "sweep"), of: Self.hash(1))
    let both = CaptureFacts(day: CivilDate(year: 2023, month: 11, day: 28), heading: 900, kind: "sweep")
    #expect(try catalogue.capture(of: Self.hash(1)) == both)
  }

  @Test func `the time of a capture keeps its zone, and both stay when less is known`() throws {
    let day = CivilDate(year: 2024, month: 5, day: 31)
    let taken = CaptureTime(clock: 1_717_178_649, zone: 7200)
    try catalogue.keep(CaptureFacts(day: day, taken: taken, kind: "flat"), of: Self.hash(1))
    try catalogue.keep(CaptureFacts(day: nil, kind: "flat"), of: Self.hash(1))
    #expect(try catalogue.capture(of: Self.hash(1))?.taken == taken)
    #expect(taken.moment(offset: 0) == 1_717_171_449 && taken.day == day)
    // Another time has its own zone, or none.
    let other = CaptureTime(clock: 1_717_178_650, zone: nil)
    try catalogue.keep(CaptureFacts(day: day, taken: other, kind: "flat"), of: Self.hash(1))
    #expect(try catalogue.capture(of: Self.hash(1))?.taken == other)
    #expect(other.moment(offset: 3600) == 1_717_175_050)
  }

  @Test func `the times of all captures are known at once: noon for a day alone, none without one`() throws {
    let taken = CaptureTime(clock: -1, zone: -12_600)
    try catalogue.keep(CaptureFacts(day: nil, taken: taken, kind: "flat"), of: Self.hash(1))
    try catalogue.keep(Self.facts(2024, 5, 31), of: Self.hash(2))
    try catalogue.keep(CaptureFacts(day: nil, kind: "flat"), of: Self.hash(3))
    let times = try catalogue.captureTimes()
    #expect(times.count == 3 && times[Self.hash(1)] == .some(taken))
    #expect(times[Self.hash(2)] == .some(CaptureTime(clock: 1_717_156_800, zone: nil)))
    #expect(times[Self.hash(3)] == .some(.none))
  }

  @Test(arguments: [("9e18", "0"), ("'x'", "0"), ("-99999999999999", "1")])
  func `a damaged time is none, and a damaged zone costs itself`(clock: String, zone: String) throws {
    try catalogue.keep(Self.facts(2024, 5, 31), of: Self.hash(1))
    func set(_ clock: String, _ zone: String) throws {
      try catalogue.file.write { try $0.run("UPDATE captures SET taken = \(clock), zone = \(zone)", []) }
    }
    try set(clock, zone)
    #expect(try catalogue.capture(of: Self.hash(1))?.taken == nil)
    try set("1717178649", "999999999")
    #expect(try catalogue.capture(of: Self.hash(1))?.taken == CaptureTime(clock: 1_717_178_649, zone: nil))
  }

  @Test func `the contents that were noted first go beyond the limit`() throws {
    for number in 1...7 { try catalogue.keep(Self.facts(2023, 1, number), of: Self.hash(number), most: 5) }
    let kept = try (1...7).filter { try catalogue.capture(of: Self.hash($0)) != nil }
    #expect(kept == [3, 4, 5, 6, 7])
  }

  @Test func `the files with a content are those of the club, at the revision that was read`() throws {
    let path = try StorePath("photos/a.jpg")
    try catalogue.remember(Self.hash(1), of: path, revision: Revision("7"), club: "c")
    try catalogue.remember(Self.hash(2), of: try StorePath("photos/b.jpg"), revision: Revision("8"), club: "c")
    try catalogue.remember(Self.hash(1), of: path, revision: Revision("9"), club: "d")
    let files = try catalogue.files(withContents: [Self.hash(1)], club: "c")
    #expect(files.count == 1 && files[path.bytes]?.revision == Revision("7"))
    #expect(files[path.bytes]?.hash == Self.hash(1))
  }

  @Test func `clearing the catalogue removes the facts`() throws {
    try catalogue.keep(Self.facts(2023, 1, 1), of: Self.hash(1))
    _ = try catalogue.clear()
    #expect(try catalogue.capture(of: Self.hash(1)) == nil)
  }
}
