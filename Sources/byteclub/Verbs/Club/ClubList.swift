import ArgumentParser
import FileStores
import JSON

/// `byteclub club ls`.
struct ClubList: PlainVerb {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List the clubs of the config.",
    discussion: Examples.text(["byteclub club ls": "* marks the one that is opened"]))

  @OptionGroup var shared: SharedOptions

  func perform(_ output: Output) async throws -> Answer {
    let paths = try Paths(.process, config: shared.config)
    let report = try ClubSetup.report(paths, shared.start, .process)
    let config = try report.checked()
    // Which one is opened may not be clear yet; the list is then all the more of use.
    let chosen = try? ClubChoice(report, options: shared.start, paths: paths).name
    let width = config.clubNames.map { TerminalText.columns($0) }.max() ?? 0
    return Answer(
      config.clubNames.map { name in
        let place = ["server", "folder"].compactMap { config.text("clubs.\(name).\($0)") }.joined(separator: " ")
        let path = config.text("clubs.\(name).path") ?? place
        let gap = String(repeating: " ", count: width - TerminalText.columns(name) + 2)
        return Record(
          .members([
            "name": .string(name), "store": config.text("clubs.\(name).store").map { .string($0) },
            "path": .string(path), "selected": .bool(name == chosen),
          ]),
          line: (name == chosen ? "* " : "  ") + name + gap + path)
      })
  }
}
