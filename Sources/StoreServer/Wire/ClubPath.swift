import FileStores

/// How a call names a file or folder.
enum ClubPath: Sendable, Equatable {
  /// By path, from the club's root, with a leading `/`; empty for the root. NFC, no empty, `.` or `..` parts.
  case path(String)
  /// By the server's id, and from there down (with a leading `/`, or empty).
  case id(String, below: String)
  /// By the number of one version of a file.
  case rev(Int64)

  /// What a word may be where it stands.
  struct Forms: OptionSet {
    let rawValue: Int
    static let root = Forms(rawValue: 1)
    static let id = Forms(rawValue: 2)
    static let rev = Forms(rawValue: 4)
    /// More slashes than one at the front, which count as one: clients make such paths of a root and a name to read.
    static let slashes = Forms(rawValue: 8)

    /// What is to be read.
    static let reading: Forms = [.id, .rev, .slashes]
    /// A folder that is to be looked through.
    static let folder: Forms = [.root, .id, .slashes]
  }

  /// Reads a path from a call.
  ///
  /// - Throws: `badArgument` when it is nothing like a path; the route's error `key/malformed_path` when no file can have it.
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
      self = .path(try ClubPath.checked(text, fails))
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

  /// The most characters (code points) of a name. How many bytes a name may have, the store says.
  private static let longestName = 255

  /// The path in NFC, when a file can have it: no part of it is too long, empty, `.` or `..`.
  private static func checked(_ text: String, _ fails: String) throws(APIFailure) -> String {
    let path = Folding.composed(text)
    let parts = path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    let isSound = parts.allSatisfy { part in
      !part.isEmpty && !part.elementsEqual(".".utf8) && !part.elementsEqual("..".utf8)
        && !part.contains { $0 == 0 || $0 == UInt8(ascii: "\\") }
    }
    for part in parts {
      // Each code point has one byte that is none of its later ones.
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
