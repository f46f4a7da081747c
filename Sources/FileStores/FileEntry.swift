/// A file or folder as its store describes it.
public struct FileEntry: Sendable, Hashable {
  /// The sort of thing at a path.
  public enum Kind: Sendable, Hashable {
    case file
    case folder
    /// A link, device, pipe or socket: named in listings, never opened.
    case other
  }

  /// Its path.
  public let path: StorePath
  /// A file, a folder, or something else.
  public let kind: Kind
  /// Bytes; nil for folders and in listings that are not whole.
  public let size: UInt64?
  /// When the content last changed; nil for folders of some stores and in listings that are not whole.
  public let modified: Timestamp?
  /// The version of the content; nil for folders and in listings that are not whole.
  public let revision: Revision?
  /// The store's own checksum, where known without reading the file.
  public let contentHash: ContentHash?
  /// The member who wrote this version, where the store knows.
  public let member: String?
  /// False for a version in a history whose content the store has lost.
  public let isKept: Bool
  /// Of what a write returns: why the version that it replaced could not be kept. Nil otherwise.
  public private(set) var loss: String?

  /// Makes an entry.
  public init(
    path: StorePath, kind: Kind, size: UInt64? = nil, modified: Timestamp? = nil, revision: Revision? = nil,
    contentHash: ContentHash? = nil, member: String? = nil, isKept: Bool = true
  ) {
    self.path = path
    self.kind = kind
    self.size = size
    self.modified = modified
    self.revision = revision
    self.contentHash = contentHash
    self.member = member
    self.isKept = isKept
  }
}

extension FileEntry {
  /// The same for a write that is done, though the version before could not be kept.
  public func losing(_ error: StoreError) -> FileEntry {
    var entry = self
    entry.loss = error.message
    return entry
  }

  /// What a member is told of a write beyond that it is done, as a sentence after a space; empty when it is nothing.
  public var lossSentence: String { loss.map { " The version before could not be kept: \($0)" } ?? "" }
}

extension Sequence<FileEntry> {
  /// How many bytes files have together; no more than a number holds, whatever a server says.
  public var totalBytes: UInt64 {
    reduce(0) { sum, file in
      let (more, isTooMuch) = sum.addingReportingOverflow(file.size ?? 0)
      return isTooMuch ? .max : more
    }
  }
}

/// One version of a file's content, as the store names it. Only equality means anything.
public struct Revision: Hashable, Sendable, CustomStringConvertible {
  /// The store's word; printable ASCII.
  public let value: String
  /// Wraps the store's word.
  public init(_ value: String) { self.value = value }
  /// The store's word.
  public var description: String { value }
}

/// A point in time, to the nanosecond, as files carry it.
public struct Timestamp: Hashable, Sendable, Comparable {
  /// Since 1970-01-01T00:00:00Z, without leap seconds; negative before.
  public let nanoseconds: Int64
  /// Takes nanoseconds since 1970.
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
  /// Takes whole seconds since 1970 and a rest; what does not fit is clamped.
  public init(seconds: Int64, nanoseconds: Int64 = 0) {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowed) = product.addingReportingOverflow(nanoseconds)
    self.nanoseconds = overflow || overflowed ? (seconds < 0 ? .min : .max) : sum
  }
  /// Whole seconds since 1970, rounded down.
  public var seconds: Int64 { Int64((Double(nanoseconds) / 1e9).rounded(.down)) }
  /// Earlier first.
  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.nanoseconds < right.nanoseconds }
}
