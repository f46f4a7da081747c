internal import POSIX

public struct FileEntry: Sendable, Hashable {
  public enum Kind: Sendable, Hashable {
    case file
    case folder
    /// A link, device, pipe or socket: named in listings, never opened.
    case other
  }

  public let path: StorePath
  public let kind: Kind
  /// In bytes; nil for folders and in listings that are not whole.
  public let size: UInt64?
  /// The time of the last change of the content; nil for folders of some stores and in listings that are not whole.
  public let modified: Timestamp?
  /// The version of the content; nil for folders and in listings that are not whole.
  public let revision: Revision?
  /// The store's checksum, if known without reading the file.
  public let contentHash: ContentHash?
  /// The member who wrote this version, if the store knows.
  public let member: String?
  /// False for a version without content, because the store could not keep it.
  public let isKept: Bool
  /// The file's own time where `modified` is that of the write. A listing may leave it out.
  public package(set) var ownTime: Timestamp?
  /// After a write: the reason why the replaced version could not be kept.
  public private(set) var loss: String?

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
  /// The entry after a write whose previous version could not be kept.
  public func losing(_ error: StoreError) -> FileEntry {
    var entry = self
    entry.loss = error.message
    return entry
  }

  /// The loss as a sentence after a space, for a message about the write; empty without a loss.
  public var lossSentence: String { loss.map { " The version before could not be kept: \($0)" } ?? "" }
}

extension FileEntry {
  package var withoutOwnTime: FileEntry {
    var entry = self
    entry.ownTime = nil
    return entry
  }

  /// False if the size or the content hash shows that the file has other bytes.
  package func fits(_ bytes: [UInt8]) -> Bool {
    (size.map { $0 == UInt64(bytes.count) } ?? true) && (contentHash.map { $0 == ContentHash(of: bytes) } ?? true)
  }

  /// The last check of a write, whatever the store has compared itself.
  /// - Throws: `corrupt` unless the store has as many bytes as were sent.
  func checkSize(_ sent: UInt64) throws(StoreError) {
    guard let size, size != sent else { return }
    throw .notWhole(self, "The store", sent: sent)
  }
}

extension Sequence<FileEntry> {
  /// The sum of the sizes, at most `UInt64.max`, whatever a server says.
  public var totalBytes: UInt64 {
    reduce(0) { sum, file in
      let (more, isTooMuch) = sum.addingReportingOverflow(file.size ?? 0)
      return isTooMuch ? .max : more
    }
  }
}

/// The store's name of one version of a file's content. Only equality means anything.
public struct Revision: Hashable, Sendable, CustomStringConvertible {
  /// Printable ASCII.
  public let value: String
  public init(_ value: String) { self.value = value }
  public var description: String { value }
}

public struct Timestamp: Hashable, Sendable, Comparable {
  /// Since 1970-01-01T00:00:00Z, without leap seconds; negative before.
  public let nanoseconds: Int64
  public init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }
  /// Seconds since 1970 and a rest, clamped to the range.
  public init(seconds: Int64, nanoseconds: Int64 = 0) {
    let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, overflowed) = product.addingReportingOverflow(nanoseconds)
    self.nanoseconds = overflow || overflowed ? (seconds < 0 ? .min : .max) : sum
  }
  /// Since 1970, rounded down.
  public var seconds: Int64 { Int64((Double(nanoseconds) / 1e9).rounded(.down)) }
  /// Whole seconds, rounded down, and the nanoseconds after them.
  package var parts: (seconds: Int64, nanoseconds: Int64) {
    let (seconds, rest) = nanoseconds.quotientAndRemainder(dividingBy: 1_000_000_000)
    return rest < 0 ? (seconds - 1, rest + 1_000_000_000) : (seconds, rest)
  }
  public static func < (left: Timestamp, right: Timestamp) -> Bool { left.nanoseconds < right.nanoseconds }

  /// Clamped to the range.
  public func adding(_ time: Duration) -> Timestamp {
    let (seconds, attoseconds) = time.components
    let rest = Timestamp(seconds: seconds, nanoseconds: attoseconds / 1_000_000_000)
    let (sum, overflowed) = nanoseconds.addingReportingOverflow(rest.nanoseconds)
    return Timestamp(nanoseconds: overflowed ? (rest.nanoseconds < 0 ? .min : .max) : sum)
  }
}

extension Timestamp {
  /// Seconds of this machine's local time from UTC at that moment; 0 if unknown.
  public var localOffset: Int {
    var (moment, parts) = (time_t(seconds), tm())
    return localtime_r(&moment, &parts) == nil ? 0 : parts.tm_gmtoff
  }

  public static func now() -> Timestamp {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Timestamp(seconds: Int64(time.tv_sec), nanoseconds: Int64(time.tv_nsec))
  }
}
