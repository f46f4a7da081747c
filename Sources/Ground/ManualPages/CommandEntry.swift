import JSON

/// A command as a manual page describes it.
public struct CommandEntry: Sendable {
  public struct Parameter: Sendable {
    /// `NAME`, `--to DIR`, `--long`.
    public let spelling: String
    /// In a synopsis: `[--to DIR]`.
    public let usage: String
    public let about: String
    public let isShared: Bool
  }

  public let name: String
  public let about: String
  public let parameters: [Parameter]
  public let verbs: [CommandEntry]

  /// From the parser's own description, so the two cannot differ.
  /// - Parameter help: the description that ArgumentParser dumps as JSON; nil is returned for any other text.
  /// - Parameter shared: the long options that every command takes.
  public static func tree(ofHelp help: String, shared: Set<String> = []) -> CommandEntry? {
    guard let root = try? JSONReader.read(Array(help.utf8)), let command = root["command"] else { return nil }
    return CommandEntry(command, above: "", shared: shared)
  }

  private init(_ json: JSONValue, above: String, shared: Set<String>) {
    name = (above.isEmpty ? "" : above + " ") + (json["commandName"]?.text ?? "")
    about = json["abstract"]?.text ?? ""
    parameters = (json["arguments"]?.elements ?? []).compactMap { Parameter($0, shared: shared) }
    let prefix = name
    verbs = (json["subcommands"]?.elements ?? [])
      .filter { $0["commandName"]?.text != "help" && $0["shouldDisplay"] != .bool(false) }
      .map { CommandEntry($0, above: prefix, shared: shared) }
  }
}

extension CommandEntry.Parameter {
  fileprivate init?(_ json: JSONValue, shared: Set<String>) {
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
    isShared = shared.contains(long)
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
