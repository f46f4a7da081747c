import ArgumentParser
import Backends
import Basics
import JSON
import Screens
import TextUI

struct ConfigCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "config",
    abstract: "Check and show the settings.",
    discussion: Examples.text([
      "byteclub config check": "errors and warnings, if any",
      "byteclub config show": "every setting and where it comes from",
      "$EDITOR \"$(byteclub config path)\"": "edit the config file",
    ]),
    subcommands: [ConfigCheck.self, ConfigShow.self, ConfigPath.self])
}

struct ConfigCheck: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check the settings.",
    discussion: Examples.text(["byteclub config check": "exit code 2 when something is wrong"]))

  @OptionGroup var shared: SharedOptions

  func perform(_ output: Output) async throws -> Answer {
    try ConfigCheck.answer(shared.start, .process) { if !shared.json { output.alert($0) } }
  }

  /// `tell` gets each warning first.
  /// - Throws: the faults of the settings or of any club in the config.
  static func answer(
    _ options: StartOptions, _ environment: Environment, _ stores: StoreRegistry = .standard,
    tell: (String) -> Void = { _ in }
  ) throws(ConfigFault) -> Answer {
    let paths = try Paths(environment, config: options.config)
    let report = try ClubSetup.report(paths, options, environment, stores)
    let broken = report.brokenDropIns.map(\.fault)
    let odd = report.warnings.filter { !broken.contains($0) } + SettingTable.clashes(report.config)
    for sentence in odd { tell(sentence) }
    let config = try report.checked()
    guard broken.isEmpty else { throw ConfigFault(broken.joined(separator: "\n")) }
    let names = ClubChoice.undecided(report, options)
    if names == nil { _ = try ClubChoice(report, options: options, paths: paths, stores: stores) }
    let unusable = config.clubNames.compactMap { club -> String? in
      do throws(ConfigFault) {
        _ = try ClubSetup(StartOptions(config: options.config, club: club), environment: environment, stores: stores)
        return nil
      } catch {
        return error.description
      }
    }
    guard unusable.isEmpty else { throw ConfigFault(unusable.joined(separator: "\n")) }
    var answer = Answer(odd.map { Record(.members(["warning": .string($0)]), line: nil) })
    let place = paths.abbreviating(paths.configFile)
    answer.notices.append(
      !report.hasFile
        ? "\(place) does not exist; the defaults apply."
        : odd.isEmpty ? "\(place) has no errors." : "\(place) works; see the warnings above.")
    if let names { answer.notices.append(ClubChoice.sentence(undecided: names)) }
    return answer
  }
}

struct ConfigPath: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "path", abstract: "Print the path of the config file, which need not exist.",
    discussion: Examples.text(["byteclub config path": "one line"]))

  @OptionGroup var shared: SharedOptions

  func perform(_ output: Output) async throws -> Answer {
    let path = try Paths(.process, config: shared.config).configFile
    return Answer([
      Record(.members(["path": .string(path), "exists": .bool(LocalDirectory.holdsAnything(path))]), line: path)
    ])
  }
}

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
        Record(
          .members([
            "key": .string(entry.key), "value": entry.value.json, "origin": .string(entry.origin.word),
            "from": .string(entry.origin.spoken),
          ]),
          line: TerminalText.padded(text, width + 3) + "# " + entry.origin.spoken)
      })
  }

  private func shown(_ entry: Config.Entry, _ config: Config) -> Config.Entry {
    let path = entry.key.split(separator: ".").map(String.init)
    let store = path.first == "clubs" ? config.storeKind(of: path[1]) : nil
    guard case .text(let text) = entry.value else { return entry }
    let isSecret = ClubSetup.settings().setting(path, store: store)?.isSecret == true
    let shown = isSecret ? "(not shown)" : text.withoutAddressPasswords
    return Config.Entry(key: entry.key, value: .text(shown), origin: entry.origin)
  }
}

extension SettingTable {
  static func clashes(_ config: Config) -> [String] {
    config.keyTable.conflicts.map { clash in
      "The key \(clash.key.name) belongs to \"\(clash.first.rawValue)\" and to \"\(clash.second.rawValue)\"; where both "
        + "work, it runs \"\(clash.first.rawValue)\"."
    }
  }
}
