import FileStores
import TestKit
import Testing

@testable import Screens

/// The order of the wall's photos.
@Suite struct WallOrderTests {
  private func path(_ name: String) -> StorePath { Samples.path("photos/\(name)") }
  private func photo(_ number: Int) -> WallOrder.Photo { photo("\(number)", Int64(number)) }
  private func photo(_ name: String, _ time: Int64?) -> WallOrder.Photo { WallOrder.Photo(path(name), time: time) }

  /// The names in the order in which they are shown.
  private func show(_ order: inout WallOrder, _ count: Int) -> [String] {
    (0..<count).compactMap { _ in
      guard let next = order.next else { return nil }
      order.take(next)
      return String(decoding: next.name, as: UTF8.self)
    }
  }

  private func order(_ photos: [WallOrder.Photo]) -> WallOrder {
    var order = WallOrder()
    order.list(photos)
    return order
  }

  @Test func `the newest is first, and the turn begins again behind the oldest`() {
    var order = order([photo("a", 1), photo("b", 3), photo("c", 2), photo("d", nil)])
    #expect(show(&order, 9) == ["b", "c", "a", "d", "b", "c", "a", "d", "b"])
  }

  @Test func `an arrival comes first, and the turn goes on where it was`() {
    var order = order((1...5).map { photo($0) })
    #expect(show(&order, 2) == ["5", "4"])
    order.change(present: [photo("new", 9)], absent: [])
    #expect(order.next == path("new") && order.isArrival(path("new")))
    #expect(show(&order, 4) == ["new", "3", "2", "1"])
    #expect(show(&order, 6) == ["new", "5", "4", "3", "2", "1"])
  }

  @Test func `of several arrivals the newest is first, and the last to come before those that wait`() {
    var order = order([photo("1", 1), photo("2", 2)])
    order.change(present: [photo("x", 7), photo("y", 8)], absent: [])
    #expect(show(&order, 1) == ["y"])
    order.change(present: [photo("z", 3)], absent: [])
    #expect(show(&order, 4) == ["z", "x", "2", "1"])
  }

  @Test func `an arrival with an old time is not shown twice in a turn`() {
    var order = order([photo("1", 10), photo("2", 20), photo("3", 30)])
    #expect(show(&order, 1) == ["3"])
    order.change(present: [photo("old", 15), photo("older", nil)], absent: [])
    #expect(show(&order, 4) == ["old", "older", "2", "1"])
    #expect(show(&order, 5) == ["3", "2", "old", "1", "older"])
  }

  @Test func `a photo that was replaced arrives anew, one that was only named again does not`() {
    var order = order([photo("1", 1), photo("2", 2)])
    order.change(present: [photo("1", 1)], absent: [])
    #expect(order.arrivals.isEmpty)
    order.change(present: [photo("1", 5)], absent: [])
    #expect(order.arrivals == [path("1")])
  }

  @Test func `removed photos are never shown, wherever they were`() {
    var order = order((1...6).map { photo($0) })
    #expect(show(&order, 2) == ["6", "5"])
    order.change(present: [photo("new", 9)], absent: [])
    // The place of the turn, the next one, and the arrival.
    order.change(present: [], absent: [path("5"), path("4"), path("new")])
    #expect(show(&order, 5) == ["3", "2", "1", "6", "3"])
    order.list([])
    #expect(order.next == nil && order.arrivals.isEmpty && order.early.isEmpty)
  }

  @Test func `a list that comes again finds what has come and gone meanwhile`() {
    var order = order([photo("1", 1), photo("2", 2), photo("3", 3)])
    #expect(show(&order, 1) == ["3"])
    order.list([photo("1", 1), photo("3", 3), photo("4", 4)])
    #expect(show(&order, 4) == ["4", "1", "4", "3"])
  }

  @Test func `a change before the first list says nothing`() {
    var order = WallOrder()
    order.change(present: [photo("1", 1)], absent: [])
    #expect(order.next == nil && !order.isListed)
    order.list([photo("1", 1)])
    #expect(order.arrivals.isEmpty && order.next == path("1"))
  }

  /// The clock of a camera or a server may say anything.
  @Test(arguments: 0..<20 as Range<UInt64>)
  func `each photo is shown before any is shown again, whatever comes and goes`(seed: UInt64) {
    var random = SeededNumbers(seed)
    let times: [Int64?] = [nil, .min, .max, 0, -1, 1, 1_795_000_000_000_000_000]
    let steady = (0..<40).map { photo("s\($0)", times.randomElement(using: &random) ?? nil) }
    var order = order(steady)
    var (counts, guests) = ([StorePath: Int](), Set<StorePath>())
    for step in 0..<1000 {
      switch Int.random(in: 0..<8, using: &random) {
      case 0:
        let guest = photo("g\(step)", times.randomElement(using: &random) ?? nil)
        guests.insert(guest.path)
        order.change(present: [guest], absent: [])
        #expect(order.next == guest.path)
      case 1:
        guard let guest = guests.randomElement(using: &random) else { break }
        guests.remove(guest)
        order.change(present: [], absent: [guest])
      default: break
      }
      guard let next = order.next else {
        Issue.record("nothing is next")
        return
      }
      #expect(order.contains(next))
      order.take(next)
      counts[next, default: 0] += 1
      let steadyCounts = steady.map { counts[$0.path] ?? 0 }
      #expect((steadyCounts.max() ?? 0) - (steadyCounts.min() ?? 0) <= 1)
      #expect(order.arrivals.count <= guests.count && order.early.count <= order.photos.count)
    }
  }

  @Test func `a hundred thousand photos are one turn`() {
    let count = 100_000
    var order = order((0..<count).map { photo("p\($0)", Int64($0 * 7919 % count)) })
    var seen: Set<StorePath> = []
    for _ in 0..<count {
      guard let next = order.next else { break }
      order.take(next)
      seen.insert(next)
      if count - seen.count < 200 { order.remember(next) }
    }
    #expect(seen.count == count && order.trail.count == WallOrder.longestTrail)
    order.change(present: (0..<1000).map { photo("new\($0)", Int64($0)) }, absent: Set(order.trail))
    #expect(order.photos.count == count + 900 && order.arrivals.count == 1000 && order.trail.isEmpty)
  }

  @Test func `the trail has each photo once, the last one last`() {
    var order = order([photo("1", 1), photo("2", 2)])
    for name in ["2", "1", "2"] { order.remember(path(name)) }
    #expect(order.trail == [path("1"), path("2")])
  }
}
