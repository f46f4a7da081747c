import ArgumentParser
import Backends
import FileStores
import JSON

/// `byteclub config check`.
struct ConfigCheck: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Check the settings.",
    discussion: Examples.text(["byteclub config check": "exit code 2 when something is wrong"]))

  @OptionGroup var shared: SharedOptions

  func perform(_ output: Output) async throws -> Answer {
    try ConfigCheck.answer(shared.start, .process) { if !shared.json { output.alert($0) } }
  }

  /// What is odd about the settings; `tell` is given each such sentence first.
  /// - Throws: what is wrong with them, or with any club of the config.
  static func answer(
    _ options: StartOptions, _ environment: Environment, _ stores: StoreRegistry = .standard,
    tell: (String) -> Void = { _ in }
  ) throws(ConfigFault) -> Answer {
    let paths = try Paths(environment, config: options.config)
    let report = try ClubSetup.report(paths, options, environment, stores)
    let odd = report.warnings + SettingTable.clashes(report.config)
    for sentence in odd { tell(sentence) }
    let config = try report.checked()
    _ = try ClubChoice(report, options: options, paths: paths, stores: stores)
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
    return answer
  }
}
