@testable import Zip

/// An archive of any bytes, which comes in pieces, ends with its parts or a fault.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if let seeds = seedFolder() { return write(archive(), to: seeds + "/stored") }
  var reader = ZipReader(sizeOfStored: { name in name.count % 2 == 0 ? UInt64(name.count) : nil })
  var rest = bytes[...]
  var unpacked = 0
  do {
    while !reader.isOver {
      while let part = try reader.next() {
        if case .bytes(let some) = part { unpacked += some.count }
        if unpacked > 64 << 20 { return 0 }
      }
      guard !rest.isEmpty else { return 0 }
      reader.add(rest.prefix(1000))
      rest = rest.dropFirst(1000)
    }
  } catch {
    return 0
  }
  return 0
}

private func archive() -> [UInt8] {
  // One stored file, "a", with the content "b" (PKWARE, APPNOTE.TXT 6.3.10, section 4.3.7).
  [
    0x50, 0x4B, 3, 4, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xF9, 0xEF, 0xBE, 0x71, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0x61,
    0x62,
  ]
}
