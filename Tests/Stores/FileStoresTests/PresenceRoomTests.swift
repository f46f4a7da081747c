import Testing

@testable import FileStores

/// The members who are in one club, with times of no clock.
@Suite struct PresenceRoomTests {
  /// A room, and what the watch of each member knows.
  private final class Room {
    private var room = PresenceRoom()
    private var known: [String: PresenceRoom.Known] = [:]

    var nextEnd: Int64? { room.nextEnd }

    func enter(_ member: String, named name: String, at now: Int64) -> Bool {
      room.enter(member, named: name, at: now)
    }

    func leave(_ member: String, isRemoved: Bool = false, at now: Int64) {
      room.leave(member, isRemoved: isRemoved, at: now)
    }

    @discardableResult func show(_ sight: Sight?, of member: String, at now: Int64) -> Bool {
      room.show(sight, of: member, at: now)
    }

    func sweep(at now: Int64) { room.sweep(at: now) }

    func hasNews(for member: String) -> Bool { known[member]?.count != room.count }

    func news(for member: String) -> PresenceRoom.News? {
      room.news(for: member, after: &known[member, default: PresenceRoom.Known()])
    }

    func names(for member: String) -> [String] { news(for: member)?.present.map(\.name) ?? [] }
  }

  private func sight(_ name: String) -> Sight { Sight(try? StorePath(name)) }

  @Test func `a watch hears of others, of changes alone, and never of itself`() {
    let room = Room()
    #expect(room.enter("1", named: "ann", at: 0) && room.enter("2", named: "ben", at: 0))
    room.show(sight("a.md"), of: "1", at: 0)
    // The first word comes even if nobody is there.
    #expect(room.news(for: "1") == PresenceRoom.News())
    #expect(room.news(for: "1") == nil)
    room.show(sight("b.md"), of: "2", at: 1)
    #expect(room.hasNews(for: "1"))
    #expect(room.news(for: "1")?.present == [PresentMember("ben", sight("b.md"))])
    #expect(!room.hasNews(for: "1") && room.news(for: "1") == nil)
    // The same sight again is no news.
    room.show(sight("b.md"), of: "2", at: 2)
    #expect(!room.hasNews(for: "1"))
    room.show(nil, of: "2", at: 3)
    #expect(room.news(for: "1") == PresenceRoom.News(present: [], gone: ["ben"]))
  }

  @Test func `a sight lives as long as its member's watch and ten seconds longer`() {
    let room = Room()
    #expect(room.enter("1", named: "ann", at: 0) && room.enter("2", named: "ben", at: 0))
    room.show(sight("a.md"), of: "2", at: 0)
    room.leave("2", at: 5000)
    #expect(room.nextEnd == 15_000)
    #expect(room.names(for: "1") == ["ben"])
    room.sweep(at: 14_999)
    #expect(!room.hasNews(for: "1"))
    // Whoever comes back in time has never been away.
    #expect(room.enter("2", named: "ben", at: 14_999))
    room.sweep(at: 30_000)
    #expect(!room.hasNews(for: "1") && room.nextEnd == nil)
    room.leave("2", at: 30_000)
    room.sweep(at: 40_000)
    #expect(room.news(for: "1")?.gone == ["ben"])
    #expect(!room.show(sight("a.md"), of: "2", at: 40_001))
  }

  @Test func `two programs of a member are one, until the last goes`() {
    let room = Room()
    for _ in 0..<2 { #expect(room.enter("2", named: "ben", at: 0)) }
    #expect(room.enter("1", named: "ann", at: 0))
    room.show(sight("a.md"), of: "2", at: 0)
    room.leave("2", isRemoved: true, at: 1)
    #expect(room.names(for: "1") == ["ben"])
    room.leave("2", isRemoved: true, at: 2)
    #expect(room.news(for: "1")?.gone == ["ben"])
  }

  @Test func `64 members have room, and a thousand sights of one are the newest for whoever does not look`() {
    let room = Room()
    for number in 0..<64 { #expect(room.enter("\(number)", named: "m\(number)", at: 0)) }
    #expect(!room.enter("65", named: "late", at: 0) && !room.show(sight("a.md"), of: "65", at: 0))
    #expect(room.enter("3", named: "m3", at: 0))
    _ = room.news(for: "0")
    for number in 0..<1000 { room.show(sight("n\(number)"), of: "1", at: Int64(number)) }
    let news = room.news(for: "0")
    #expect(news?.present == [PresentMember("m1", sight("n999"))])
    for number in 1..<64 { room.show(sight("a.md"), of: "\(number)", at: 2000) }
    #expect(room.names(for: "0").count == 63)
    // A place is free once its member has been gone for long enough.
    room.leave("5", at: 3000)
    #expect(!room.enter("66", named: "late", at: 12_999) && room.enter("66", named: "late", at: 13_000))
  }

  @Test func `a gaze goes round, ends at the poles, and is finite`() throws {
    let gaze = try #require(Gaze(yawDegrees: 541.239, pitchDegrees: 91, widthDegrees: 500))
    #expect(gaze.yaw == -17_876 && gaze.pitch == 9000 && gaze.width == 18_000)
    #expect(Gaze(yawDegrees: 180, pitchDegrees: 0, widthDegrees: 0)?.yaw == -18_000)
    #expect(Gaze(yawDegrees: -180, pitchDegrees: -1000, widthDegrees: 0)?.pitch == -9000)
    #expect(Gaze(yawDegrees: 1e300, pitchDegrees: 1e300, widthDegrees: 1e300) != nil)
    for number in [Double.nan, .infinity, -.infinity] {
      #expect(Gaze(yawDegrees: number, pitchDegrees: 0, widthDegrees: 90) == nil)
      #expect(Gaze(yawDegrees: 0, pitchDegrees: number, widthDegrees: 90) == nil)
      #expect(Gaze(yawDegrees: 0, pitchDegrees: 0, widthDegrees: number) == nil)
    }
  }
}
