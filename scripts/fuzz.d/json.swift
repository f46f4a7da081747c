@testable import JSON

/// Any bytes end with a value or a fault; a value that was written reads as itself.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let value = try? JSONReader.read(bytes) else { return 0 }
  let written = value.encoded
  guard let again = try? JSONReader.read(Array(written.utf8)), again.encoded == written else {
    fatalError("What was written does not read as itself.")
  }
  return 0
}
