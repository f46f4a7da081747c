internal import Basics
internal import FileStores
internal import Synchronization

/// The bytes of a response on their way from libcurl's thread to the calling task: at most `limit` plus one callback's.
/// Of its fields only the state changes, a value under one lock; the others are limits.
final class ReceiveQueue: Sendable {
  enum Event {
    /// With `resume`, libcurl is paused and must be resumed.
    case chunk(HTTPResponse, [UInt8], resume: Bool)
    case end(Result<HTTPResponse, StoreError>)
  }

  enum Offer {
    case taken
    case woken
    case refused
  }

  private struct State {
    var pieces: [[UInt8]] = []
    var growing: [UInt8] = []
    /// Large pieces already passed on, oldest first. Their memory is reused once no one else refers to it.
    var given: [[UInt8]] = []
    var hasMany = false
    var queued = 0
    var response: HTTPResponse?
    var result: Result<HTTPResponse, StoreError>?
    var isStopped = false
    var waiter: PendingAnswer<Void>?

    var isReady: Bool { !pieces.isEmpty || result != nil }

    mutating func closePiece() {
      if !growing.isEmpty { pieces.append(growing) }
      growing = []
    }

    /// Makes room for a large piece. Fresh memory from the kernel for each piece would cost as much as the copying.
    mutating func makeRoom(_ size: Int) {
      guard growing.capacity < size else { return }
      guard given.count > ReceiveQueue.held else { return growing.reserveCapacity(size) }
      var piece = given.removeFirst()
      // Allocates new memory if the bytes are still in use elsewhere.
      piece.removeAll(keepingCapacity: true)
      piece += growing
      growing = piece
    }
  }

  private let state = Mutex(State())
  private let limit = 3 << 20
  /// Pieces grow up to this size; libcurl delivers at most 16 KiB at a time.
  private let pieceSize = 256 << 10
  /// The queued bytes at which the task is woken. Waking costs more than copying.
  private let worthWaking = 2 << 20
  /// The pieces that a hasher or writer may still use. Cycling through more memory would waste cache.
  private static let held = 2
  /// The most remembered pieces: those in use, and those that may leave this queue all at once.
  private static let kept = 14

  func offer(_ bytes: UnsafeRawBufferPointer, of response: HTTPResponse) -> Offer {
    let (offer, waiter) = state.withLock { state -> (Offer, PendingAnswer<Void>?) in
      guard state.queued < limit else {
        state.isStopped = true
        return (.refused, nil)
      }
      if state.response == nil { state.response = response }
      state.queued += bytes.count
      if state.growing.count + bytes.count > pieceSize { state.closePiece() }
      // A body that needs a second call is usually long.
      if state.hasMany { state.makeRoom(pieceSize) }
      state.hasMany = true
      state.growing.append(contentsOf: bytes)
      let waiter = state.queued >= worthWaking && state.isReady ? state.waiter.take() : nil
      return (waiter == nil ? .taken : .woken, waiter)
    }
    waiter?.give(())
    return offer
  }

  func flush() {
    let waiter = state.withLock { state in
      state.closePiece()
      return state.isReady ? state.waiter.take() : nil
    }
    waiter?.give(())
  }

  /// What arrived before a failure is still passed on: a download goes on behind it.
  func finish(_ result: Result<HTTPResponse, StoreError>) {
    let waiter = state.withLock { state in
      if state.result == nil { state.result = result }
      state.closePiece()
      return state.waiter.take()
    }
    waiter?.give(())
  }

  func next() async -> Event {
    while true {
      let waiter = PendingAnswer<Void>()
      let next = state.withLock { state in
        let next = event(&state)
        if next == nil { state.waiter = waiter }
        return next
      }
      if let next { return next }
      await waiter.valueThoughCancelled()
    }
  }

  func end() async -> Result<HTTPResponse, StoreError> {
    while true {
      if case .end(let result) = await next() { return result }
    }
  }

  private func event(_ state: inout State) -> Event? {
    guard let response = state.response, !state.pieces.isEmpty else {
      return state.result.map { .end($0) }
    }
    let chunk = state.pieces.removeFirst()
    state.queued -= chunk.count
    if chunk.capacity >= pieceSize, state.given.count < ReceiveQueue.kept { state.given.append(chunk) }
    let resume = state.isStopped && state.queued <= limit / 2
    if resume { state.isStopped = false }
    return .chunk(response, chunk, resume: resume)
  }
}
