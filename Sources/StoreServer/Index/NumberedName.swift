import FileStores

enum NumberedName {
  /// `Note.md` becomes `Note (mark).md`. A leading dot does not begin an extension.
  static func marked(_ name: String, _ mark: String) -> String {
    guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "\(name) (\(mark))" }
    return "\(name[..<dot]) (\(mark))\(name[dot...])"
  }

  static func marked(path: String, _ mark: String) -> String {
    let (folder, name) = PathText.cut(path)
    return folder + marked(String(name), mark)
  }
}
