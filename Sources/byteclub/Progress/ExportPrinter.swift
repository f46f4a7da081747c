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
    let start = clock.now
    elapsed = { start.duration(to: clock.now) }
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
        output.raw(json.encoded + "\n")
      case .lines: if !isLast { output.notice(line(progress)) }
      case .bar: paint(line(progress), &state)
      }
    }
  }

  func finish() { state.withLock { if $0.painted > 0 { paint("", &$0) } } }

  private func line(_ progress: ExportProgress) -> String {
    let bytes = ByteCount.text(Int(clamping: progress.bytes), of: Int(clamping: progress.ofBytes))
    return "Copying  \(progress.files) of \(progress.ofFiles) files  \(bytes)"
  }

  private func paint(_ text: String, _ state: inout State) {
    let (cut, width) = TerminalText.cut(text, columns: max(1, (TerminalSize.columns(of: 2) ?? 80) - 1))
    output.raw("\r" + cut + String(repeating: " ", count: max(0, state.painted - width)) + (text.isEmpty ? "\r" : ""))
    state.painted = width
  }
}
