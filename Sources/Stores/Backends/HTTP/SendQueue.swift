internal import Basics
internal import FileStores
internal import Synchronization

/// The bytes of a request's body on their way from a source to libcurl's thread: at most `limit` plus one chunk. One
/// task fills it, one thread empties it. If libcurl seeks back, the source is opened again, and chunks of the earlier
/// reading are dropped.
final class SendQueue: Sendable {
  enum Taken {
    case bytes(Int)
    case end
    /// The next `put` reports that libcurl waits.
    case wait
    case failed(StoreError)
  }

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
    var filler: PendingAnswer<Void>?

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

  init() {
    whole = nil
    state = Mutex(State(openAt: 0))
  }

  init(_ bytes: [UInt8]) {
    whole = bytes
    state = Mutex(State(chunks: [bytes[...]], queued: bytes.count, isEnded: true))
  }

  func take(into buffer: UnsafeMutableRawBufferPointer) -> Taken {
    let (taken, filler) = state.withLock { state -> (Taken, PendingAnswer<Void>?) in
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
    filler?.give(())
    return taken
  }

  func seek(to offset: UInt64) {
    let filler = state.withLock { state in
      if let whole {
        state.chunks = [whole.dropFirst(Int(clamping: offset))]
        state.queued = state.chunks[0].count
        return PendingAnswer<Void>?.none
      }
      state.reading += 1
      state.openAt = offset
      (state.chunks, state.queued, state.isEnded) = ([], 0, false)
      return state.filler.take()
    }
    filler?.give(())
  }

  func close() {
    let filler = state.withLock { state in
      state.isClosed = true
      (state.chunks, state.queued) = ([], 0)
      return state.filler.take()
    }
    filler?.give(())
  }

  func turn() async -> Turn {
    while true {
      let filler = PendingAnswer<Void>()
      let turn = state.withLock { state in
        let turn = state.turn(limit)
        if turn == nil { state.filler = filler }
        return turn
      }
      if let turn { return turn }
      await filler.valueThoughCancelled()
    }
  }

  /// Adds bytes of a reading. This and the calls below return true if libcurl waits.
  func put(_ chunk: ByteChunk, of reading: UInt64) -> Bool {
    change(reading) { state in
      guard !chunk.isEmpty else { return false }
      state.chunks.append(chunk)
      state.queued += chunk.count
      return true
    }
  }

  func end(_ reading: UInt64) -> Bool {
    change(reading) { state in
      state.isEnded = true
      return true
    }
  }

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
