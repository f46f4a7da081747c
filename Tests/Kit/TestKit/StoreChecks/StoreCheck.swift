public import FileStores

/// One promise of the store contract, with a check.
public struct StoreCheck: Sendable, CustomStringConvertible {
  /// The promise, as a sentence.
  public let name: String
  /// Throws if the promise is broken. The store is empty at the start.
  public let run: @Sendable (StoreUnderTest) async throws -> Void

  init(_ name: String, _ run: @escaping @Sendable (StoreUnderTest) async throws -> Void) {
    self.name = name
    self.run = run
  }

  public var description: String { name }
}

public struct StoreUnderTest: Sendable {
  public let store: any FileStore
  /// A second connection to the same files, like another process's.
  public let other: any FileStore
  /// The names that entries carry after a write through `store` and through another member's store of the same files;
  /// nil to leave that unchecked.
  let writers: (own: String, other: String, others: any FileStore)?
  /// False for a server that removes a file before it moves a new one into its place, as RFC 4918, 9.9.3 describes: a
  /// reader may find none between the two.
  let replacesAtOnce: Bool

  /// Without `other`, the store itself takes that part.
  public init(
    _ store: any FileStore, other: (any FileStore)? = nil,
    writers: (own: String, other: String, others: any FileStore)? = nil, replacesAtOnce: Bool = true
  ) {
    self.store = store
    (self.writers, self.replacesAtOnce) = (writers, replacesAtOnce)
    self.other = other ?? store
  }
}

public struct BrokenPromise: Error, CustomStringConvertible {
  /// The observation that broke it.
  public let description: String
}

/// The checks that every backend runs.
public enum StoreChecks {
  public static let all: [StoreCheck] =
    listing + reading + writing + sources + conditions + names + moving + deleting + trash + uploads + changes
    + cancelling + revisions + search + thumbnails + batches + folderReading + links + capabilities
    + writers + presence
}

func expect(
  _ condition: Bool, _ what: @autoclosure () -> String, line: Int = #line, file: String = #fileID
) throws {
  if !condition { throw BrokenPromise(description: "\(what()) (\(file):\(line))") }
}

func expectEqual<Value: Equatable>(
  _ got: Value, _ wanted: Value, line: Int = #line, file: String = #fileID
) throws {
  if got != wanted { throw BrokenPromise(description: "got \(got), not \(wanted) (\(file):\(line))") }
}

func unwrap<Value>(_ value: Value?, _ what: String, line: Int = #line, file: String = #fileID) throws -> Value {
  guard let value else { throw BrokenPromise(description: "\(what) (\(file):\(line))") }
  return value
}

/// Expects an error of a kind, whose message ends with a full stop; returns it.
@discardableResult
func expectError(
  _ kind: StoreError.Kind, _ kinds: StoreError.Kind..., line: Int = #line, file: String = #fileID,
  _ body: () async throws -> Void
) async throws -> StoreError {
  do {
    try await body()
  } catch let error as StoreError {
    try expect(
      error.kind == kind || kinds.contains(error.kind), "expected \(kind), got \(error.kind): \(error)", line: line,
      file: file)
    try expect(error.message.hasSuffix("."), "not a sentence: \(error.message)", line: line, file: file)
    return error
  }
  throw BrokenPromise(description: "expected \(kind), but nothing was thrown (\(file):\(line))")
}
