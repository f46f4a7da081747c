internal import Basics
internal import FileStores

/// The club's folder inside the Dropbox, and its rules for names.
struct DropboxFolder: Sendable, Hashable {
  /// Empty for the whole Dropbox or the app's folder in it; otherwise with a leading slash and no trailing one.
  let path: String
  let depth: Int
  /// False for the store of a server, whose clients keep their trash in that folder.
  let hidesTrash: Bool

  /// The trash folder. Its name does not begin with `.byteclub`, so a server's own store accepts it.
  static let trashName = ".club-trash"

  /// Accepts slashes at both ends.
  /// - Throws: `badInput` for an invalid path.
  init(_ text: String, hidesTrash: Bool = true) throws(StoreError) {
    let parts = PathText.parts(text)
    for part in parts {
      let reason = part == "." || part == ".." ? "is . or .." : DropboxFolder.fault(in: Array(part.utf8)[...])
      if let reason {
        throw StoreError(
          .badInput, "The club's folder cannot be \"\(text)\": \"\(part)\" \(reason).",
          remedy: "Set \"folder\" in the config to a path such as /Our club.")
      }
    }
    path = parts.map { "/" + $0 }.joined()
    depth = parts.count
    self.hidesTrash = hidesTrash
  }

  /// The API's path; nil for a name that Dropbox cannot store, where nothing can be. A server over a folder may list a
  /// name with a backslash.
  func apiPath(_ path: StorePath) -> String? {
    guard !isOwn(path), path.components.allSatisfy({ DropboxFolder.fault(in: $0, whenWritten: false) == nil }) else {
      return nil
    }
    return ownPath(path)
  }

  func ownPath(_ path: StorePath) -> String {
    path.isRoot ? self.path : self.path + "/" + String(decoding: path.bytes, as: UTF8.self)
  }

  /// The path of a listed entry. nil for the folder itself, deeper entries (unless recursive) and byteclub's own.
  func place(
    _ path: StorePath, listedIn folder: StorePath, _ options: ListOptions
  ) throws(StoreError) -> StorePath? {
    if isOwn(path) { return nil }
    let depth = folder.isRoot ? 0 : folder.components.count
    let parts = path.components
    guard parts.count > depth, options.recursive || parts.count == depth + 1 else { return nil }
    if folder.isRoot || path.relative(to: folder) != nil { return path }
    return try StorePath(folder.bytes + [UInt8(ascii: "/")] + parts[depth...].joined(separator: [UInt8(ascii: "/")]))
  }

  /// Rejects paths that cannot be written, before sending anything.
  /// - Throws: `badName`; `badInput` for the root.
  func checkWritable(_ path: StorePath) throws(StoreError) {
    try path.checkWritable()
    if isOwn(path) {
      throw StoreError(
        .badName, "\(DropboxFolder.trashName) is byteclub's own: \"\(path)\".", remedy: "Choose another name.",
        path: path)
    }
    for name in path.components {
      if let reason = DropboxFolder.fault(in: name) {
        throw StoreError(
          .badName, "Dropbox cannot hold the name \"\(String(decoding: name, as: UTF8.self))\": it \(reason).",
          remedy: "Choose another name.", path: path)
      }
    }
  }

  func missing(_ path: StorePath, at server: DropboxServer) -> StoreError {
    guard path.isRoot else { return .missing(path) }
    let name = self.path.isEmpty ? "" : " \(self.path)"
    return StoreError(
      .notFound, "The club's folder\(name) at \(server.name) does not exist.",
      remedy: "Make it with: \(server.commands.makeFolder) (or correct \"folder\" in the config).", path: path)
  }

  /// True for a folded path of the account that lies in the folder.
  func holds(_ lower: String) -> Bool {
    let own = PathText.parts(path).map { DropboxFolder.fold($0.utf8) }
    let parts = PathText.parts(lower)
    return parts.count > depth && parts.prefix(depth).elementsEqual(own)
  }

  func isOwn(_ path: StorePath) -> Bool {
    guard !path.isReserved else { return true }
    return hidesTrash && path.components.first.map { DropboxFolder.fold($0) == DropboxFolder.trashName } ?? false
  }

  /// Folds a name or path roughly as Dropbox does when it compares names.
  static func fold(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self).lowercased()
  }

  /// Names that Dropbox does not accept (https://help.dropbox.com/sync/ignored-files).
  private static let ignored: Set<String> = [
    "desktop.ini", "thumbs.db", ".ds_store", "icon\r", ".dropbox", ".dropbox.attr", ".dropbox.cache",
  ]

  /// The reason why Dropbox cannot store a name, as the end of a sentence; nil if no reason is known.
  private static func fault(in name: ArraySlice<UInt8>, whenWritten: Bool = true) -> String? {
    guard let text = String(validating: name, as: UTF8.self) else { return "is not UTF-8" }
    if whenWritten, name.contains(UInt8(ascii: "\\")) { return "contains a backslash" }
    if name.contains(0x7F) { return "contains a control character" }
    if text.unicodeScalars.last?.properties.isWhitespace == true { return "ends with a space" }
    return ignored.contains(text.lowercased()) ? "is a name that Dropbox ignores" : nil
  }
}
