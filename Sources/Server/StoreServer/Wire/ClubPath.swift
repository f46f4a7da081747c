import Basics

enum ClubPath: Sendable, Equatable {
  /// From the club's root, with a leading `/`, or empty. In NFC, without empty, `.` or `..` components.
  case path(String)
  /// The server's id, and a path below it (with a leading `/`, or empty).
  case id(String, below: String)
  case rev(Int64)

  struct Forms: OptionSet {
    let rawValue: Int
    static let root = Forms(rawValue: 1)
    static let id = Forms(rawValue: 2)
    static let rev = Forms(rawValue: 4)
    /// Several leading slashes count as one: clients that join a root and a name send them.
    static let slashes = Forms(rawValue: 8)

    static let reading: Forms = [.id, .rev, .slashes]
    static let folder: Forms = [.root, .id, .slashes]
  }

  /// - Throws: `badArgument` if the text is no path; the route's `key/malformed_path` if no file can have it.
  init(
    _ text: String, _ forms: Forms, key: String = "path", fails: String = "path", space: String
  ) throws(APIFailure) {
    var text = text
    if forms.contains(.slashes) { text = ClubPath.withOneSlash(text) }
    if text.hasPrefix("ns:") {
      let rest = text.dropFirst(3)
      let number = Substring(rest.utf8.prefix { $0 != UInt8(ascii: "/") })
      guard !number.isEmpty, number.utf8.allSatisfy({ (48...57).contains($0) }) else {
        throw ClubPath.mismatch(text, key)
      }
      guard number == space else { throw .route(Tagged(fails, Tagged("not_found"))) }
      text = String(rest[number.endIndex...])
      if text.utf8.count == 1 { text = "" }
      if text.isEmpty, !forms.contains(.root) { throw .badArgument("\(key): The root folder is unsupported.") }
    }
    if text.isEmpty {
      guard forms.contains(.root) else { throw ClubPath.mismatch(text, key) }
      self = .path("")
    } else if text == "/" {
      throw .badArgument("\(key): Specify the root folder as an empty string rather than as \"/\".")
    } else if PathText.isAbsolute(text) {
      self = .path(try ClubPath.checked(text, fails, isRead: forms.contains(.rev)))
    } else if forms.contains(.id), text.hasPrefix("id:") {
      let cut = text.utf8.firstIndex(of: UInt8(ascii: "/")) ?? text.endIndex
      let below = text[cut...]
      self = .id(String(text[..<cut]), below: below.isEmpty ? "" : try ClubPath.checked(String(below), fails))
    } else if forms.contains(.rev), text.hasPrefix("rev:") {
      guard let rev = Rev.number(String(text.dropFirst(4))) else { throw ClubPath.mismatch(text, key) }
      self = .rev(rev)
    } else {
      throw ClubPath.mismatch(text, key)
    }
  }

  private static func withOneSlash(_ text: String) -> String {
    let slash = UInt8(ascii: "/")
    let extra = text.utf8.prefix { $0 == slash }.count - 1
    return extra > 0 ? String(Substring(text.utf8.dropFirst(extra))) : text
  }

  private static func mismatch(_ text: String, _ key: String) -> APIFailure {
    .badArgument("\(key): '\(text)' did not match pattern '(/(.|[\\r\\n])*)?|id:.*|(ns:[0-9]+(/.*)?)'")
  }

  /// The most characters (code points) of a name. The store limits the bytes.
  private static let longestName = 255

  /// A file of the folder may have a name with a backslash; no client can write one.
  private static func checked(_ text: String, _ fails: String, isRead: Bool = false) throws(APIFailure) -> String {
    let path = Folding.composed(text)
    let parts = path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isSound = parts.allSatisfy { part in
      !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
        && !part.contains { $0 == 0 || (!isRead && $0 == UInt8(ascii: "\\")) }
    }
    for part in parts {
      // Each code point has exactly one byte that is not a continuation byte.
      let length = part.count { $0 & 0xC0 != 0x80 }
      guard length <= longestName else {
        throw .route(
          Tagged(fails, .malformed("A name in the path has \(length) characters; \(longestName) is the most.")))
      }
    }
    guard isSound, path.utf8.count <= 4000, path.last.map(\.isWhitespace) != true else {
      throw .route(Tagged(fails, Tagged("malformed_path")))
    }
    return path
  }
}

/// A version number in hexadecimal, as in the API; the last eight digits are the namespace.
enum Rev {
  private static let suffix = "00000001"
  /// No index ever assigns this number.
  static let end: Int64 = 0x7fff_ffff_ffff

  static func text(_ number: Int64) -> String {
    let digits = String(UInt64(bitPattern: number), radix: 16)
    return String(repeating: "0", count: max(0, 6 - digits.count)) + digits + suffix
  }

  /// nil if the text is no rev, 0 if it cannot be one of this server's.
  static func number(_ text: String) -> Int64? {
    guard text.utf8.count >= 9, text.utf8.allSatisfy({ (48...57).contains($0) || (97...102).contains($0) }) else {
      return nil
    }
    guard text.hasSuffix(suffix), let number = Int64(text.dropLast(suffix.utf8.count), radix: 16) else { return 0 }
    return number
  }
}
