import Basics
import CPlatform
import FileStores
import POSIX

/// Starts `byteclub transfer run` in its own session, away from terminal and working directory. It inherits this
/// process's variables, which no longer hold the access token.
enum BackgroundProcess {
  /// The process reports its state on standard output, then closes that.
  enum Word: String {
    case owner
    /// Another process carries them out.
    case client
    case failed
  }

  private static let patienceMilliseconds: Int32 = 40_000

  /// Blocks until the process reports.
  /// - Throws: the reason if it fails.
  static func start(config: String?) throws(StoreError) -> Word {
    var ends: [Int32] = [-1, -1]
    let piped = ends.withUnsafeMutableBufferPointer { buffer -> Int32 in
      guard let base = buffer.baseAddress else { return -EINVAL }
      return cp_pipe(base)
    }
    guard piped == 0 else { throw failure(SystemError.text(-piped)) }
    defer { close(ends[0]) }
    var words = ["byteclub", "transfer", "run", "--detached"]
    if let config { words += ["--config", config] }
    let program = ProgramStart(
      ProgramStart.itself, words, streams: (.nothing, .descriptor(ends[1]), .nothing), group: .session)
    do throws(ProgramStart.Failure) {
      defer { close(ends[1]) }
      _ = try program.start()
    } catch {
      throw failure(SystemError.text(error.code))
    }
    let said = line(ends[0])
    let parts = said.split(separator: " ", maxSplits: 1).map(String.init)
    guard let word = parts.first.flatMap(Word.init(rawValue:)) else {
      throw failure("it ended without an answer, see the log")
    }
    guard word != .failed else { throw StoreError(.server, parts.count > 1 ? parts[1] : "It could not start.") }
    return word
  }

  private static func line(_ descriptor: Int32) -> String {
    var text: [UInt8] = []
    var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    while !text.contains(0x0A) {
      let ready = poll(&wait, 1, patienceMilliseconds)
      if ready < 0, errno == EINTR { continue }
      guard ready > 0 else { break }
      var piece = [UInt8](repeating: 0, count: 4096)
      let count = read(descriptor, &piece, piece.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      text += piece[..<count]
    }
    return String(decoding: text.prefix { $0 != 0x0A }, as: UTF8.self)
  }

  private static func failure(_ why: String) -> StoreError {
    StoreError(
      .server, "The background process did not start: \(why).",
      remedy: "Wait for the transfers here, or pause them.")
  }
}
