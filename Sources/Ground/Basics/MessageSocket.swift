internal import CPlatform
internal import POSIX

/// One end of a pair of local sockets that carry whole messages and descriptors. Closed with the last reference.
public final class MessageSocket: Sendable {
  public struct Message: Sendable {
    public let bytes: [UInt8]
    public let files: [OpenFile]
  }

  private let file: OpenFile

  public var descriptor: Int32 { file.descriptor }

  public init(owning descriptor: Int32) { file = OpenFile(owning: descriptor) }

  public static func pair() throws(SystemError) -> (MessageSocket, MessageSocket) {
    var ends: [Int32] = [-1, -1]
    let made = ends.withUnsafeMutableBufferPointer { buffer in
      buffer.baseAddress.map { cp_socket_pair($0) } ?? -EINVAL
    }
    guard made == 0 else { throw SystemError(code: -made) }
    return (MessageSocket(owning: ends[0]), MessageSocket(owning: ends[1]))
  }

  /// Sends at most two files.
  /// - Throws: `EPIPE` or `ECONNRESET` if the other end is closed.
  public func send(_ bytes: [UInt8], files: [OpenFile] = []) throws(SystemError) {
    let sent = bytes.withUnsafeBytes { buffer in
      files.map(\.descriptor).withUnsafeBufferPointer {
        cp_send(file.descriptor, buffer.baseAddress, buffer.count, $0.baseAddress, Int32(clamping: $0.count))
      }
    }
    withExtendedLifetime(files) {}
    guard sent == 0 else { throw SystemError(code: -sent) }
  }

  /// Waits for a message; nil once the other end is closed.
  /// - Throws: `EMSGSIZE` if it is longer than `limit` or has more than two descriptors.
  public func receive(limit: Int) throws(SystemError) -> Message? {
    var descriptors = [Int32](repeating: -1, count: Int(CP_MOST_FILES))
    var got = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: limit) { buffer, filled in
      got = descriptors.withUnsafeMutableBufferPointer {
        cp_receive(file.descriptor, buffer.baseAddress, buffer.count, $0.baseAddress)
      }
      filled = max(0, got)
    }
    let files = descriptors.filter { $0 >= 0 }.map(OpenFile.init(owning:))
    guard got >= 0 else { throw SystemError(code: Int32(clamping: -got)) }
    return got == 0 ? nil : Message(bytes: bytes, files: files)
  }
}
