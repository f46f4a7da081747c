import Basics
import ClubServices
import JSON
import Synchronization
import TextUI

/// Reports on standard error. Safe from any thread.
final class ExportPrinter: Sendable {
  private struct State {
    var last: Duration = .zero
    var painted = 0
  }

  /// The shortest times between two lines, and between two repaints.
  private static let lineInterval = Duration.seconds(3)
  private static let paintInterval = Duration.milliseconds(50)

  private let state = Mutex(State())
  private let style: ProgressPrinter.Style
  private let output: Output
  private let elapsed: @Sendable () -> Duration

  init(_ style: ProgressPrinter.Style, _ output: Output, clock: some Clock<Duration> = TimerClock()) {
    (self.style, self.output) = (style, output)
    elapsed = clock.stopwatch()
  }

  func tell(_ progress: ExportProgress) {
    let now = elapsed()
    let isLast = progress.files == progress.ofFiles
    state.withLock { state in
      let interval = style == .bar ? ExportPrinter.paintInterval : ExportPrinter.lineInterval
      guard style == .json || isLast || now - state.last >= interval else { return }
      state.last = now
      switch style {
      case .none: break
      case .json:
        let json = JSONValue.members([
          "files": .number(progress.files), "ofFiles": .number(progress.ofFiles), "bytes": .number(progress.bytes),
          "ofBytes": .number(progress.ofBytes),
        ])
        output.notice(json.encoded, isNeeded: true)
      case .lines: if !isLast { output.notice(line(progress)) }
      case .bar: state.painted = output.paint(line(progress), over: state.painted)
      }
    }
  }

  func finish() { state.withLock { if $0.painted > 0 { $0.painted = output.paint("", over: $0.painted) } } }

  private func line(_ progress: ExportProgress) -> String {
    let bytes = ByteCount.text(Int(clamping: progress.bytes), of: Int(clamping: progress.ofBytes))
    return "Copying  \(progress.files) of \(progress.ofFiles) files  \(bytes)"
  }
}
