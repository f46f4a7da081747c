internal import FileStores

/// Checks the length of a source before its last bytes, so that a wrong one ends the request unfinished.
struct LengthCheckedSource: ByteSource {
  private let base: any ByteSource
  private let declared: UInt64
  private let path: StorePath

  init(_ base: any ByteSource, size: UInt64, for path: StorePath) {
    (self.base, declared, self.path) = (base, size, path)
  }

  var size: UInt64? { declared }
  func delivered(_ count: UInt64) { base.delivered(count) }

  func open(at offset: UInt64) async throws(StoreError) -> any ByteReading { try await reading(at: offset) }

  func reading(at offset: UInt64) async throws(StoreError) -> Reading {
    Reading(base: try await base.open(at: offset), total: offset, declared: declared, path: path)
  }

  struct Reading: ByteReading {
    fileprivate var base: any ByteReading
    fileprivate var total: UInt64
    fileprivate let declared: UInt64
    fileprivate let path: StorePath
    /// One chunk is held back until the next is known, because the last one needs the check.
    private var held: ByteChunk?
    private var isAtEnd = false

    fileprivate init(base: any ByteReading, total: UInt64, declared: UInt64, path: StorePath) {
      (self.base, self.total, self.declared, self.path) = (base, total, declared, path)
    }

    /// True once the last chunk was handed out.
    var isWhole: Bool { isAtEnd && held == nil }

    mutating func next() async throws(StoreError) -> ByteChunk? {
      if held == nil { held = try await pull() }
      guard let chunk = held else { return nil }
      held = try await pull()
      return chunk
    }

    private mutating func pull() async throws(StoreError) -> ByteChunk? {
      guard !isAtEnd else { return nil }
      guard let chunk = try await base.next() else {
        if total != declared { throw .wrongLength(path, declared: declared, given: total) }
        isAtEnd = true
        return nil
      }
      if Task.isCancelled { throw .cancelled("The writing of \"\(path)\"", path: path) }
      total += UInt64(chunk.count)
      if total > declared { throw .wrongLength(path, declared: declared, given: nil) }
      return chunk
    }
  }
}
