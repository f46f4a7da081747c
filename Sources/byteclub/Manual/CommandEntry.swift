import ArgumentParser
import JSON

struct CommandEntry: Sendable {
  struct Parameter: Sendable {
    /// `NAME`, `--to DIR`, `--long`.
    let spelling: String
    /// In a synopsis: `[--to DIR]`.
    let usage: String
    let about: String
    let isShared: Bool
  }

  let name: String
  let about: String
  let parameters: [Parameter]
  let verbs: [CommandEntry]

  /// From the parser's own description, so the two cannot differ.
  static func tree() -> CommandEntry? {
    guard let root = try? JSONReader.read(Array(RootCommand._dumpHelp().utf8)), let command = root["command"]
    else { return nil }
    return CommandEntry(command, above: "")
  }

  private init(_ json: JSONValue, above: String) {
    name = (above.isEmpty ? "" : above + " ") + (json["commandName"]?.text ?? "")
    about = json["abstract"]?.text ?? ""
    parameters = (json["arguments"]?.elements ?? []).compactMap(Parameter.init)
    let prefix = name
    verbs = (json["subcommands"]?.elements ?? [])
      .filter { $0["commandName"]?.text != "help" && $0["shouldDisplay"] != .bool(false) }
      .map { CommandEntry($0, above: prefix) }
  }
}

extension CommandEntry.Parameter {
  fileprivate init?(_ json: JSONValue) {
    guard json["shouldDisplay"] != .bool(false), let kind = json["kind"]?.text else { return nil }
    let value = (json["valueName"]?.text ?? "").uppercased()
    let names = (json["names"]?.elements ?? []).compactMap { name -> String? in
      guard let word = name["name"]?.text else { return nil }
      return name["kind"]?.text == "long" ? "--" + word : "-" + word
    }
    if names.contains("--help") || names.contains("--version") { return nil }
    let long = names.first { $0.hasPrefix("--") } ?? names.first ?? ""
    let dots = json["isRepeating"] == .bool(true) ? "..." : ""
    about = json["abstract"]?.text ?? ""
    isShared = ["--config", "--club", "--folder", "--json"].contains(long)
    switch kind {
    case "positional":
      spelling = value + dots
      usage = json["isOptional"] == .bool(true) ? "[\(value)\(dots)]" : value + dots
    case "option":
      spelling = names.joined(separator: ", ") + " " + value
      usage = "[\(long) \(value)]"
    default:
      spelling = names.joined(separator: ", ")
      usage = "[\(long)]"
    }
  }
}
