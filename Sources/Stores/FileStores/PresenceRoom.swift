/// The members who are in one club, each with the newest sight. Times are milliseconds of any clock that never goes back.
package struct PresenceRoom: Sendable {
  package static let mostMembers = 64
  /// A sight outlives the last watch of its member by this time, so that a broken line does not flicker.
  package static let lingering: Int64 = 10_000
  /// The shortest time between two beats of a room, in milliseconds: sights that come between replace each other.
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
  /// Of those whose sights are shown, by their ids.
  private var names: [String: String] = [:]
  /// Grows with each change that others can see.
  package private(set) var count: UInt64 = 0

  package init() {}

  /// Begins a watch. False if the room is full.
  package mutating func enter(_ member: String, named name: String, at now: Int64) -> Bool {
    sweep(at: now)
    if var place = places[member] {
      if place.name != name, place.sight != nil {
        count += 1
        place.number = count
      }
      (place.name, place.watches, place.left) = (name, place.watches + 1, nil)
      set(place, of: member)
      return true
    }
    guard places.count < PresenceRoom.mostMembers else { return false }
    set(Place(name: name), of: member)
    return true
  }

  private mutating func set(_ place: Place?, of member: String) {
    places[member] = place
    let name = place?.sight == nil ? nil : place?.name
    // The watches share the names until one changes.
    if names[member] != name { names[member] = name }
  }

  /// Ends a watch. After the last one of a member who `isRemoved`, the sight goes at once.
  package mutating func leave(_ member: String, isRemoved: Bool = false, at now: Int64) {
    guard var place = places[member] else { return }
    place.watches = max(0, place.watches - 1)
    if place.watches == 0 { place.left = now }
    let ends = isRemoved && place.watches == 0
    set(ends ? nil : place, of: member)
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
    set(place, of: member)
    return true
  }

  /// Removes the sights that have ended.
  package mutating func sweep(at now: Int64) {
    for (member, place) in places {
      guard let left = place.left, now - left >= PresenceRoom.lingering else { continue }
      set(nil, of: member)
      if place.sight != nil { count += 1 }
    }
  }

  /// The time of the next sweep that has something to do; nil if none has.
  package var nextEnd: Int64? { places.values.compactMap(\.left).min().map { $0 + PresenceRoom.lingering } }

  /// The part of the room that one watch knows.
  package struct Known: Sendable {
    package fileprivate(set) var count: UInt64 = 0
    fileprivate var names: [String: String] = [:]
    fileprivate var hasBegun = false

    package init() {}
  }

  package struct News: Sendable, Equatable {
    package var present: [PresentMember] = []
    /// The names of members who are not there any more.
    package var gone: [String] = []
  }

  /// The whole room, as a watch knows it after its newest line.
  package var known: Known {
    var known = Known()
    (known.count, known.names, known.hasBegun) = (count, names, true)
    return known
  }

  /// The sights of others that a member's watch does not know; nil if nothing has changed for it.
  package func news(for member: String, after known: inout Known) -> News? {
    defer { known = self.known }
    var news = News()
    for (other, place) in places where other != member && place.number > known.count {
      if let sight = place.sight { news.present.append(PresentMember(place.name, sight)) }
    }
    news.present.sort { $0.name < $1.name }
    if known.names != names {
      func others(_ names: [String: String]) -> Set<String> { Set(names.filter { $0.key != member }.values) }
      news.gone = others(known.names).subtracting(others(names)).sorted()
    }
    return known.hasBegun && news == News() ? nil : news
  }

  /// True if nothing of the member has changed meanwhile, so that their watch hears what all others hear.
  package func isStill(_ member: String, since known: Known) -> Bool {
    known.hasBegun && known.names[member] == names[member] && (places[member]?.number ?? 0) <= known.count
  }
}
