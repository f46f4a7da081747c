internal import FileStores
internal import TextUI

/// The rename field: its keys, and the store's response.
extension FileList {
  mutating func run(_ command: CommandID, _ field: RenameField) -> Commands {
    switch command {
    case .pathAccept:
      guard field.isChanged else {
        renaming = nil
        return []
      }
      guard !field.isAsked else { return [] }
      let path = field.path.renamed(field.name.bytes)
      if let table, let path, table.contains(path) || field.isFolder && table.holds(path) {
        renaming?.problem = "\"\(field.name.string)\" already exists. Choose another name."
        return []
      }
      guard !field.isFolder else { return rename(folder: field.path, to: path, field.name.string) }
      renaming?.isAsked = true
      return [.run(.rename(field.path, to: field.name.string))]
    case .pathCancel, .close, .interrupt: renaming = nil
    default: break
    }
    return []
  }

  /// Shows the error in the field that waits for the response, or else as a notice.
  mutating func refuse(_ path: StorePath, _ error: StoreError, _ frame: inout Frame) {
    if renaming?.path == path, renaming?.isAsked == true {
      renaming?.isAsked = false
      renaming?.problem = error.kind == .cancelled ? nil : "\(error)"
    } else {
      frame.complain(error)
    }
  }
}

extension StorePath {
  /// The path of a sibling with this name; nil if the name is invalid.
  fileprivate func renamed(_ name: [UInt8]) -> StorePath? {
    do throws(StoreError) {
      return try parent.appending(name)
    } catch {
      return nil
    }
  }
}

/// The field for a new name. It stays until the file is renamed or the member closes it.
struct RenameField: Sendable {
  private(set) var path: StorePath
  let isFolder: Bool
  private(set) var name: TextField
  /// The error about the last typed name.
  var problem: String?
  /// True while the store handles the request.
  var isAsked = false

  init(_ path: StorePath, isFolder: Bool = false) {
    (self.path, self.isFolder) = (path, isFolder)
    name = TextField(bytes: path.name.map { $0 })
  }

  var isChanged: Bool { !name.bytes.elementsEqual(path.name) }

  /// After a renaming: a name that the member goes on typing is for the file's new path.
  func renamed(to path: StorePath) -> RenameField? {
    guard !isAsked else { return nil }
    var field = self
    field.path = path
    return field
  }

  /// Changes the name and clears the error about the previous one.
  mutating func type(_ change: (inout TextField) -> EditOutcome) {
    let before = name.bytes
    guard change(&name) != .ignored, name.bytes != before else { return }
    (problem, isAsked) = (nil, false)
  }
}
