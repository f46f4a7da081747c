internal import Basics

/// How many short files are read at once: fewer as soon as the store asks for fewer requests, and one more after each
/// undisturbed round.
public struct ReadingWidth: Sendable, Hashable {
  /// A client of a network spends nearly all of the time waiting.
  public static let usual = ReadingWidth(most: 16, mostBytes: 16 << 20)

  public let most: Int
  /// The bytes that may be under way. A larger file is read alone.
  public let mostBytes: UInt64
  public private(set) var now: Int
  /// The files read since the last change.
  private var calm = 0

  public init(most: Int, mostBytes: UInt64) {
    (self.most, self.mostBytes, now) = (max(1, most), mostBytes, max(1, most))
  }

  /// Takes the end of a reading. `isHeldUp` if the store has asked for a pause since the one before: the readings under
  /// way then count once, because they met the same refusal.
  public mutating func end(isHeldUp: Bool) {
    calm += 1
    if isHeldUp, calm >= now || now == most {
      (now, calm) = (max(1, now / 2), 0)
    } else if !isHeldUp, calm >= now, now < most {
      (now, calm) = (now + 1, 0)
    }
  }

  /// True if another reading of that size may begin beside `running` ones of `bytes` together.
  func admits(_ size: UInt64, beside running: Int, of bytes: UInt64) -> Bool {
    guard running > 0 else { return true }
    let sum = bytes.addingReportingOverflow(size)
    return running < now && !sum.overflow && sum.partialValue <= mostBytes
  }
}

extension Array where Element: Sendable {
  /// Runs `body` on each element in order, as many at once as `width` admits. The results are in the elements' order; a
  /// failure affects no other element. After a cancellation no further element begins.
  /// - Parameters:
  ///   - size: the bytes that an element takes while it is under way.
  ///   - pauses: the number of pauses that the store has asked for until now.
  public func results<Value: Sendable>(
    within width: ReadingWidth, size: (Element) -> UInt64, pauses: () -> Int = { 0 },
    _ body: @escaping @Sendable (Element) async throws(StoreError) -> Value
  ) async -> [Result<Value, StoreError>] {
    await withTaskGroup(of: (Int, Result<Value, StoreError>).self) { group in
      var width = width
      var results = [Result<Value, StoreError>](repeating: .failure(.cancelled("The work")), count: count)
      var (running, bytes, seen) = (0, UInt64(0), pauses())
      var rest = indices
      while running > 0 || !rest.isEmpty && !Task.isCancelled {
        if let next = rest.first, !Task.isCancelled, width.admits(size(self[next]), beside: running, of: bytes) {
          rest = rest.dropFirst()
          (running, bytes) = (running + 1, bytes + size(self[next]))
          let element = self[next]
          group.addTask { (next, await .catching { () throws(StoreError) in try await body(element) }) }
        } else if let (done, result) = await group.next() {
          results[done] = result
          (running, bytes) = (running - 1, bytes - size(self[done]))
          let asked = pauses()
          width.end(isHeldUp: asked != seen)
          seen = asked
        }
      }
      return results
    }
  }
}
