import ClubServices
import FileStores
import JSON
import TextUI

/// News for people and for scripts.
enum NewsText {
  /// One document for a batch, with its oldest item first.
  static func document(_ items: [NewsItem], club: String) -> JSONValue {
    let times = items.map(\.happening.time)
    return .members([
      "club": .string(club),
      "from": times.min().map { .string(RFC3339.text($0)) } ?? .null,
      "to": times.max().map { .string(RFC3339.text($0)) } ?? .null,
      "items": .array(items.map { .object(members($0)) }),
    ])
  }

  /// A record for each item, for scripts.
  static func records(_ items: [NewsItem], club: String) -> [Record] {
    items.map { Record(.object([JSONMember("club", .string(club))] + members($0)), line: nil) }
  }

  /// The deeds of each member, in the order of the first: remarks in full, many files in one line.
  /// - Parameter club: its name at each line; nil for none.
  static func lines(_ items: [NewsItem], club: String?) -> [String] {
    var groups: [[NewsItem]] = []
    for item in items {
      if let place = groups.firstIndex(where: { $0[0].isReported(with: item) }) {
        groups[place].append(item)
      } else {
        groups.append([item])
      }
    }
    return groups.map { group in
      let time = group.map(\.happening.time).max() ?? group[0].happening.time
      let columns = [RFC3339.text(Timestamp(seconds: time.seconds)), club, group[0].happening.claim ?? "somebody"]
      let line = (columns.compactMap { $0 } + [words(group)]).joined(separator: "  ")
      // A name or a remark of several lines is no news of its own.
      return line.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
  }

  private static func members(_ item: NewsItem) -> [JSONMember] {
    [
      JSONMember("member", item.happening.member.map { .string($0) } ?? .null),
      JSONMember("action", .string(item.action.rawValue)),
      JSONMember("path", .string("\(item.happening.thing)")),
      JSONMember("time", .string(RFC3339.text(item.happening.time))),
    ] + (item.happening.bringer.map { [JSONMember("broughtBy", .string($0))] } ?? [])
  }

  /// One member's change of one thing, or of several in the same way.
  private static func words(_ group: [NewsItem]) -> String {
    let names = named(group.map { "\($0.happening.thing)" })
    return switch group[0].happening.kind {
    case .file: "\(group[0].action == .added ? "added" : "changed") \(names)"
    case .caption: "described \(names)"
    case .walk(let title): group.count == 1 ? "saved the walk \"\(title)\", \(names)" : "saved the walks \(names)"
    case .remark(let text): "said on \(names): \(text)"
    case .door(let label): "set a door in \(names): \(label)"
    }
  }

  /// Of many names the first three.
  private static func named(_ names: [String]) -> String {
    guard names.count > 4 else { return names.joined(separator: ", ") }
    return
      "\(names.count.grouped) files: \(names.prefix(3).joined(separator: ", ")) and \((names.count - 3).grouped) more"
  }
}

extension NewsItem {
  /// True if one line tells of both.
  fileprivate func isReported(with other: NewsItem) -> Bool {
    switch action {
    case .remark, .door: false
    case .added, .changed, .caption, .walk:
      action == other.action && happening.member == other.happening.member
    }
  }
}
