import JSON

/// One thing that `doctor` looked at.
struct Finding: Sendable, Equatable {
  /// How it is.
  enum Verdict: String, Sendable {
    /// As it should be.
    case good
    /// Worth knowing, and no fault.
    case note
    /// Wrong.
    case wrong
  }

  /// How it is.
  let verdict: Verdict
  /// What was looked at.
  let subject: String
  /// What was found.
  let found: String
  /// What to do about it; empty when there is nothing.
  var remedy = ""

  /// As a record.
  var record: Record {
    let mark =
      switch verdict {
      case .good: "  ok    "
      case .note: "  note  "
      case .wrong: "  WRONG "
      }
    let gap = String(repeating: " ", count: max(1, 14 - subject.count))
    var lines = [mark + subject + gap + found]
    if !remedy.isEmpty { lines.append(String(repeating: " ", count: 8 + 14) + "-> " + remedy) }
    return Record(
      .members([
        "verdict": .string(verdict.rawValue), "subject": .string(subject), "found": .string(found),
        "remedy": remedy.isEmpty ? nil : .string(remedy),
      ]),
      lines: lines)
  }
}
