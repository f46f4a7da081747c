import FileStores

/// Other names for a file whose name is taken.
enum NumberedName {
  /// `Note.md` with a mark: `Note (mark).md`. A leading dot begins no ending.
  static func marked(_ name: String, _ mark: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "\(name) (\(mark))" }
    return "\(name[..<dot]) (\(mark))\(name[dot...])"
  }

  /// The same for the last part of a path.
  static func marked(path: String, _ mark: String) -> String {
    let (folder, name) = PathText.cut(path)
    return folder + marked(String(name), mark)
  }
}
