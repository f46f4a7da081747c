import FileStores
import JSON

/// What a command has to say: lines for people, or one document under `--json`, as byteclub's own commands have it.
struct Reply {
  /// An object of `results`, and the lines that stand for it.
  struct Result {
    let json: JSONValue
    let lines: [String]

    init(_ json: JSONValue, lines: String...) { (self.json, self.lines) = (json, lines) }
  }

  /// What is done or found.
  var results: [Result]
  /// A sentence for people, for standard error.
  var notice: String?

  init(_ results: [Result], notice: String? = nil) { (self.results, self.notice) = (results, notice) }

  /// Writes it.
  func write(asJSON: Bool) {
    if asJSON {
      let document = JSONValue.members(["ok": true, "results": .array(results.map(\.json))])
      Output.say(document.encoded)
    } else {
      for line in results.flatMap(\.lines) { Output.say(line) }
      if let notice { Output.complain(notice) }
    }
  }

  /// Writes why there is none.
  static func refuse(_ error: StoreError, asJSON: Bool) {
    guard asJSON else { return Output.complain(Output.named(error.description)) }
    let fault = JSONValue.members(["kind": .string(error.kind.rawValue), "message": .string(error.description)])
    Output.say(JSONValue.members(["ok": false, "error": fault]).encoded)
  }
}
