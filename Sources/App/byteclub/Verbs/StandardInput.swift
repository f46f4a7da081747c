import ArgumentParser
import Basics
import ClubServices
import FileStores
import POSIX
import TextUI
import Transfers

enum StandardInput {
  static var isTerminal: Bool { isatty(0) == 1 }
  /// True if this process was started without it (`<&-`): it then leads to a place that cannot be read.
  static var isClosed: Bool { fcntl(0, F_GETFL) & O_ACCMODE == O_WRONLY }

  /// For verbs that are about to read it: a closed one is wrong usage.
  static func checkOpen() throws {
    if isClosed { throw ValidationError("Standard input is closed. Name a file, or send a text through a pipe.") }
  }

  /// Cancellation ends the wait within a tenth of a second.
  /// - Throws: `tooLarge` for more than `limit` bytes; `badInput`; `cancelled`.
  static func read(_ pool: BlockingPool, limit: Int) async throws(StoreError) -> [UInt8] {
    var bytes: [UInt8] = []
    while true {
      if Task.isCancelled { throw .cancelled("Reading standard input") }
      let piece = await pool.run { nextPiece() }
      switch piece {
      case .success(nil): continue
      case .success(let piece?):
        if piece.isEmpty { return bytes }
        bytes += piece
        guard bytes.count <= limit else {
          throw StoreError(
            .tooLarge, "Standard input has more than \(ByteCount.text(limit)).", remedy: "Send less at once.")
        }
      case .failure(let error): throw error
      }
    }
  }

  /// Empty at the end, nil if nothing comes for a tenth of a second.
  private static func nextPiece() -> Result<[UInt8]?, StoreError> {
    var wait = pollfd(fd: 0, events: Int16(POLLIN), revents: 0)
    guard poll(&wait, 1, 100) > 0 else { return .success(nil) }
    var buffer = [UInt8](repeating: 0, count: 65_536)
    let count = POSIX.read(0, &buffer, buffer.count)
    if count >= 0 { return .success(Array(buffer[..<count])) }
    if errno == EINTR || errno == EAGAIN { return .success(nil) }
    return .failure(unreadable(errno))
  }

  private static func unreadable(_ code: Int32) -> StoreError {
    let why = code == EBADF && isClosed ? "is closed" : "cannot be read: \(SystemError.text(code))"
    return StoreError(.badInput, "Standard input \(why).", remedy: "Name a file, or send it through a pipe.")
  }
}

/// A question that a member answers with y, or with anything else for no.
enum Agreement {
  static func canAsk(asJSON: Bool) -> Bool { !asJSON && StandardInput.isTerminal && isatty(STDERR_FILENO) == 1 }

  static func ask(_ question: String, _ output: Output, _ pool: BlockingPool) async throws(StoreError) -> Bool {
    output.notice("\(question) [y/N]", isNeeded: true)
    let answer = try await StandardInput.readLine(pool) ?? ""
    return ["y", "yes"].contains(answer.lowercased())
  }
}

extension StandardInput {
  /// nil at the end of the input. Reads nothing beyond the line; cancellation ends the wait within a tenth of a second.
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
      case .failed(let code): throw unreadable(code)
      }
    }
  }

  /// Asks on a terminal for a line that is not shown; from a pipe, as `readLine`. The question is printed when typed text
  /// is neither shown nor dropped any more.
  static func readSecret(
    _ question: String, _ output: Output, _ pool: BlockingPool
  ) async throws(StoreError) -> String? {
    var settings = termios()
    let isShown = isTerminal && tcgetattr(0, &settings) == 0
    if isShown {
      var silent = settings
      silent.c_lflag &= ~tcflag_t(ECHO)
      tcsetattr(0, TCSAFLUSH, &silent)
    }
    defer { if isShown { tcsetattr(0, TCSAFLUSH, &settings) } }
    if output.noticesAreShown { output.ask(question) }
    let line = try await readLine(pool)
    if output.noticesAreShown, isShown { output.notice("") }
    return line
  }

  private enum Next: Sendable {
    case nothingYet, byte(UInt8), end
    case failed(Int32)
  }

  private static func nextByte(_ descriptor: Int32) -> Next {
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&wait, 1, 100) > 0 else { return .nothingYet }
    var byte: UInt8 = 0
    let count = POSIX.read(descriptor, &byte, 1)
    if count > 0 { return .byte(byte) }
    if count == 0 { return .end }
    return errno == EINTR || errno == EAGAIN ? .nothingYet : .failed(errno)
  }
}

enum TextInput {
  /// The text of a file, or of standard input for `-`: that of a pipe has been read; a terminal shows how to end it.
  /// - Throws: `notFound`, `notPermitted`, `badInput`; `cancelled`.
  static func read(_ file: String, _ session: Session) async throws(StoreError) -> [UInt8] {
    guard file == "-" else {
      var reading = try await FileSource(path: file, pool: session.setup.pool).open(at: 0)
      var bytes: [UInt8] = []
      while let chunk = try await reading.next() { bytes += chunk }
      return bytes
    }
    if let input = session.input { return input }
    return try await standard(session.setup.pool, session.notice)
  }

  /// The text of standard input.
  /// - Throws: `badInput`; `cancelled`.
  static func standard(_ pool: BlockingPool, _ notice: (String) -> Void) async throws(StoreError) -> [UInt8] {
    if StandardInput.isTerminal { notice("Type the note. Ctrl-D at the beginning of a line ends it.") }
    return try await StandardInput.read(pool, limit: NotesService.mostNoteBytes)
  }
}
