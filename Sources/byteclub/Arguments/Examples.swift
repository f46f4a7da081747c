/// The examples that help begins with.
enum Examples {
  /// A block of lines: what is typed, and what it does.
  static func text(_ examples: KeyValuePairs<String, String>) -> String {
    let width = examples.map(\.key.count).max() ?? 0
    let lines = examples.map { typed, does in
      "  " + typed + String(repeating: " ", count: width - typed.count) + "   " + does
    }
    return "EXAMPLES:\n" + lines.joined(separator: "\n")
  }
}
