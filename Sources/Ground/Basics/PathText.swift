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

  /// A path of the member's own in a command: as it is if a shell takes it so, and otherwise in quotes.
  /// - Parameter atHome: a leading `~/` is the member's home, and stays before the quotes.
  public static func plainWord(_ text: String, atHome: Bool = true) -> String {
    if atHome, text.utf8.starts(with: "~/".utf8) {
      let rest = String(decoding: text.utf8.dropFirst(2), as: UTF8.self)
      return rest.isEmpty ? text : "~/" + plainWord(rest, atHome: false)
    }
    let plain = { (byte: UInt8) in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: "/"), UInt8(ascii: "+"), UInt8(ascii: ":"), UInt8(ascii: "@"):
        true
      default: false
      }
    }
    if !text.isEmpty, text.utf8.allSatisfy(plain) { return text }
    // By bytes: a quote and a combining accent form one Character, but the quote still ends a shell's quotation.
    let quote = UInt8(ascii: "'")
    let escaped = text.utf8.flatMap { $0 == quote ? Array(#"'\''"#.utf8) : [$0] }
    return "'" + String(decoding: escaped, as: UTF8.self) + "'"
  }

  public static func isAbsolute(_ path: some StringProtocol) -> Bool { path.utf8.first == slash }
}
