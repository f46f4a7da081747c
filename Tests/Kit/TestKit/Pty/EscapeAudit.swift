/// Finds everything in a program's terminal output that does not belong there.
///
/// Allowed is the output of drawing: SGR, cursor moves, erasing, inserting and deleting, scrolling, and the modes of a
/// full-screen program. Everything else is a finding: titles, clipboards, queries, other strings, C1 controls (as bytes
/// and as UTF-8), bytes that are not UTF-8, bidi controls and invisible characters, a synchronized update in another,
/// and text of the full screen outside one.
public struct EscapeAudit: Sendable {
  /// Further output that a test may allow.
  public struct Allowance: OptionSet, Sendable {
    public let rawValue: Int
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// OSC 52, plain and in tmux's wrapping.
    public static let clipboard = Allowance(rawValue: 1)
    public static let bell = Allowance(rawValue: 2)
    /// Queries to the terminal: DA, DSR, XTVERSION, modes, sizes.
    public static let questions = Allowance(rawValue: 4)
    /// Pictures: kitty's APC G and sixel's DCS q.
    public static let pictures = Allowance(rawValue: 8)
    /// Titles of the window other than the app's (OSC 2), and its progress (OSC 9;4).
    public static let window = Allowance(rawValue: 16)
    /// Notifications: OSC 9 and OSC 777, of byteclub alone.
    public static let notifications = Allowance(rawValue: 32)
    /// Hyperlinks: OSC 8 to the web and to mail, in printable ASCII.
    public static let links = Allowance(rawValue: 64)
    /// The mode of grapheme clusters, and joiners, tags and variation selectors in them.
    public static let graphemes = Allowance(rawValue: 128)
    /// Text outside a frame: what Swift says of a program that fails.
    public static let lastWords = Allowance(rawValue: 256)
  }

  public struct Finding: Sendable, Hashable, CustomStringConvertible {
    /// The position in bytes from the start.
    public let offset: Int
    /// The output, in visible characters.
    public let what: String
    public var description: String { "\(what) at \(offset)" }
  }

  private static let modes: Set<Int> = [1, 7, 12, 25, 47, 1000, 1002, 1004, 1006, 1034, 1047, 1048, 1049, 2004, 2026]

  /// A picture of one pixel that is not shown.
  private static let pictureQuestion = "Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA"
  /// The same in shared memory; the name begins with "/byteclub-".
  private static let sharedPictureQuestion = "Gi=32,s=1,v=1,S=3,a=q,t=s,f=24;L2J5dGVjbHVi"

  private let bytes: [UInt8]
  private let allowance: Allowance
  private var position = 0
  private var isInFrame = false
  private var isFullScreen = false
  /// Such text was found since the last frame.
  private var hasStray = false
  private var findings: [Finding] = []

  /// Everything in `bytes` that is not allowed, in order.
  public static func findings(in bytes: [UInt8], allowing allowance: Allowance = []) -> [Finding] {
    var audit = EscapeAudit(bytes, allowance)
    audit.run()
    return audit.findings
  }

  private init(_ bytes: [UInt8], _ allowance: Allowance) {
    self.bytes = bytes
    self.allowance = allowance
  }

  private mutating func run() {
    while position < bytes.count {
      let start = position
      let byte = bytes[position]
      position += 1
      switch byte {
      case 0x1B: escape(start)
      case 0x08, 0x09, 0x0A, 0x0D, 0x0E, 0x0F: break
      case 0x07: if !allowance.contains(.bell) { find("a bell", start) }
      case 0..<0x20, 0x7F: find("control \(visible(start..<position))", start)
      case 0x20: break
      case 0x21..<0x7F: glyph(start)
      default: character(start)
      }
    }
  }

  private mutating func find(_ what: String, _ offset: Int) { findings.append(Finding(offset: offset, what: what)) }

  private func visible(_ range: Range<Int>) -> String {
    String(decoding: bytes[range].prefix(60), as: UTF8.self).debugDescription
  }

