public import FileStores

/// A test's store that wraps another, the base. It has no capabilities by default.
public protocol StoreAround: StoreWrapper {}

extension StoreAround {
  public var capabilities: Capabilities { Capabilities() }
}

/// A store that tells another time of a file, its own, when it is read: that of second 1,000,000,000.
public struct DatedStore: StoreAround {
  public let base: any FileStore

  public init(base: any FileStore) { self.base = base }

  public func read(
    _ path: StorePath, _ options: ReadOptions, _ receive: (ByteChunk) async throws(StoreError) -> Void
  ) async throws(StoreError) -> FileEntry {
    var entry = try await base.read(path, options, receive)
    entry.ownTime = Timestamp(seconds: 1_000_000_000)
    return entry
  }
}
