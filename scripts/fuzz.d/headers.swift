@testable import Backends

/// The lines of a response's head may be any bytes; names and values never hold a control character.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  var reader = HeaderReader()
  for line in bytes.split(separator: 0x0A, omittingEmptySubsequences: false) {
    guard Array(line).withUnsafeBytes({ reader.take($0) }) else { return 0 }
  }
  for field in reader.response?.headers.fields ?? [] {
    guard !field.name.isEmpty, !(field.name + field.value).unicodeScalars.contains(where: { $0.value < 0x20 }) else {
      fatalError("A field holds a control character.")
    }
  }
  return 0
}
