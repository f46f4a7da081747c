import Synchronization

/// How the content of an answer is sent.
struct SendPace: Sendable {
  /// The most bytes of one piece.
  let pieceBytes: Int
  /// The most bytes that are read at once; nil leaves it to the store.
  let chunkBytes: Int?
  /// True to read the next chunk while one is sent.
  let readsAhead: Bool

  /// Up to some 3 MiB for a client that takes nothing.
  static let quick = SendPace(pieceBytes: 1 << 20, chunkBytes: nil, readsAhead: true)
  /// 64 KiB for a client that takes nothing: a chunk and its copy in the connection.
  static let small = SendPace(pieceBytes: 32 << 10, chunkBytes: 32 << 10, readsAhead: false)
}

/// Bounds the memory of all answers that are being sent, whatever their clients do: so many are sent at the quick pace,
/// and all others at the small one.
final class SendBudget: Sendable {
  private let most: Int
  private let quick = Mutex(0)

  init(most: Int = 16) { self.most = most }

  func with<Value>(_ body: (SendPace) async throws -> Value) async rethrows -> Value {
    let isQuick = quick.withLock { quick in
      guard quick < most else { return false }
      quick += 1
      return true
    }
    defer { if isQuick { quick.withLock { $0 -= 1 } } }
    return try await body(isQuick ? .quick : .small)
  }
}
