internal import FileStores

/// The other members who are in the club now, and the words about them. Names are foreign text, which the canvas filters.
struct Present: Sendable {
  /// The most columns of a name in a list.
  private static let listed = 12

  private(set) var members: [PresentMember] = []
  /// The directions at which members have just pointed, by name.
  var points: [String: Gaze] = [:]

  var isEmpty: Bool { members.isEmpty }

  subscript(name: String) -> PresentMember? { members.first { $0.name == name } }

  func at(_ path: StorePath) -> [PresentMember] { members.filter { $0.sight.path == path } }

  /// Takes the members of now. Returns the names of those who have pointed since.
  mutating func take(_ now: [PresentMember]) -> [String] {
    let pointing = now.filter { member in
      guard let old = self[member.name], old.sight.path == member.sight.path else { return false }
      return old.sight.points != member.sight.points
    }
    for member in pointing { points[member.name] = member.sight.gaze }
    members = now
    for (name, _) in points where self[name]?.sight.gaze == nil { points[name] = nil }
    return pointing.filter { $0.sight.gaze != nil }.map(\.name)
  }

  /// For the rows of lists: `ann`, or `ann +2`.
  var marks: [StorePath: String] {
    var marks: [StorePath: String] = [:]
    for (path, there) in Dictionary(grouping: members, by: { $0.sight.path ?? .root }) where !path.isRoot {
      let name = ShortName.of(there[0].name, columns: Self.listed)
      marks[path] = there.count == 1 ? name : "\(name) +\(there.count - 1)"
    }
    return marks
  }

  /// The panoramas in which somebody looks around who can be followed.
  var gazed: Set<StorePath> { Set(members.compactMap { $0.sight.gaze == nil ? nil : $0.sight.path }) }

  /// For the line of a note: `ann edits line 12`, `ann reads, ray reads`. The line counts in the text that the member sees.
  func words(at path: StorePath, _ revision: Revision?) -> String {
    let there = at(path)
    let words = there.prefix(2).map { member in
      let verb = member.sight.edits ? "edits" : "reads"
      guard let line = member.sight.line, line.revision == revision else { return "\(member.name) \(verb)" }
      return "\(member.name) \(verb) line \(line.number)"
    }
    return words.joined(separator: ", ") + (there.count > 2 ? ", \(there.count - 2) more" : "")
  }

  /// For the title of a photo: `with ann, ray`.
  func companions(at path: StorePath) -> String {
    let names = at(path).map(\.name)
    return names.isEmpty ? "" : "with " + names.prefix(3).joined(separator: ", ") + (names.count > 3 ? " ..." : "")
  }

  /// Everybody in sentences.
  func sentences(isPhoto: (StorePath) -> Bool) -> String {
    guard !isEmpty else { return "Nobody else is here now." }
    return members.map { member in
      guard let path = member.sight.path else { return "\(member.name) is in the club." }
      let verb = member.sight.edits ? "edits" : isPhoto(path) ? "looks at" : "reads"
      return "\(member.name) \(verb) \"\(String(decoding: path.name, as: UTF8.self))\"."
    }.joined(separator: " ")
  }
}
