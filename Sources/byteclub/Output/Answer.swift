import FileStores
import JSON

/// What a command has to say when it is through.
struct Answer: Sendable {
  /// What is done or found.
  var records: [Record] = []
  /// What failed, of several.
  var failures: [StoreError] = []
  /// Sentences for people, for standard error; not told under `--json`.
  var notices: [String] = []

  /// Set when everything was done and the result is bad news (`doctor`): the exit code is then 1.
  var badNews: StoreError?

  /// Set when the time that was given for waiting was over: the exit code is then 6.
  var isOutOfTime = false

  /// Nothing.
  init() {}
  /// Records, and a sentence.
  init(_ records: [Record], notice: String? = nil) {
    self.records = records
    notices = notice.map { [$0] } ?? []
  }

  /// How the program ends.
  var status: ExitStatus {
    guard let first = failures.first else { return badNews == nil ? .done : .failed }
    if failures.contains(where: { $0.kind == .cancelled }) { return .interrupted }
    if isOutOfTime { return .temporary }
    if !records.isEmpty { return .partlyFailed }
    return failures.allSatisfy({ ExitStatus($0.kind) == ExitStatus(first.kind) }) ? ExitStatus(first.kind) : .failed
  }

  /// The document of `--json`.
  var document: JSONValue {
    let results = JSONValue.array(records.map(\.json))
    guard let first = failures.first ?? badNews else { return .members(["ok": .bool(true), "results": results]) }
    return .members([
      "ok": .bool(false),
      "error": .error(first),
      "errors": failures.count > 1 ? .array(failures.map { .error($0) }) : nil,
      "results": records.isEmpty ? nil : results,
    ])
  }

  /// Writes everything.
  func write(to output: Output, asJSON: Bool) {
    if asJSON {
      output.bytes(Array((document.encoded + "\n").utf8))
    } else {
      for record in records {
        for line in record.lines { output.line(line) }
      }
    }
    output.finish()
    guard !asJSON else { return }
    for notice in notices { output.notice(notice) }
    if let badNews { output.notice(badNews.description) }
    for failure in failures where failure.kind != .cancelled { output.alert(failure.description) }
  }
}
