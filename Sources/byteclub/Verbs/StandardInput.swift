import FileStores
import Glibc

/// Standard input.
enum StandardInput {
  /// Whether somebody types.
  static var isTerminal: Bool { isatty(0) == 1 }

  /// All of it, to its end. Cancellation ends the waiting within a tenth of a second.
  static func read(_ pool: BlockingPool) async throws(StoreError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      if Task.isCancelled { throw .cancelled("Reading standard input") }
      let piece = await pool.run { nextPiece() }
      switch piece {
      case .success(nil): continue
      case .success(let piece?):
        if piece.isEmpty { return bytes }
        bytes += piece
      case .failure(let error): throw error
      }
    }
  }

  /// What is there; empty at the end, nil when nothing has come for a tenth of a second.
  private static func nextPiece() -> Result<[UInt8]?, StoreError> {
    var wait = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    guard poll(&wait, 1, 100) > 0 else { return .success(nil) }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = Glibc.read(0, &buffer, buffer.count)
    if count >= 0 { return .success(Array(buffer[..<count])) }
    if errno == EINTR || errno == EAGAIN { return .success(nil) }
    return .failure(
      StoreError(.badInput, "Standard input cannot be read: \(SystemError.sentence(errno)).", remedy: "Name a file."))
  }
}
