import ArgumentParser
import JSON

/// How the progress of transfers is told, on standard error.
enum ProgressStyle: String, CaseIterable, ExpressibleByArgument, Sendable {
  /// A bar on a terminal, else as `plain`.
  case auto
  /// A line every few seconds.
  case plain
  /// A JSON object a line, with each change.
  case json
  /// Nothing.
  case none
}

/// The option of verbs that transfer.
struct ProgressOptions: ParsableArguments {
  @Option(name: .long, help: "How to show progress on standard error: auto, plain, json or none.")
  var progress: ProgressStyle = .auto

  /// What `auto` comes to.
  func style(_ output: Output, isJSON: Bool) -> ProgressPrinter.Style {
    switch progress {
    case .auto: output.noticesAreShown ? .bar : isJSON ? .none : .lines
    case .plain: .lines
    case .json: .json
    case .none: .none
    }
  }
}
