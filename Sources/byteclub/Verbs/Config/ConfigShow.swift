import ArgumentParser
import FileStores
import JSON

/// `byteclub config show`.
struct ConfigShow: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "show", abstract: "Show every setting and where it comes from.",
    discussion: Examples.text(["BYTECLUB_UI_MOUSE=false byteclub config show": "a variable overrides the file"]))

  @OptionGroup var shared: SharedOptions

  func perform(_ output: Output) async throws -> Answer {
    let paths = try Paths(.process, config: shared.config)
    let report = try ClubSetup.report(paths, shared.start, .process)
    for warning in report.warnings where !shared.json { output.alert(warning) }
    let config = try report.checked()
    let entries = config.entries.map { shown($0, config) }
    let rows = entries.map { ("\($0.key) = \($0.value.json.encoded)", $0) }
    let width = rows.map { TerminalText.columns($0.0) }.max() ?? 0
    return Answer(
      rows.map { text, entry in
        let gap = String(repeating: " ", count: width - TerminalText.columns(text) + 3)
        return Record(
          .members([
            "key": .string(entry.key), "value": entry.value.json, "origin": .string(entry.origin.word),
            "from": .string(entry.origin.spoken),
          ]),
          line: text + gap + "# " + entry.origin.spoken)
      })
  }

  /// The entry as it may be shown to others, too.
  private func shown(_ entry: Config.Entry, _ config: Config) -> Config.Entry {
    let path = entry.key.split(separator: ".").map(String.init)
    let store = path.first == "clubs" ? config.storeKind(of: path[1]) : nil
    guard case .text = entry.value, ClubSetup.settings().setting(path, store: store)?.isSecret == true else {
      return entry
    }
    return Config.Entry(key: entry.key, value: .text("(not shown)"), origin: entry.origin)
  }
}
