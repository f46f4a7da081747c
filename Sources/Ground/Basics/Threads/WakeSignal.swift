internal import CPlatform

/// Wakes a thread that waits for a descriptor. Any thread may send it; one that is sent before the wait ends the wait.
public final class WakeSignal: Sendable {
  private let reading: OpenFile
  private let writing: OpenFile

  public init() throws(SystemError) {
    var ends: [Int32] = [-1, -1]
    let code = ends.withUnsafeMutableBufferPointer { cp_signal_open($0.baseAddress) }
    guard code == 0 else { throw SystemError(code: -code) }
    (reading, writing) = (OpenFile(owning: ends[0]), OpenFile(owning: ends[1]))
  }

  /// For poll(2): readable from `send` until `clear`.
  public var descriptor: Int32 { reading.descriptor }

  public func send() { cp_signal_send(writing.descriptor) }
  public func clear() { cp_signal_clear(reading.descriptor) }

  public struct Ready: Sendable {
    /// True if the other descriptor can be read, or its other end is closed.
    public let other: Bool
    public let signal: Bool

    public init(other: Bool, signal: Bool) { (self.other, self.signal) = (other, signal) }
  }

  /// Waits until the other descriptor can be read, the signal is sent, or the time is over.
  /// - Parameters:
  ///   - other: a negative one is never ready.
  ///   - milliseconds: nil to wait without a limit.
  public func wait(or other: Int32, milliseconds: Int?) -> Ready {
    let ready = cp_wait(other, descriptor, milliseconds.map { Int32(clamping: max(0, $0)) } ?? -1)
    return Ready(other: ready & 1 != 0, signal: ready & 2 != 0)
  }

  public func wait(or socket: MessageSocket, milliseconds: Int) -> Ready {
    wait(or: socket.descriptor, milliseconds: milliseconds)
  }
}
