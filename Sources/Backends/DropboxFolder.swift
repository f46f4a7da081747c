internal import FileStores

/// The club's folder inside the Dropbox, and which names it can hold.
struct DropboxFolder: Sendable, Hashable {
  /// Empty for the whole of the Dropbox (or of the app's folder in it); else with a leading slash and no trailing one.
  let path: String
  /// How many components that are.
  let depth: Int

  /// Where byteclub keeps what was discarded: not `.byteclub…`, so that any server's own store takes it.
  static let trashName = ".club-trash"

  /// Takes the config's word: with or without slashes at its ends.
  /// - Throws: `badInput` for what is no path.
  init(_ text: String) throws(StoreError) {
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
  }

  /// The path for the API; nil when Dropbox cannot hold such a name, so that nothing can be there.
  func apiPath(_ path: StorePath) -> String? {
    guard !DropboxFolder.isOwn(path), path.components.allSatisfy({ DropboxFolder.fault(in: $0) == nil }) else {
      return nil
    }
    return ownPath(path)
  }

  /// The path for the API of what is byteclub's own, too.
  func ownPath(_ path: StorePath) -> String {
    path.isRoot ? self.path : self.path + "/" + String(decoding: path.bytes, as: UTF8.self)
  }

  /// Where something in the listing of a folder is; nil for what does not belong to that: the folder itself, what is
  /// deeper than was asked for, byteclub's own.
  static func place(
    _ path: StorePath, listedIn folder: StorePath, _ options: ListOptions
  ) throws(StoreError) -> StorePath? {
    if isOwn(path) { return nil }
    let depth = folder.isRoot ? 0 : folder.components.count
    let parts = path.components
    guard parts.count > depth, options.recursive || parts.count == depth + 1 else { return nil }
    if folder.isRoot || path.relative(to: folder) != nil { return path }
    // The folder was asked for in another case than it has.
    return try StorePath(folder.bytes + [UInt8(ascii: "/")] + parts[depth...].joined(separator: [UInt8(ascii: "/")]))
  }

  /// Refuses what cannot be written, before anything is sent.
  /// - Throws: `badName`; `badInput` for the root.
  func checkWritable(_ path: StorePath) throws(StoreError) {
    try path.checkWritable()
    if DropboxFolder.isOwn(path) {
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

  /// Byteclub's own files, which are no part of the club.
  static func isOwn(_ path: StorePath) -> Bool {
    path.isReserved || path.components.first.map { fold($0) == trashName } ?? false
  }

  /// A name or path as Dropbox compares them, near enough to see whether two are one.
  static func fold(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: Array(bytes), as: UTF8.self).lowercased()
  }

  /// Names that Dropbox does not take at all (https://help.dropbox.com/sync/ignored-files).
  private static let ignored: Set<String> = [
    "desktop.ini", "thumbs.db", ".ds_store", "icon\r", ".dropbox", ".dropbox.attr", ".dropbox.cache",
  ]

  /// Why Dropbox cannot hold a name, as the end of a sentence; nil when it can, as far as is known without asking.
  private static func fault(in name: ArraySlice<UInt8>) -> String? {
    guard let text = String(validating: name, as: UTF8.self) else { return "is not UTF-8" }
    if name.contains(UInt8(ascii: "\\")) { return "contains a backslash" }
    if name.contains(0x7F) { return "contains a control character" }
    if text.unicodeScalars.last?.properties.isWhitespace == true { return "ends with a space" }
    return ignored.contains(text.lowercased()) ? "is a name that Dropbox ignores" : nil
  }
}
