@testable import TextUI

/// The decoder of input takes any bytes, in any pieces, and leaves nothing behind once it is flushed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let first = bytes.first else { return 0 }
  var decoder = InputDecoder()
  var rest = bytes[...]
  while !rest.isEmpty {
    let piece = rest.prefix(Int(first) % 17 + 1)
    _ = decoder.decode(piece)
    rest = rest.dropFirst(piece.count)
    if first & 0x80 != 0, decoder.patience != nil { _ = decoder.flush() }
  }
  _ = decoder.flush()
  return 0
}
