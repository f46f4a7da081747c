import ArgumentParser
import FileStores
import JSON

/// `byteclub config check`.
struct ConfigCheck: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "check", abstract: "Tell what is wrong with the settings.",
    discussion: Examples.text(["byteclub config check": "exit code 2 when something is wrong"]))

  @OptionGroup var shared: SharedOptions

  func perform(_ output: Output) async throws -> Answer {
    let paths = try Paths(.process, config: shared.config)
    let report = try ClubSetup.report(paths, shared.start, .process)
    if !shared.json { for warning in report.warnings { output.notice("byteclub: " + warning) } }
    let config = try report.checked()
    _ = try ClubChoice(report, options: shared.start, paths: paths)
    let unusable = try ClubAccount.faults(config, shared.start)
    guard unusable.isEmpty else { throw ConfigFault(unusable.joined(separator: "\n")) }
    for clash in SettingTable.clashes(config) { output.notice("byteclub: " + clash) }
    let place = paths.abbreviating(paths.configFile)
    return Answer(
      report.warnings.map { Record(.members(["warning": .string($0)]), line: nil) },
      notice: report.hasFile ? "\(place) is right." : "There is no \(place); the defaults hold.")
  }
}
