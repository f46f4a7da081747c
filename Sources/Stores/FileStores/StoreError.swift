public import Basics
internal import POSIX

/// The error of a store: a kind for code, a sentence for people, and a remedy.
public struct StoreError: Error, Sendable, Hashable {
  /// The reason, as scripts see it in `--json` (`error.kind`).
  public enum Kind: String, Sendable, CaseIterable {
    case notFound
    /// Another revision than the expected one is there.
    case conflict
    case exists
    case notSignedIn
    /// Also: the store is read-only.
    case notPermitted
    case quota
    /// Too many requests; see `retryAfter`.
    case rateLimited
    case offline
    case badName
    case badInput
    case tooLarge
    case cancelled
    case corrupt
    case unsupported
    case server
  }

  public let kind: Kind
  /// A whole sentence: the event, and the thing that it is about. Not yet filtered for a terminal.
  public let message: String
  /// A whole sentence: the member's next step; may be empty.
  public let remedy: String
  public let path: StorePath?
  /// The time to wait before the next request, if the store asked for one.
  public let retryAfter: Duration?
  /// With `conflict` and `exists`: the current entry, if the store returned it.
  public let current: FileEntry?
  /// True if the answer contradicts the server's protocol or its earlier answer. The same wrong answer again and again
  /// is not a temporary error.
  public let isWrongAnswer: Bool
  /// The time limit that has passed without an answer. Each further try would take as long.
  package private(set) var silence: Duration?

  public init(
    _ kind: Kind, _ message: String, remedy: String = "", path: StorePath? = nil, retryAfter: Duration? = nil,
    current: FileEntry? = nil, isWrongAnswer: Bool = false
  ) {
    self.kind = kind
    // A sentence about a path has no name for the club's folder, and the middle of a long path left out.
    self.message =
      path?.isRoot != true
      ? path?.cut.map { message.replacing("\"\($0.whole)\"", with: "\"\($0.shown)\"") } ?? message
      : message.hasPrefix("\"\" ")
        ? "The club's folder \(message.dropFirst(3))" : message.replacing("\"\"", with: "the club's folder")
    self.remedy = remedy
    self.path = path
    self.retryAfter = retryAfter
    self.current = current
    self.isWrongAnswer = isWrongAnswer
  }

  /// True if the same call may succeed later: `offline`, `rateLimited`, `server`.
  public var isTemporary: Bool {
    switch kind {
    case .offline, .rateLimited, .server: true
    default: false
    }
  }

  public static func cancelled(_ what: String, path: StorePath? = nil) -> StoreError {
    StoreError(.cancelled, "\(what) was cancelled.", path: path)
  }

  public func about(_ path: StorePath) -> StoreError {
    guard self.path == nil else { return self }
    var error = StoreError(
      kind, message, remedy: remedy, path: path, retryAfter: retryAfter, current: current,
      isWrongAnswer: isWrongAnswer)
    error.silence = silence
    return error
  }

  package func ofSilence(_ time: Duration) -> StoreError {
    var error = self
    error.silence = time
    return error
  }

  /// The error of bytes without the promised content hash.
  public static func damaged(_ path: StorePath) -> StoreError {
    StoreError(.corrupt, "\"\(path)\" was damaged on the way.", remedy: "Try again.", path: path)
  }

  /// The error of a write that the store confirmed, although it has another number of bytes than were sent.
  package static func notWhole(_ entry: FileEntry, _ store: String, sent: UInt64) -> StoreError {
    StoreError(
      .corrupt, "\(store) has \(entry.size ?? 0) bytes at \"\(entry.path)\", not the \(sent) sent.",
      remedy: "Check the file, then save it again.", path: entry.path, current: entry)
  }
}

extension StoreError: CustomStringConvertible {
  public var description: String { remedy.isEmpty ? message : "\(message) \(remedy)" }
}

extension StoreError {
  /// The error of a system call that failed with `code` (`errno`): "\"PATH\" could not be VERB: REASON." `other` is the
  /// kind for a code without its own kind.
  package static func system(
    _ code: Int32, _ verb: String, _ path: String, other: Kind = .server
  ) -> StoreError {
    let message = "\"\(path)\" could not be \(verb): \(SystemError.text(code))."
    return switch code {
    case ENOSPC, EDQUOT: StoreError(.quota, message, remedy: "Free some space on that disk, then try again.")
    case EACCES, EPERM, EROFS:
      StoreError(.notPermitted, message, remedy: "Check its permissions, then try again.")
    case ENAMETOOLONG: StoreError(.badName, message, remedy: "Choose a shorter name.")
    default: StoreError(other, message, remedy: "Check that file, then try again.")
    }
  }
}

extension ExitStatus {
  public init(_ kind: StoreError.Kind) {
    self =
      switch kind {
      case .notFound: .notFound
      case .conflict, .exists: .conflict
      case .notSignedIn: .notSignedIn
      case .notPermitted, .quota: .refused
      case .rateLimited, .offline: .temporary
      case .badName, .badInput, .tooLarge, .corrupt, .unsupported, .server: .failed
      case .cancelled: .interrupted
      }
  }
}
