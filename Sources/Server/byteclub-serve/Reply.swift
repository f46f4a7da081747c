import Basics
import FileStores
import POSIX
import JSON
import QRCodes
import TextUI

/// Lines for people, or one document with `--json`, as in byteclub's own commands.
struct Reply {
  struct Result {
    let json: JSONValue
    let lines: [String]
    /// A QR code, dark on light; only for a terminal, below the lines.
    var picture: [String] = []

    init(_ json: JSONValue, lines: String...) { (self.json, self.lines) = (json, lines) }
  }

  var results: [Result]
  var notice: String?

  init(_ results: [Result], notice: String? = nil) { (self.results, self.notice) = (results, notice) }

  /// - Throws: `server` if a result cannot be written to standard output.
  func write(asJSON: Bool) throws(StoreError) {
    if asJSON {
      let document = JSONValue.members(["ok": true, "results": .array(results.map(\.json))])
      try Output.say(document.encoded)
    } else {
      for result in results {
        for line in result.lines { try Output.say(line) }
        try Output.draw(result.picture)
      }
      if let notice { Output.complain(notice) }
    }
  }

  static func refuse(_ error: StoreError, asJSON: Bool) {
    let fault = JSONValue.members(["kind": .string(error.kind.rawValue), "message": .string(error.description)])
    do throws(StoreError) {
      guard asJSON else { return Output.complain(Output.named(error.description)) }
      try Output.say(JSONValue.members(["ok": false, "error": fault]).encoded)
    } catch {
      Output.complain(Output.named(error.description))
    }
  }
}

/// Results go to standard output, everything else to standard error. Text for a terminal is spelled out where it could
/// control the terminal: names and paths are other people's.
enum Output {
  private static let resultsAreShown = isatty(STDOUT_FILENO) == 1

  /// - Throws: `server` if nobody can get it: standard output is closed, or its disk is full.
  static func say(_ text: String) throws(StoreError) {
    do throws(SystemError) {
      try write((resultsAreShown ? shown(text) : text) + "\n", to: STDOUT_FILENO)
    } catch {
      throw StoreError(.server, "Standard output cannot be written: \(error).")
    }
  }

  /// - Parameter lines: a QR code's.
  static func draw(_ lines: [String]) throws(StoreError) {
    do throws(SystemError) {
      try write(QRPicture.drawn(lines), to: STDOUT_FILENO)
    } catch {
      throw StoreError(.server, "Standard output cannot be written: \(error).")
    }
  }

  static func complain(_ text: String) {
    // A failure cannot be reported anywhere.
    do throws(SystemError) { try write(shown(text) + "\n", to: STDERR_FILENO) } catch { return }
  }

  /// Keeps line feeds.
  private static func shown(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { ShownText.of(String($0)) }
      .joined(separator: "\n")
  }

  static func named(_ sentence: String) -> String {
    sentence.hasPrefix("byteclub ") ? sentence : "byteclub: " + sentence
  }

  private static func write(_ text: String, to descriptor: Int32) throws(SystemError) {
    try OpenFile.write(Array(text.utf8)[...], to: descriptor)
  }
}
