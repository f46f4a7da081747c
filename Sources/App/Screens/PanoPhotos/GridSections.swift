internal import Basics
internal import FileStores
internal import TextUI

/// The sections of the grid, by the day of the date that the list is sorted by: by month where most days have a photo or
/// two, and none where months have no more.
struct GridSections: Sendable, Equatable {
  enum Head: Sendable, Equatable {
    case day(CivilDate)
    case month(CivilDate)
    case undated
    case albums
    /// Without a line of its own.
    case none
  }

  struct Section: Sendable, Equatable {
    let first: Int
    let head: Head
  }

  private(set) var sections: [Section] = []

  private static let leastPhotos = 3

  /// `offset` is the seconds of local time from UTC.
  init(_ table: EntryTable?, albums: Int, hasHeads: Bool, offset: Int) {
    let photos = table.map { hasHeads ? Self.photos($0, offset) : [] } ?? []
    let isHeaded = !photos.isEmpty
    if albums > 0 { sections.append(Section(first: 0, head: isHeaded ? .albums : .none)) }
    sections += photos.map { Section(first: $0.first + albums, head: $0.head) }
    if !isHeaded, table?.count ?? 0 > 0 || albums == 0 { sections.append(Section(first: albums, head: .none)) }
  }

  var hasHeads: Bool { sections.contains { $0.head != .none } }

  private static func photos(_ table: EntryTable, _ offset: Int) -> [Section] {
    guard table.isByDate, table.count > 0 else { return [] }
    let days = (0..<table.count).map { row in
      table.date(at: row).map { moment in
        CivilTime(secondsSince1970: Int(moment.seconds) + offset).date.daysSince1970
      }
    }
    let byDay = runs(days) { day in day.map { .day(CivilDate(daysSince1970: $0)) } ?? .undated }
    if byDay.count * leastPhotos <= table.count { return byDay }
    let byMonth = runs(days) { day in
      day.map { day in
        let date = CivilDate(daysSince1970: day)
        return .month(CivilDate(year: date.year, month: date.month, day: 1))
      } ?? .undated
    }
    return byMonth.count * leastPhotos <= table.count ? byMonth : []
  }

  private static func runs(_ days: [Int?], _ head: (Int?) -> Head) -> [Section] {
    var sections: [Section] = []
    for row in days.indices where row == 0 || days[row] != days[row - 1] {
      let next = head(days[row])
      if sections.last?.head != next { sections.append(Section(first: row, head: next)) }
    }
    return sections
  }

  /// `count` is the number of all cells.
  func title(of section: Int, count: Int, isASCII: Bool) -> String {
    guard sections.indices.contains(section) else { return "" }
    let end = section + 1 < sections.count ? sections[section + 1].first : count
    let number = end - sections[section].first
    let dot = Symbol.dot.scalar(isASCII: isASCII)
    func titled(_ name: String, _ one: String) -> String {
      "\(name) \(dot) \(number.grouped) \(one)\(number == 1 ? "" : "s")"
    }
    switch sections[section].head {
    case .day(let date): return titled(date.words, "photo")
    case .month(let date): return titled(date.monthWords, "photo")
    case .undated: return titled("Without a date", "photo")
    case .albums: return "\(number.grouped) album\(number == 1 ? "" : "s")"
    case .none: return ""
    }
  }
}

extension EntryTable {
  /// Its neighbours are of the same day.
  var isByDate: Bool { [.date, .taken].contains(order) && !isBestFirst }

  /// The date that decides the place of a row in an order by date.
  fileprivate func date(at row: Int) -> Timestamp? { (order == .taken ? taken(at: row) : nil) ?? modified(at: row) }
}

extension CivilDate {
  private static let months = [
    "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
    "December",
  ]
  private static let weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"]

  /// `Saturday, 14 March 2026`.
  var words: String { "\(Self.weekdays[weekday]), \(day) \(monthWords)" }

  /// `March 2026`.
  var monthWords: String { "\(Self.months[max(0, min(11, month - 1))]) \(year)" }
}
