import Basics
import FileStores
import POSIX
import JSON
import TextUI

/// Lines for people, or one document with `--json`, as in byteclub's own commands.
struct Reply {
  struct Result {
    let json: JSONValue
    let lines: [String]

    init(_ json: JSONValue, lines: String...) { (self.json, self.lines) = (json, lines) }
  }

  var results: [Result]
  var notice: String?

  init(_ results: [Result], notice: String? = nil) { (self.results, self.notice) = (results, notice) }

  func write(asJSON: Bool) {
    if asJSON {
      let document = JSONValue.members(["ok": true, "results": .array(results.map(\.json))])
      Output.say(document.encoded)
    } else {
      for line in results.flatMap(\.lines) { Output.say(line) }
      if let notice { Output.complain(notice) }
    }
  }

  static func refuse(_ error: StoreError, asJSON: Bool) {
    guard asJSON else { return Output.complain(Output.named(error.description)) }
    let fault = JSONValue.members(["kind": .string(error.kind.rawValue), "message": .string(error.description)])
    Output.say(JSONValue.members(["ok": false, "error": fault]).encoded)
  }
}

/// Results go to standard output, everything else to standard error. What a terminal shows is spelled out where it could
/// control the terminal: names and paths are other people's.
enum Output {
  private static let resultsAreShown = isatty(STDOUT_FILENO) == 1

  static func say(_ text: String) { write((resultsAreShown ? shown(text) : text) + "\n", to: STDOUT_FILENO) }
  static func complain(_ text: String) { write(shown(text) + "\n", to: STDERR_FILENO) }

  /// Keeps line feeds.
  private static func shown(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { ShownText.of(String($0)) }
      .joined(separator: "\n")
  }

  static func named(_ sentence: String) -> String {
    sentence.hasPrefix("byteclub ") ? sentence : "byteclub: " + sentence
  }

  private static func write(_ text: String, to descriptor: Int32) {
    // A failure cannot be reported anywhere.
    do throws(SystemError) { try OpenFile.write(Array(text.utf8)[...], to: descriptor) } catch { return }
  }
}
