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
