internal import FileStores
internal import Synchronization

/// The bytes of a request's body on their way from a source to libcurl's thread: at most `limit`, and a chunk more.
///
/// One task fills it, one thread empties it. libcurl may go back to an earlier offset: then the source is opened anew,
/// and what an earlier reading still brings is dropped.
final class SendQueue: Sendable {
  /// What there was for libcurl.
  enum Taken {
    case bytes(Int)
    case end
    /// Nothing yet; whoever puts bytes in next is told to say so.
    case wait
    case failed(StoreError)
  }

  /// What the filling task is to do next.
  enum Turn {
    case open(at: UInt64, reading: UInt64)
    case fill
    case over
  }

  private struct State {
    var chunks: [ByteChunk] = []
    var queued = 0
    var reading: UInt64 = 0
    var openAt: UInt64?
    var isEnded = false
    var failure: StoreError?
    var isClosed = false
    var isStarved = false
    var filler: UnsafeContinuation<Void, Never>?

    mutating func turn(_ limit: Int) -> Turn? {
      if isClosed { return .over }
      if let offset = openAt {
        openAt = nil
        return .open(at: offset, reading: reading)
      }
      return !isEnded && queued < limit ? .fill : nil
    }
  }

  private let state: Mutex<State>
  private let whole: [UInt8]?
  private let limit = 1 << 20

  /// A queue that a task fills.
  init() {
    whole = nil
    state = Mutex(State(openAt: 0))
  }

  /// A queue that has all its bytes.
  init(_ bytes: [UInt8]) {
    whole = bytes
    state = Mutex(State(chunks: [bytes[...]], queued: bytes.count, isEnded: true))
  }

  /// Copies out as many bytes as there are and fit.
  func take(into buffer: UnsafeMutableRawBufferPointer) -> Taken {
    let (taken, filler) = state.withLock { state -> (Taken, UnsafeContinuation<Void, Never>?) in
      if let failure = state.failure { return (.failed(failure), nil) }
      var count = 0
      while count < buffer.count, let first = state.chunks.first {
        let part = first.prefix(buffer.count - count)
        part.withUnsafeBytes { bytes in
          UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: bytes)
        }
        count += part.count
        if part.count == first.count {
          state.chunks.removeFirst()
        } else {
          state.chunks[0] = first[part.endIndex...]
        }
      }
      state.queued -= count
      guard count == 0 else { return (.bytes(count), state.queued < limit ? state.filler.take() : nil) }
      if state.isEnded { return (.end, nil) }
      state.isStarved = true
      return (.wait, nil)
    }
    filler?.resume()
    return taken
  }

  /// Goes on from an offset of the body.
  func seek(to offset: UInt64) {
    let filler = state.withLock { state in
      if let whole {
        state.chunks = [whole.dropFirst(Int(clamping: offset))]
        state.queued = state.chunks[0].count
        return UnsafeContinuation<Void, Never>?.none
      }
      state.reading += 1
      state.openAt = offset
      (state.chunks, state.queued, state.isEnded) = ([], 0, false)
      return state.filler.take()
    }
    filler?.resume()
  }

  /// Nothing more will be taken.
  func close() {
    let filler = state.withLock { state in
      state.isClosed = true
      (state.chunks, state.queued) = ([], 0)
      return state.filler.take()
    }
    filler?.resume()
  }

  /// Waits until there is something to do.
  func turn() async -> Turn {
    while true {
      if let turn = state.withLock({ $0.turn(limit) }) { return turn }
      await withUnsafeContinuation { continuation in
        let isReady = state.withLock { state in
          if state.isClosed || state.openAt != nil || (!state.isEnded && state.queued < limit) { return true }
          state.filler = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    }
  }

  /// Puts bytes of a reading in; true when libcurl waits for them.
  func put(_ chunk: ByteChunk, of reading: UInt64) -> Bool {
    change(reading) { state in
      guard !chunk.isEmpty else { return false }
      state.chunks.append(chunk)
      state.queued += chunk.count
      return true
    }
  }

  /// A reading has come to its end; true when libcurl waits for that.
  func end(_ reading: UInt64) -> Bool {
    change(reading) { state in
      state.isEnded = true
      return true
    }
  }

  /// A reading has failed; true when libcurl waits for that.
  func fail(_ error: StoreError, _ reading: UInt64) -> Bool {
    change(reading) { state in
      state.failure = error
      state.isEnded = true
      return true
    }
  }

  private func change(_ reading: UInt64, _ body: (inout State) -> Bool) -> Bool {
    state.withLock { state in
      guard state.reading == reading, !state.isClosed, body(&state), state.isStarved else { return false }
      state.isStarved = false
      return true
    }
  }
}
