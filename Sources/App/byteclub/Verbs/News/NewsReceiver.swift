import Basics
import JSON
import POSIX
import Synchronization

/// The member's command that gets batches of news. The batch is its standard input; no word of it is on a command line.
struct NewsReceiver: Sendable {
  /// A command that hangs is ended, and gets the batch again.
  private static let limit = Duration.seconds(300)
  /// Between the looks whether the command has ended.
  private static let pause: UInt32 = 20_000

  private let command: String

  init(_ command: String) { self.command = command }

  /// Runs the command with a document on one line, and waits for its end.
  /// - Returns: nil if it took the document; otherwise how it failed, as words that follow "it".
  func give(_ document: JSONValue, on pool: BlockingPool) async -> String? {
    let line = Array("\(document.encoded)\n".utf8)
    return await pool.runCancellable { [command] isCancelled in
      NewsReceiver.run(command, line, isCancelled)
    }
  }

  private static func run(_ command: String, _ line: [UInt8], _ isCancelled: () -> Bool) -> String? {
    let child: pid_t
    do {
      // A command that reads slowly or never holds nothing up: its input is a file in memory.
      let input = try OpenFile.inMemory(line[...])
      let variables = ProgramStart.variables().filter { !$0.hasPrefix("BYTECLUB_TOKEN=") }
      child = try ProgramStart(
        "/bin/sh", ["sh", "-c", command], environment: variables,
        streams: (.descriptor(input.descriptor), .same, .same), group: .own
      ).start()
    } catch let error as SystemError {
      return "did not start (\(error))"
    } catch let error as ProgramStart.Failure {
      return "did not start (\(SystemError.text(error.code)))"
    } catch {
      return "did not start (\(error))"
    }
    let elapsed = TimerClock().stopwatch()
    while true {
      if let status = ProgramStart.ended(child) { return status == 0 ? nil : "ended with status \(status)" }
      guard !isCancelled(), elapsed() < limit else {
        kill(-child, SIGTERM)
        usleep(pause)
        kill(-child, SIGKILL)
        _ = ProgramStart.wait(for: child)
        return isCancelled() ? "was ended with byteclub" : "did not end within \(limit.components.seconds / 60) minutes"
      }
      usleep(pause)
    }
  }
}
