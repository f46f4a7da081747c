import FileStores
import Glibc

extension StandardInput {
  /// A line, without its end; nil when there is none. Nothing behind it is read. Cancellation ends the waiting within a
  /// tenth of a second.
  static func readLine(_ pool: BlockingPool, from descriptor: Int32 = 0) async throws(StoreError) -> String? {
    var bytes: [UInt8] = []
    while true {
      if Task.isCancelled { throw .cancelled("Reading standard input") }
      let next = await pool.run { nextByte(descriptor) }
      switch next {
      case .nothingYet: continue
      case .byte(0x0A): return String(decoding: bytes, as: UTF8.self)
      case .byte(let byte):
        bytes.append(byte)
        guard bytes.count <= 16_384 else {
          throw StoreError(.badInput, "The line on standard input is too long.", remedy: "Paste the code alone.")
        }
      case .end: return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self)
      case .failed(let code):
        throw StoreError(.badInput, "Standard input cannot be read: \(SystemError.sentence(code)).")
      }
    }
  }

  private enum Next: Sendable {
    case nothingYet, byte(UInt8), end
    case failed(Int32)
  }

  private static func nextByte(_ descriptor: Int32) -> Next {
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&wait, 1, 100) > 0 else { return .nothingYet }
    var byte: UInt8 = 0
    let count = Glibc.read(descriptor, &byte, 1)
    if count > 0 { return .byte(byte) }
    if count == 0 { return .end }
    return errno == EINTR || errno == EAGAIN ? .nothingYet : .failed(errno)
  }
}
