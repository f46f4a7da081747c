internal import FileStores
internal import TextUI

/// A new name being typed.
struct RenameField: Sendable {
  let path: StorePath
  var name: TextField

  init(_ path: StorePath) {
    self.path = path
    name = TextField(bytes: path.name.map { $0 })
  }

  var isChanged: Bool { !name.bytes.elementsEqual(path.name) }
}
