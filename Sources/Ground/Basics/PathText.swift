/// Paths as text, split at the byte `/`. Swift's own `split`, `hasPrefix` and `lastIndex` compare characters, and a
/// slash with a combining mark behind it is one character, which they would not find.
public enum PathText {
  private static let slash = UInt8(ascii: "/")

  /// The parts between slashes, without empty ones.
  public static func parts(_ path: some StringProtocol) -> [String] {
    Substring(path).utf8.split(separator: slash).map { String(Substring($0)) }
  }

  public static func name(_ path: some StringProtocol) -> String {
    Substring(path).utf8.split(separator: slash).last.map { String(Substring($0)) } ?? ""
  }

  /// A path cut behind its last slash: the folder with the slash (empty without one) and the rest.
  public static func cut(_ path: some StringProtocol) -> (folder: Substring, name: Substring) {
    let path = Substring(path)
    guard let at = path.utf8.lastIndex(of: slash) else { return ("", path) }
    let end = path.utf8.index(after: at)
    return (path[..<end], path[end...])
  }

  /// Everything before the last slash; empty without one.
  public static func parent(_ path: some StringProtocol) -> String {
    let path = Substring(path)
    return path.utf8.lastIndex(of: slash).map { String(path[..<$0]) } ?? ""
  }

  /// True if a path lies below a folder, which has no slash at its end.
  public static func isBelow(_ path: some StringProtocol, _ folder: some StringProtocol) -> Bool {
    path.utf8.count > folder.utf8.count + 1 && path.utf8.starts(with: folder.utf8)
      && path.utf8.dropFirst(folder.utf8.count).first == slash
  }

  public static func hasSlash(_ text: some StringProtocol) -> Bool { text.utf8.contains(slash) }

  /// One word of a shell's command line, for commands that a member pastes: other members' names must not run there.
  public static func shellWord(_ text: String) -> String {
    guard text.contains(where: "\"$`\\!".contains) else { return "\"\(text)\"" }
    return "'" + text.replacing("'", with: "'\\''") + "'"
  }

  public static func isAbsolute(_ path: some StringProtocol) -> Bool { path.utf8.first == slash }
}
