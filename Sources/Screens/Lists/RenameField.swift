internal import FileStores
internal import TextUI

/// A new name being typed. It stays until the file has that name, or the member closes it.
struct RenameField: Sendable {
  let path: StorePath
  private(set) var name: TextField
  /// Why the file cannot have the name that was typed last.
  var problem: String?
  /// Whether the store is being asked for the name as it stands.
  var isAsked = false

  init(_ path: StorePath) {
    self.path = path
    name = TextField(bytes: path.name.map { $0 })
  }

  var isChanged: Bool { !name.bytes.elementsEqual(path.name) }

  /// Changes the name; what was wrong with the one before is told no more.
  mutating func type(_ change: (inout TextField) -> EditOutcome) {
    let before = name.bytes
    guard change(&name) != .ignored, name.bytes != before else { return }
    (problem, isAsked) = (nil, false)
  }
}
