/// The members who are in one club, each with the newest sight. Times are milliseconds of any clock that never goes back.
package struct PresenceRoom: Sendable {
  package static let mostMembers = 64
  /// A sight outlives the last watch of its member by this time, so that a broken line does not flicker.
  package static let lingering: Int64 = 10_000
  /// The shortest time between two answers to one watch: sights that come between replace each other.
  package static let gap: Int64 = 100

  private struct Place {
    var name: String
    var sight: Sight?
    /// The room's count at the last change of the sight.
    var number: UInt64 = 0
    var watches = 1
    /// The time at which the last watch ended; nil while there is one.
    var left: Int64?
  }

  /// By the members' ids.
  private var places: [String: Place] = [:]
  /// Grows with each change that others can see.
  package private(set) var count: UInt64 = 0

  package init() {}

  /// Begins a watch. False if the room is full.
  package mutating func enter(_ member: String, named name: String, at now: Int64) -> Bool {
    sweep(at: now)
    if var place = places[member] {
      (place.name, place.watches, place.left) = (name, place.watches + 1, nil)
      places[member] = place
      return true
    }
    guard places.count < PresenceRoom.mostMembers else { return false }
    places[member] = Place(name: name)
    return true
  }

  /// Ends a watch. After the last one of a member who `isRemoved`, the sight goes at once.
  package mutating func leave(_ member: String, isRemoved: Bool = false, at now: Int64) {
    guard var place = places[member] else { return }
    place.watches = max(0, place.watches - 1)
    if place.watches == 0 { place.left = now }
    let ends = isRemoved && place.watches == 0
    places[member] = ends ? nil : place
    if ends { count += 1 }
  }

  /// Replaces a member's sight. False, without an effect, for a member who does not watch and has not just watched.
  @discardableResult
  package mutating func show(_ sight: Sight?, of member: String, at now: Int64) -> Bool {
    sweep(at: now)
    guard var place = places[member] else { return false }
    guard place.sight != sight else { return true }
    count += 1
    (place.sight, place.number) = (sight, count)
    places[member] = place
    return true
  }

  /// Removes the sights that have ended.
  package mutating func sweep(at now: Int64) {
    for (member, place) in places {
      guard let left = place.left, now - left >= PresenceRoom.lingering else { continue }
      places[member] = nil
      if place.sight != nil { count += 1 }
    }
  }

  /// The time of the next sweep that has something to do; nil if none has.
  package var nextEnd: Int64? { places.values.compactMap(\.left).min().map { $0 + PresenceRoom.lingering } }

  /// The part of the room that one watch knows.
  package struct Known: Sendable {
    fileprivate var count: UInt64 = 0
    fileprivate var names: [String: String] = [:]
    fileprivate var hasBegun = false

    package init() {}
  }

  package struct News: Sendable, Equatable {
    package var present: [PresentMember] = []
    /// The names of members who are not there any more.
    package var gone: [String] = []
  }

  /// True if a watch does not know everything.
  package func hasNews(after known: Known) -> Bool { !known.hasBegun || known.count != count }

  /// The sights of others that a member's watch does not know; nil if nothing has changed for it.
  package func news(for member: String, after known: inout Known) -> News? {
    var news = News()
    var names: [String: String] = [:]
    for (other, place) in places where other != member {
      guard let sight = place.sight else { continue }
      names[other] = place.name
      if place.number > known.count || known.names[other] != place.name {
        news.present.append(PresentMember(place.name, sight))
      }
    }
    news.present.sort { $0.name < $1.name }
    let here = Set(names.values)
    news.gone = Set(known.names.values).subtracting(here).sorted()
    defer { (known.count, known.names, known.hasBegun) = (count, names, true) }
    return known.hasBegun && news == News() ? nil : news
  }
}
