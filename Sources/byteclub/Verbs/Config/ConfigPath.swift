import ArgumentParser
import FileStores
import JSON

/// `byteclub config path`.
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
