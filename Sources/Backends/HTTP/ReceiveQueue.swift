internal import FileStores
internal import Synchronization

/// The bytes of an answer on their way from libcurl's thread to the task that asked: at most `limit`, and what one
/// callback brings.
final class ReceiveQueue: Sendable {
  /// What the task finds.
  enum Event {
    /// Bytes; with `resume`, libcurl was stopped and should be told to go on.
    case chunk(HTTPResponse, [UInt8], resume: Bool)
    case end(Result<HTTPResponse, StoreError>)
  }

  /// What became of bytes that came.
  enum Offer {
    case taken
    /// Taken, and the task was woken for much.
    case told
    /// There are too many already: libcurl has to wait.
    case refused
  }

  private struct State {
    /// Pieces for the task, and the one that is still growing.
    var pieces: [[UInt8]] = []
    var growing: [UInt8] = []
    /// Large pieces that the task was given, the oldest first, for their memory: once all others have let go of one, it
    /// serves again.
    var given: [[UInt8]] = []
    /// Whether bytes came before.
    var hasMany = false
    var queued = 0
    var response: HTTPResponse?
    var result: Result<HTTPResponse, StoreError>?
    var isStopped = false
    var waiter: UnsafeContinuation<Void, Never>?

    var isReady: Bool { !pieces.isEmpty || result != nil }

    mutating func closePiece() {
      if !growing.isEmpty { pieces.append(growing) }
      growing = []
    }

    /// Makes room for a large piece. Memory fresh from the kernel for each would cost as much as the copying.
    mutating func makeRoom(_ size: Int) {
      guard growing.capacity < size else { return }
      guard given.count > ReceiveQueue.held else { return growing.reserveCapacity(size) }
      var piece = given.removeFirst()
      // Fresh memory, when somebody still has these bytes.
      piece.removeAll(keepingCapacity: true)
      piece += growing
      growing = piece
    }
  }

  private let state = Mutex(State())
  private let limit = 3 << 20
  /// libcurl hands out at most 16 KiB at a time. They are put together up to this size.
  private let pieceSize = 256 << 10
  /// What the task is woken for while more comes: waking costs more than copying.
  private let worthWaking = 2 << 20
  /// Pieces that whoever takes their hash, or writes them, may still have. More memory in turn is less in the caches.
  private static let held = 2
  /// Pieces that are remembered for their memory: those, and those that wait here, which may come and go all at once.
  private static let kept = 14

  /// Takes bytes of the body. The task hears of them when there are many, or at `flush`.
  func offer(_ bytes: UnsafeRawBufferPointer, of response: HTTPResponse) -> Offer {
    let (offer, waiter) = state.withLock { state -> (Offer, UnsafeContinuation<Void, Never>?) in
      guard state.queued < limit else {
        state.isStopped = true
        return (.refused, nil)
      }
      if state.response == nil { state.response = response }
      state.queued += bytes.count
      if state.growing.count + bytes.count > pieceSize { state.closePiece() }
      // What is not the first is unlikely to be the last.
      if state.hasMany { state.makeRoom(pieceSize) }
      state.hasMany = true
      state.growing.append(contentsOf: bytes)
      let waiter = state.queued >= worthWaking && state.isReady ? state.waiter.take() : nil
      return (waiter == nil ? .taken : .told, waiter)
    }
    waiter?.resume()
    return offer
  }

  /// Nothing more comes for the moment.
  func flush() {
    let waiter = state.withLock { state in
      state.closePiece()
      return state.isReady ? state.waiter.take() : nil
    }
    waiter?.resume()
  }

  /// Nothing more will come.
  func finish(_ result: Result<HTTPResponse, StoreError>) {
    let waiter = state.withLock { state in
      if state.result == nil { state.result = result }
      state.closePiece()
      // Of a call that failed nobody wants the rest.
      if case .failure = result { state.pieces = [] }
      return state.waiter.take()
    }
    waiter?.resume()
  }

  /// Waits for the next event; `end` is the last.
  func next() async -> Event {
    while true {
      if let event = state.withLock({ event(&$0) }) { return event }
      await withUnsafeContinuation { continuation in
        let isReady = state.withLock { state in
          if !state.isReady { state.waiter = continuation }
          return state.isReady
        }
        if isReady { continuation.resume() }
      }
    }
  }

  /// Waits for the end alone.
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
