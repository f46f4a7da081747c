internal import FileStores
internal import TextUI

/// What keys do while a new name is typed, and what the store said of it.
extension FileList {
  mutating func run(_ command: CommandID, _ field: RenameField) -> Commands {
    switch command {
    case .pathAccept:
      guard field.isChanged else {
        renaming = nil
        return []
      }
      guard !field.isAsked else { return [] }
      if let table, let path = field.path.renamed(field.name.bytes), table.contains(path) {
        renaming?.problem = "\"\(field.name.string)\" already exists. Choose another name."
        return []
      }
      renaming?.isAsked = true
      return [.run(.rename(field.path, to: field.name.string))]
    case .pathCancel, .close, .interrupt: renaming = nil
    default: break
    }
    return []
  }

  /// A field that waits for the answer stays, with the reason; else the reason is a notice.
  mutating func refuse(_ path: StorePath, _ error: StoreError, _ frame: inout Frame) {
    if renaming?.path == path, renaming?.isAsked == true {
      renaming?.isAsked = false
      renaming?.problem = error.kind == .cancelled ? nil : "\(error)"
    } else if error.kind != .cancelled {
      frame.complain("\(error)")
    }
  }
}

extension StorePath {
  /// The path of a file of this name beside this one; nil when nothing can be called so.
  fileprivate func renamed(_ name: [UInt8]) -> StorePath? {
    do throws(StoreError) {
      return try parent.appending(name)
    } catch {
      return nil
    }
  }
}

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
