/// An example of the GFM specification.
struct SpecExample {
  let number: Int
  let kind: String
  let markdown: String
  let html: String

  /// The examples of the text of the specification. An arrow stands for a tab.
  static func all(in text: String) -> [SpecExample] {
    let fence = String(repeating: "`", count: 32)
    var examples: [SpecExample] = []
    var parts: [[Substring]]?
    var kind = ""
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if parts == nil, line.hasPrefix(fence + " example") {
        kind = String(line.dropFirst(fence.count + 8)).filter { $0 != " " }
        parts = [[]]
      } else if let found = parts, line == fence {
        let texts = found.map { $0.map { $0 + "\n" }.joined().split(separator: "→", omittingEmptySubsequences: false) }
          .map { $0.joined(separator: "\t") }
        examples.append(
          SpecExample(
            number: examples.count + 1, kind: kind, markdown: texts[0], html: texts.count > 1 ? texts[1] : ""))
        parts = nil
      } else if parts != nil, line == "." {
        parts?.append([])
      } else if let last = parts?.indices.last {
        parts?[last].append(line)
      }
    }
    return examples
  }
}
