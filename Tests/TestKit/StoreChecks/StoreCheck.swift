public import FileStores

/// One promise of the store contract, and how to see whether a store keeps it.
public struct StoreCheck: Sendable, CustomStringConvertible {
  /// The promise, as a sentence.
  public let name: String
  /// Throws when the promise is broken. The store is empty at the start.
  public let run: @Sendable (StoreUnderTest) async throws -> Void

  init(_ name: String, _ run: @escaping @Sendable (StoreUnderTest) async throws -> Void) {
    self.name = name
    self.run = run
  }

  /// The name.
  public var description: String { name }
}

/// What a check works on.
public struct StoreUnderTest: Sendable {
  /// The store.
  public let store: any FileStore
  /// A second way to the same files: another process's, as it were.
  public let other: any FileStore

  /// Makes one; without `other`, the store itself is the other, too.
  public init(_ store: any FileStore, other: (any FileStore)? = nil) {
    self.store = store
    self.other = other ?? store
  }
}

/// A broken promise.
public struct BrokenPromise: Error, CustomStringConvertible {
  /// What was seen.
  public let description: String
}

/// The shared list of checks, which every backend runs.
public enum StoreChecks {
  /// All of them.
  public static let all: [StoreCheck] =
    listing + reading + writing + sources + conditions + names + moving + deleting + trash + uploads + changes
    + cancelling + revisions + search + thumbnails + batches + folderReading
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

/// Expects an error of a kind, with a sentence that ends with a full stop; returns it.
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
