import FileStores
import Glibc
import Synchronization

/// A program of the member's that prints an access token, such as a password manager.
struct TokenCommand: Sendable {
  private final class Flag: Sendable {
    let isSet = Atomic(false)
  }

  /// The expected output, and the names for messages about it.
  struct Wanted: Sendable {
    /// The club's name in the config, for messages.
    let club: String
    /// The setting that names the program.
    var setting = "tokenCommand"
    /// The word for the expected output.
    var word = "token"
    /// True for a line that can be the expected output.
    let accepts: @Sendable (String) -> Bool
  }

  private let words: [String]
  private let limits: ChildProgram.Limits
  private let now: @Sendable () -> ContinuousClock.Instant

  /// A program (a path, or a name that is looked for in `PATH`) and its arguments.
  init(
    _ words: [String], limits: ChildProgram.Limits = ChildProgram.Limits(),
    now: @escaping @Sendable () -> ContinuousClock.Instant = { .now }
  ) {
    (self.words, self.limits, self.now) = (words, limits, now)
  }

  /// Runs it and reads the token: the first line of what it prints.
  /// - Throws: `notSignedIn`, with what it wrote to standard error; `cancelled`, within 50 ms.
  func token(_ account: Account, on pool: BlockingPool) async throws(StoreError) -> String {
    try await secret(Wanted(club: account.club, accepts: account.accepts), on: pool)
  }

  /// As `token`, for any secret.
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
    case .didNotStart(let code): throw failed("did not start: \(String(cString: strerror(code)))", "", wanted)
    case .tookTooLong(let notices):
      throw failed("did not finish within \(limits.time.components.seconds) seconds", notices, wanted)
    case .printedTooMuch:
      throw failed("printed more than \(limits.outputBytes) bytes, which is not a \(wanted.word)", "", wanted)
    case .ended(let status, let output, let notices):
      let line = output.prefix { $0 != 0x0A }
      let text = String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
      let told = TokenText.safe(notices, without: [text])
      guard status == 0 else { throw failed("ended with status \(status)", told, wanted) }
      guard !text.isEmpty else { throw failed("printed nothing", told, wanted) }
      // What it did print may be a secret, if not this one: it is not told.
      guard wanted.accepts(text) else {
        throw failed("printed a first line that is not a \(wanted.word)", told, wanted)
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