  private mutating func escape(_ start: Int) {
    guard position < bytes.count else { return find("an ESC at the end", start) }
    let byte = bytes[position]
    position += 1
    switch byte {
    case 0x5B: controlSequence(start)
    case 0x5D: string(start, endsWithBell: true)
    case 0x50, 0x58, 0x5E, 0x5F: string(start, endsWithBell: false)
    case 0x28, 0x29:  // Character sets: ASCII and line drawing.
      let set = position < bytes.count ? bytes[position] : 0
      position += 1
      if set != 0x42, set != 0x30 { find("character set \(visible(start..<min(position, bytes.count)))", start) }
    case 0x37, 0x38, 0x3D, 0x3E, 0x44, 0x45, 0x4D: break  // 7 8 = > D E M
    default: find("escape \(visible(start..<position))", start)
    }
  }

  private mutating func controlSequence(_ start: Int) {
    let first = position
    while position < bytes.count, bytes[position] >= 0x20, bytes[position] < 0x40 { position += 1 }
    guard position < bytes.count else { return find("a control sequence without an end", start) }
    let inner = String(decoding: bytes[first..<position], as: UTF8.self)
    let final = Character(Unicode.Scalar(bytes[position]))
    position += 1
    if inner == "?2026" {
      if isInFrame, final == "h" { find("a frame in a frame", start) }
      isInFrame = final == "h"
      hasStray = false
    } else if "hl".contains(final), inner.hasPrefix("?"), inner.dropFirst().split(separator: ";").contains("1049") {
      (isFullScreen, hasStray) = (final == "h", false)
    }
    if !isAllowed(inner, final) { find("control sequence \(visible(start..<position))", start) }
  }

  private func isAllowed(_ inner: String, _ final: Character) -> Bool {
    let isPlain = inner.utf8.allSatisfy { $0 >= 0x30 && $0 <= 0x3B }
    switch final {
    case "m", "A", "B", "C", "D", "E", "F", "G", "H", "f", "d", "a", "e", "J", "K", "X", "b", "@", "P", "L", "M", "S",
      "T", "r":
      return isPlain
    case "h", "l":
      // 34 is the shape of the cursor in screen and tmux.
      if inner == "4" || inner == "34" { return true }
      guard inner.first == "?" else { return false }
      return inner.dropFirst().split(separator: ";", omittingEmptySubsequences: false)
        .allSatisfy { Self.modes.contains(Int($0) ?? -1) || $0 == "2027" && allowance.contains(.graphemes) }
    // The questions about pictures, after the first frame.
    case "c" where inner.isEmpty, "q" where inner == ">", "t" where ["14", "16"].contains(inner): return true
    case "p" where inner == "?2027$": return true
    // The window's title, saved and restored.
    case "t" where ["22;2", "23;2"].contains(inner): return true
    case "t": return ["22;0;0", "23;0;0"].contains(inner) || allowance.contains(.questions) && isPlain
    case "c", "n", "q", "u", "p": return allowance.contains(.questions)
    default: return false
    }
  }

