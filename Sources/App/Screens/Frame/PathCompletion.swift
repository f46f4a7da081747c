import Basics
public import FileStores
internal import Imaging

public enum PathPurpose: Sendable, Hashable {
  case upload
  case download
}

public struct PathCompletion: Sendable, Hashable {
  public struct Choice: Sendable, Hashable {
    /// The whole path, as typed.
    public let path: String
    public let isDirectory: Bool
    public init(path: String, isDirectory: Bool) {
      self.path = path
      self.isDirectory = isDirectory
    }
  }

  public enum Meaning: Sendable, Hashable {
    case nothing
    case folder
    /// One file, several matches of wildcards, or several dropped files.
    case files([String])
  }

  /// Sorted by name; if the text means several files, these.
  public let choices: [Choice]
  /// The longest common prefix; the typed text without choices.
  public let common: String
  /// The reason why nothing could be read, as a sentence.
  public let problem: String?
  public let meaning: Meaning

  public init(choices: [Choice], common: String, problem: String? = nil, meaning: Meaning = .nothing) {
    self.choices = choices
    self.common = common
    self.problem = problem
    self.meaning = meaning
  }

  /// Empty unless the text means several files.
  var several: [String] {
    if case .files(let paths) = meaning, paths.count > 1 { paths } else { [] }
  }
}

/// The member's own files. Runs outside the loop's thread, except `resolve`.
public protocol LocalFiles: Sendable {
  /// Completes with directories and, for uploads, pictures.
  func complete(_ typed: String, for purpose: PathPurpose) async -> PathCompletion
  /// Expands `~` and relative parts.
  func resolve(_ typed: String) -> String
  func folder(_ typed: String) async -> FolderFinding
  /// Also makes the parents.
  func makeFolder(_ path: String) async -> FolderFinding
  /// As typed, for the prompts of later starts.
  func remember(_ folder: String, for purpose: PathPurpose) async throws(StoreError)
  /// With a hash it reads the whole file; without one it compares the size.
  func holds(_ file: String, size: UInt64, contentHash: ContentHash?) async -> Bool
}

public enum FolderFinding: Sendable, Hashable {
  /// The path keeps a typed `~`.
  case isThere(String)
  /// The folder could be made.
  case missing(String)
  /// The reason is a sentence.
  case unusable(String)
}

/// Terminals write dropped files with quotes, with backslashes before spaces, or as `file://` URLs, several separated
/// by spaces.
public enum TypedPaths {
  /// The likelier reading first; each is one path or several. Links, `~` and wildcards stay as they are.
  public static func readings(_ text: String) -> [[String]] {
    guard !text.isEmpty else { return [] }
    let words = TypedWords(text).words.map { path(ofAddress: $0) ?? $0 }
    let plain = [text]
    let isWritten = text.first == "'" || text.first == "\"" || text.hasPrefix("file://")
    let readings = isWritten ? [words, plain] : [plain, words]
    return readings[0] == readings[1] ? [plain] : readings.filter { !$0.isEmpty }
  }

  /// The one path of a picture that a terminal pastes for a dropped file; nil for other texts.
  static func picture(pasted text: String) -> String? {
    let line = text.drop { $0 == " " }
    let isPath = ["/", "~/", "'/", "\"/", "'~/", "\"~/", "file://"].contains { line.hasPrefix($0) }
    var kept = String(line)
    while kept.hasSuffix(" ") { kept.removeLast() }
    guard isPath else { return nil }
    let words = TypedWords(kept).words.map { path(ofAddress: $0) ?? $0 }
    return words.count == 1 && PictureFormat.named(words[0]) != nil ? words[0] : nil
  }

  public static func hasWildcard(_ path: String) -> Bool { path.contains { $0 == "*" || $0 == "?" || $0 == "[" } }

  /// The path of a `file://` URL of this machine; nil for anything else.
  private static func path(ofAddress word: String) -> String? {
    guard word.hasPrefix("file://") else { return nil }
    let rest = word.dropFirst("file://".count)
    guard let start = rest.firstIndex(of: "/") else { return nil }
    var bytes: [UInt8] = []
    var encoded = Array(rest[start...].utf8)[...]
    while let byte = encoded.popFirst() {
      if byte == UInt8(ascii: "%"), let value = PercentEncoding.escaped(encoded) {
        bytes.append(value)
        encoded = encoded.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The work that pictures in an editor ask for.
public enum PictureEffect: Sendable {
  case complete(String)
  /// Look if a pasted text is the path of a picture.
  case look([UInt8])
  case upload(String)
}

public enum PictureAction: Sendable {
  case completed(String, PathCompletion)
  /// The pasted text is the path of a picture of this machine.
  case found(String, pasted: [UInt8])
  /// The member uploads the pasted picture.
  case confirmed(String, pasted: [UInt8])
  /// The upload of a file begins.
  case began(String, local: String)
  /// The club has the file's picture.
  case ready(String, StorePath)
  /// The upload of a file has ended without a picture.
  case ended(String, StoreError?)
}
