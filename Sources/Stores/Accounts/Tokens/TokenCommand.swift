import Basics
import FileStores
import POSIX
import Synchronization

struct TokenCommand: Sendable {
  private final class Flag: Sendable {
    let isSet = Atomic(false)
  }

  struct Wanted: Sendable {
    let club: String
    var setting = "tokenCommand"
    var word = "token"
    /// True for all lines of the output, not the first alone.
    var takesAllLines = false
    let accepts: @Sendable (String) -> Bool
  }

  private let words: [String]
  private let limits: ChildProgram.Limits
  private let now: @Sendable () -> ContinuousClock.Instant

  /// `words` are a path, or a name to look up in `PATH`, and arguments.
  init(
    _ words: [String], limits: ChildProgram.Limits = ChildProgram.Limits(),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    (self.words, self.limits, self.now) = (words, limits, now)
  }

  /// The first line of the output.
  /// - Throws: `notSignedIn`, with the standard error; `cancelled`, within 50 ms.
  func token(_ account: Account, on pool: BlockingPool) async throws(StoreError) -> String {
    try await secret(Wanted(club: account.club, accepts: account.accepts), on: pool)
  }

  func secret(_ wanted: Wanted, on pool: BlockingPool) async throws(StoreError) -> String {
    let flag = Flag()
    let program = ChildProgram(words: words, limits: limits, now: now)
    let outcome = await withTaskCancellationHandler {
      await pool.run { program.run { flag.isSet.load(ordering: .relaxed) } }
    } onCancel: {
      flag.isSet.store(true, ordering: .relaxed)
    }
    return try judge(outcome, wanted)
  }

  private func judge(_ outcome: ChildProgram.Outcome, _ wanted: Wanted) throws(StoreError) -> String {
    switch outcome {
    case .cancelled: throw .cancelled("The \"\(wanted.setting)\" of the club \"\(wanted.club)\"")
    case .didNotStart(let code): throw failed("did not start: \(SystemError.text(code))", "", wanted)
    case .tookTooLong(let notices):
      throw failed("did not finish within \(limits.time.components.seconds) seconds", notices, wanted)
    case .printedTooMuch:
      throw failed("printed more than \(limits.outputBytes) bytes, which is not a \(wanted.word)", "", wanted)
    case .ended(let status, let output, let notices):
      let line = wanted.takesAllLines ? output[...] : output.prefix { $0 != 0x0A }
      let text = String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
      let notice = TokenText.safe(notices, without: [text])
      guard status == 0 else { throw failed("ended with status \(status)", notice, wanted) }
      guard !text.isEmpty else { throw failed("printed nothing", notice, wanted) }
      // The output may be another secret: the message omits it.
      guard wanted.accepts(text) else {
        throw failed("printed a first line that is not a \(wanted.word)", notice, wanted)
      }
      return text
    }
  }

  private func failed(_ how: String, _ notices: String, _ wanted: Wanted) -> StoreError {
    let said = notices.split(whereSeparator: \.isNewline).joined(separator: " ")
    return StoreError(
      .notSignedIn,
      "The \"\(wanted.setting)\" of the club \"\(wanted.club)\" (\(words.first ?? "nothing")) \(how)."
        + (said.isEmpty ? "" : " It said: \(said)"),
      remedy:
        "Run it to see whether it prints a \(wanted.word), and correct \"clubs.\(wanted.club).\(wanted.setting)\" in the "
        + "config.")
  }
}
