import ArgumentParser
import Backends
import FileStores
import JSON

/// `byteclub club ls`.
struct ClubList: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List the clubs of the config.",
    discussion: Examples.text(["byteclub club ls": "* marks the one that is opened"]))

  @OptionGroup var shared: SharedOptions

  func perform(_ output: Output) async throws -> Answer {
    try ClubList.answer(shared.start, .process)
  }

  /// The clubs of a config.
  static func answer(
    _ options: StartOptions, _ environment: Environment, _ stores: StoreRegistry = .standard
  ) throws(ConfigFault) -> Answer {
    let paths = try Paths(environment, config: options.config)
    let report = try ClubSetup.report(paths, options, environment, stores)
    let config = try report.checked()
    // Which one is opened may not be clear yet; the list is then all the more of use.
    let chosen = try? ClubChoice(report, options: options, paths: paths, stores: stores).name
    let width = config.clubNames.map { TerminalText.columns($0) }.max() ?? 0
    return Answer(
      try config.clubNames.map { name throws(ConfigFault) in
        let place = try ClubChoice.place(of: name, config, paths, stores)
        var path: String?
        if case .directory(let directory) = place { path = directory }
        let words = paths.abbreviating(place.words)
        let gap = String(repeating: " ", count: width - TerminalText.columns(name) + 2)
        return Record(
          .members([
            "name": .string(name), "store": config.storeKind(of: name).map { .string($0) }, "place": .string(words),
            "path": path.map { .string($0) }, "selected": .bool(name == chosen),
          ]),
          line: (name == chosen ? "* " : "  ") + name + gap + words)
      })
  }
}