  private mutating func string(_ start: Int, endsWithBell: Bool) {
    let first = position
    var isTmux = false
    if bytes[first...].starts(with: "tmux;".utf8) { isTmux = true }
    while position < bytes.count {
      if endsWithBell, bytes[position] == 0x07 { break }
      if bytes[position] == 0x1B, position + 1 < bytes.count {
        if bytes[position + 1] == 0x5C { break }
        if !isTmux { break }
        position += 1
      }
      position += 1
    }
    let inner = String(decoding: bytes[first..<min(position, bytes.count)], as: UTF8.self)
    guard position < bytes.count else { return find("a string without an end: \(visible(start..<bytes.count))", start) }
    let isWhole = bytes[position] == 0x07 || position + 1 < bytes.count && bytes[position + 1] == 0x5C
    position += bytes[position] == 0x07 ? 1 : isWhole ? 2 : 0
    let kind = bytes[start + 1]
    // 104 resets the palette; ncurses sends it when it leaves the full screen.
    let isAllowed =
      kind == 0x5D && inner == "104"
      // The title of the app, and its question for the background after the first frame.
      || kind == 0x5D && inner.hasPrefix("2;byteclub: ")
      || kind == 0x5D && inner == "11;?"
      || kind == 0x5D && (inner.hasPrefix("2;") || Self.isProgress(inner)) && allowance.contains(.window)
      || kind == 0x5D && (inner.hasPrefix("9;byteclub: ") || inner.hasPrefix("777;notify;byteclub;"))
        && allowance.contains(.notifications)
      || kind == 0x5D && inner.hasPrefix("52;") && allowance.contains(.clipboard)
      || kind == 0x50 && inner.hasPrefix("tmux;\u{1B}\u{1B}]52;") && allowance.contains(.clipboard)
      || kind == 0x5F && (inner == Self.pictureQuestion || inner.hasPrefix(Self.sharedPictureQuestion))
      || kind == 0x50 && inner == "tmux;\u{1B}\u{1B}_\(Self.pictureQuestion)\u{1B}\u{1B}\\"
      || kind == 0x50 && inner == "tmux;\u{1B}\u{1B}[>q"
      || kind == 0x5F && inner.hasPrefix("G") && allowance.contains(.pictures)
      || kind == 0x50 && allowance.contains(.pictures) && inner.drop { $0.isNumber || $0 == ";" }.first == "q"
      || kind == 0x50 && inner.hasPrefix("+q") && allowance.contains(.questions)
      || kind == 0x5D && Self.isLink(inner) && allowance.contains(.links)
      || kind == 0x5D && inner.hasSuffix(";?") && allowance.contains(.questions)
    if !isAllowed || !isWhole { find("string \(visible(start..<position))", start) }
  }

  private static func isProgress(_ inner: String) -> Bool {
    let parts = inner.split(separator: ";", omittingEmptySubsequences: false)
    guard parts.count == 4, parts[0] == "9", parts[1] == "4" else { return false }
    return parts[2] == "0"
      ? parts[3].isEmpty : (1...4).contains(Int(parts[2]) ?? 0) && (0...100).contains(Int(parts[3]) ?? -1)
  }

  private static func isLink(_ inner: String) -> Bool {
    guard inner.hasPrefix("8;"), inner.utf8.allSatisfy({ (0x21..<0x7F).contains($0) }) else { return false }
    let parts = inner.dropFirst(2).split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2 else { return false }
    return parts[1].isEmpty
      ? parts[0].isEmpty
      : parts[0].hasPrefix("id=") && ["http://", "https://", "mailto:"].contains { parts[1].hasPrefix($0) }
  }

  private static func isInCluster(_ scalar: Unicode.Scalar) -> Bool {
    [0x200C, 0x200D, 0xFE0F].contains(scalar.value) || (0xE0030...0xE007F).contains(scalar.value)
  }

  /// A terminal shows the text of a frame as one change.
  private mutating func glyph(_ start: Int) {
    guard isFullScreen, !isInFrame, !hasStray, !allowance.contains(.lastWords) else { return }
    hasStray = true
    find("text outside a frame", start)
  }

  private mutating func character(_ start: Int) {
    let first = bytes[start]
    let count = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC2 ? 2 : 1
    guard count > 1, start + count <= bytes.count,
      let scalar = String(validating: bytes[start..<(start + count)], as: UTF8.self)?.unicodeScalars.first
    else {
      return find("a byte that is no UTF-8, " + String(first, radix: 16, uppercase: true), start)
    }
    position = start + count
    glyph(start)
    if allowance.contains(.graphemes), Self.isInCluster(scalar) { return }
    let code = "U+" + String(scalar.value, radix: 16, uppercase: true)
    switch scalar.properties.generalCategory {
    case .control: find("a C1 control, \(code)", start)
    case .format, .lineSeparator, .paragraphSeparator: find("a character that is not seen, \(code)", start)
    default: if (0xFE00...0xFE0F).contains(scalar.value) { find("a character that is not seen, \(code)", start) }
    }
  }
}
