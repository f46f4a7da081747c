internal import CZlib

/// A deflate stream (RFC 1951), unpacked piece by piece.
final class Inflater {
  private let stream: OpaquePointer
  private(set) var taken: UInt64 = 0
  private(set) var made: UInt64 = 0
  private(set) var hasEnded = false

  init() throws(ZipFault) {
    guard let stream = cz_inflate_new() else { throw .broken }
    self.stream = stream
  }

  deinit { cz_inflate_free(stream) }

  /// Unpacks at most `room` bytes and removes the bytes used.
  func run(_ bytes: inout ArraySlice<UInt8>, room: Int) throws(ZipFault) -> [UInt8] {
    var (used, filled) = (0, 0)
    var code = Int32(CZ_BROKEN)
    let out = [UInt8](unsafeUninitializedCapacity: room) { target, count in
      code = bytes.withUnsafeBufferPointer { source in
        cz_inflate_run(stream, source.baseAddress, source.count, target.baseAddress, target.count, &used, &filled)
      }
      count = filled
    }
    guard code != Int32(CZ_BROKEN) else { throw .broken }
    bytes = bytes.dropFirst(used)
    taken += UInt64(used)
    made += UInt64(filled)
    hasEnded = code == Int32(CZ_END)
    return out
  }
}
