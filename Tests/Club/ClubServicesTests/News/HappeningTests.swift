import FileStores
import TestKit
import Testing

@testable import ClubServices

@Suite struct HappeningTests {
  private static func happening(_ name: String, _ member: String?, at seconds: Int64) throws -> Happening {
    Happening(time: Timestamp(seconds: seconds), member: member, thing: try StorePath(name), kind: .file)
  }

  @Test func `the newest day comes first, and in it each member's happenings together`() throws {
    let day: Int64 = 86_400
    let all = [
      try Self.happening("a", "ann", at: 10 * day + 100), try Self.happening("b", "ray", at: 10 * day + 300),
      try Self.happening("c", "ann", at: 10 * day + 200), try Self.happening("d", nil, at: 9 * day + 5000),
      try Self.happening("e", "ray", at: 10 * day + 50), try Self.happening("f", "ray", at: 11 * day),
      try Self.happening("g", "ann", at: -1),
    ]
    #expect(Happening.ordered(all, most: 100).map { "\($0.thing)" } == ["f", "b", "e", "c", "a", "d", "g"])
    #expect(Happening.ordered(all.reversed(), most: 3).map { "\($0.thing)" } == ["f", "b", "c"])
  }

  @Test func `of equal times the order is that of the names`() throws {
    let all = try ["c", "a", "b"].map { try Self.happening($0, "ann", at: 5) }
    #expect(Happening.ordered(all, most: 9).map { "\($0.thing)" } == ["a", "b", "c"])
  }

  @Test func `a time of any size has a day`() throws {
    let all = try [Int64.min, .max, 0, -86_400, -86_401].map { try Self.happening("a", nil, at: $0) }
    #expect(all.map(\.day) == [-106_752, 106_751, 0, -1, -2])
  }

  @Test func `notes, photos, captions, remarks and doors are there, and what is withdrawn is not`() async throws {
    let world = try NotesWorld()
    try await world.put("a", at: "walk.md")
    try await world.put("no picture", at: "photos/2024/pier.jpg")
    try await world.put("Low tide", at: "photos/2024/pier.jpg.md")
    try await world.put("{}", at: "photos/2024/pier.json")
    let talk = try await world.put(
      """
      # Remarks on pier.jpg

      - **ray** 2026-11-26 18:04Z aaaaaaaa @1.0,2.0: That is the vice.
      - **eve** 2199-01-01 00:00Z bbbbbbbb: From the future.
      - **ann** 2026-11-26 18:04Z cccccccc: Sorry.
      - **ann** 2026-11-26 18:05Z dddddddd gone cccccccc
      - **ann** 2026-11-26 18:06Z eeeeeeee door [quay](quay.jpg) @1.0,2.0

      """, at: "photos/2024/pier.jpg.talk.md")
    try await world.put("# Remarks on gone.md\n\n- **ray** 2026-11-26 18:04Z aaaaaaab: Gone.\n", at: "gone.md.talk.md")
    let all = try await world.service().happenings()
    let (walk, pier) = (try StorePath("walk.md"), try StorePath("photos/2024/pier.jpg"))
    func kinds(_ thing: StorePath) -> Set<Happening.Kind> { Set(all.filter { $0.thing == thing }.map(\.kind)) }
    #expect(kinds(walk) == [.file])
    #expect(
      kinds(pier) == [.file, .caption, .remark("That is the vice."), .remark("From the future."), .door("quay")])
    // A file of remarks whose note is gone is a note.
    #expect(try kinds(StorePath("gone.md.talk.md")) == [.file])
    #expect(all.count == 7)
    let future = all.first { $0.kind == .remark("From the future.") }
    #expect(future?.member == "eve" && future?.time == talk.modified)
  }

  @Test func `a file of remarks that cannot be read hides nothing else`() async throws {
    let world = try NotesWorld()
    try await world.put("a", at: "walk.md")
    try await world.put(String(repeating: "x", count: Talk.mostBytes + 1), at: "walk.md.talk.md")
    #expect(try await world.service().happenings().map(\.kind) == [.file])
  }
}
