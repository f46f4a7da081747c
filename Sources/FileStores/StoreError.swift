/// What a store could not do: a kind for code, a sentence for people, and what to do next.
public struct StoreError: Error, Sendable, Hashable {
  /// Why, in the words that scripts see in `--json` (`error.kind`).
  public enum Kind: String, Sendable, CaseIterable {
    /// Nothing is there.
    case notFound
    /// What is there is not the revision that was expected.
    case conflict
    /// Something is there already.
    case exists
    /// The store does not know who asks.
    case notSignedIn
    /// The store knows, and says no (permissions, read-only).
    case notPermitted
    /// No room is left (disk or account).
    case quota
    /// Asked too often; see `retryAfter`.
    case rateLimited
    /// The store cannot be reached.
    case offline
    /// The store cannot hold such a name.
    case badName
    /// What was given cannot be used.
    case badInput
    /// Larger than the store takes.
    case tooLarge
    /// The caller's task was cancelled.
    case cancelled
    /// The bytes are not what they should be.
    case corrupt
    /// The store has no such power.
    case unsupported
    /// The store failed.
    case server
  }

  /// For code.
  public let kind: Kind
  /// A whole sentence: what happened, to which thing. Not yet filtered for a terminal.
  public let message: String
  /// A whole sentence: what to do next; empty when there is nothing.
  public let remedy: String
  /// The path concerned, when there is one.
  public let path: StorePath?
  /// How long the store asked to be left alone.
  public let retryAfter: Duration?
  /// With `conflict` and `exists`: what is there now, when the store told.
  public let current: FileEntry?

  /// Makes an error of whole sentences.
  public init(
    _ kind: Kind, _ message: String, remedy: String = "", path: StorePath? = nil, retryAfter: Duration? = nil,
    current: FileEntry? = nil
  ) {
    self.kind = kind
    self.message = message
    self.remedy = remedy
    self.path = path
    self.retryAfter = retryAfter
    self.current = current
  }

  /// True when the same call may succeed later without anything being mended: `offline`, `rateLimited`, `server`.
  public var isTemporary: Bool {
    switch kind {
    case .offline, .rateLimited, .server: true
    default: false
    }
  }

  /// The error of a cancelled task.
  public static func cancelled(_ what: String, path: StorePath? = nil) -> StoreError {
    StoreError(.cancelled, "\(what) was cancelled.", path: path)
  }

  /// The same error, about a path if it was about none.
  public func about(_ path: StorePath) -> StoreError {
    self.path != nil
      ? self
      : StoreError(kind, message, remedy: remedy, path: path, retryAfter: retryAfter, current: current)
  }

  /// The error of bytes that do not have the content hash that was promised.
  public static func damaged(_ path: StorePath) -> StoreError {
    StoreError(.corrupt, "\"\(path)\" was damaged on the way.", remedy: "Try again.", path: path)
  }
}

extension StoreError: CustomStringConvertible {
  /// The message and the remedy.
  public var description: String { remedy.isEmpty ? message : "\(message) \(remedy)" }
}
