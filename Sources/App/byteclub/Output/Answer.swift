import Basics
import FileStores
import JSON
import QRCodes

struct Answer: Sendable {
  var records: [Record] = []
  var failures: [StoreError] = []
  /// For standard error; omitted with `--json`.
  var notices: [String] = []

  /// The byte after each printed line.
  var lineEnd: UInt8 = 0x0A

  /// From a completed command (`doctor`); the exit code is then 1.
  var badNews: StoreError?

  /// The time of the server's last answer, if the results are the local copy's because it gives none now.
  var asOf: Timestamp?

  /// The meaning of a search, for `--json`.
  var query: JSONValue?

  /// The exit code is then 6.
  var isOutOfTime = false

  /// The number of failures when the results were written, by a command that had more to do after that; nil before.
  private var failuresWritten: Int?

  /// Another program's document, in place of the one with the results.
  var bare: JSONValue?

  init() {}
  init(_ records: [Record], notice: String? = nil) {
    self.records = records
    notices = notice.map { [$0] } ?? []
  }

  /// The same answer. About one name it has exit code 6 if the rest will be done later: nothing of it is to be repeated.
  func waitingForRest(of names: [String]) -> Answer {
    var answer = self
    let isTemporary = !failures.isEmpty && failures.allSatisfy { ExitStatus($0.kind) == .temporary }
    answer.isOutOfTime = names.count == 1 && isTemporary
    return answer
  }

  var status: ExitStatus {
    guard let first = failures.first else { return badNews == nil ? .done : .failed }
    if failures.contains(where: { $0.kind == .cancelled }) { return .interrupted }
    if isOutOfTime { return .temporary }
    if !records.isEmpty { return .partlyFailed }
    return failures.allSatisfy({ ExitStatus($0.kind) == ExitStatus(first.kind) }) ? ExitStatus(first.kind) : .failed
  }

  var document: JSONValue {
    if let bare, failures.isEmpty { return bare }
    let results = JSONValue.array(records.map(\.json))
    let asOf = asOf.map { JSONValue.string(RFC3339.text($0)) }
    guard let first = failures.first ?? badNews else {
      return .members(["ok": .bool(true), "results": results, "asOf": asOf, "query": query])
    }
    return .members([
      "ok": .bool(false),
      "error": .error(first),
      "errors": failures.count > 1 ? .array(failures.map { .error($0) }) : nil,
      "results": records.isEmpty ? nil : results,
      "asOf": asOf,
      "query": query,
    ])
  }

  /// Writes the results, all at once; `write` then writes the rest.
  mutating func writeResults(to output: Output, asJSON: Bool) {
    failuresWritten = failures.count
    printResults(to: output, asJSON: asJSON)
  }

  func write(to output: Output, asJSON: Bool) {
    if failuresWritten == nil { printResults(to: output, asJSON: asJSON) }
    if !asJSON {
      for notice in notices { output.notice(notice) }
      if let badNews { output.notice(badNews.description, isNeeded: true) }
    }
    // An interruption is news only if something is left of the command.
    for failure in failures.dropFirst(asJSON ? failuresWritten ?? failures.count : 0)
    where failure.kind != .cancelled || !failure.remedy.isEmpty {
      output.alert(failure)
    }
  }

  private func printResults(to output: Output, asJSON: Bool) {
    if asJSON {
      output.document(document)
    } else {
      for record in records {
        for line in record.lines { output.line(line, end: lineEnd) }
        output.drawing(QRPicture.drawn(record.picture).utf8)
      }
    }
    output.finish()
  }
}
