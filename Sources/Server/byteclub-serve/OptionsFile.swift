import ArgumentParser
import Basics
import JSON

/// The file that `--config` names: a JSON object of the options of `run`, by their names without dashes. Each command
/// takes those that it has.
enum OptionsFile {
  private static let mostBytes = 1 << 20
  private static let option = "--config"

  /// A command line in which the options of the file stand in place of its name. Typed options come first.
  /// - Parameter help: the description of all commands that ArgumentParser dumps as JSON.
  /// - Throws: `ValidationError` if the file cannot be read, or has a value that no option takes.
  static func expanded(_ words: [String], help: () -> String) throws -> [String] {
    let end = words.firstIndex(of: "--") ?? words.count
    var (typed, rest) = (Array(words[..<end]), words[end...])
    guard let file = try takeFile(&typed) else { return words }
    guard let root = try? JSONReader.read(Array(help().utf8))["command"] else { return words }
    let known = options(of: child("run", of: root) ?? root)
    let taken = options(of: command(typed, below: root))
    let names = Set(typed.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2).prefix { $0 != "=" }) })
    for member in try members(of: file) {
      let place = "\(file), line \(member.place?.line ?? 1): "
      guard let option = known[member.key] else {
        throw ValidationError(
          "\(place)byteclub serve has no option \"\(member.key)\" for a config. See: byteclub serve run --help")
      }
      let values = try values(of: member, option, place)
      let isTyped = names.contains(member.key) || member.key == "root" && names.contains("club-root")
      if taken[member.key] != nil, !isTyped { typed += values }
    }
    return typed + rest
  }

  /// Takes `--config` and its value out; nil without it.
  private static func takeFile(_ typed: inout [String]) throws -> String? {
    guard let index = typed.firstIndex(where: { $0 == option || $0.hasPrefix(option + "=") }) else { return nil }
    let word = typed.remove(at: index)
    if word != option { return String(word.dropFirst(option.count + 1)) }
    guard index < typed.count else { throw ValidationError("\(option) needs a file.") }
    return typed.remove(at: index)
  }

  private static func members(of file: String) throws -> [JSONMember] {
    let bytes: [UInt8]?
    do throws(SystemError) { bytes = try OpenFile(reading: file).readAll(limit: mostBytes) } catch {
      throw ValidationError("The server's config \"\(file)\" cannot be read: \(error).")
    }
    guard let bytes else { throw ValidationError("The server's config \"\(file)\" is larger than 1 MiB.") }
    var form = JSONReader.Options()
    (form.keepsPlaces, form.takesByteOrderMark) = (true, true)
    do throws(JSONReader.Fault) {
      if case .object(let members) = try JSONReader.read(bytes, form) { return members }
    } catch {
      throw ValidationError("\(file), line \(error.place.line), column \(error.place.column): \(error.reason).")
    }
    throw ValidationError("\(file): the server's config is one JSON object, such as { \"listen\": \"0.0.0.0:8443\" }.")
  }

  private static func values(of member: JSONMember, _ option: JSONValue, _ place: String) throws -> [String] {
    let name = "--" + member.key
    func value(_ json: JSONValue) throws -> String {
      if let text = json.text ?? json.integer.map(String.init) { return "\(name)=\(text)" }
      throw ValidationError("\(place)\"\(member.key)\" needs a text or a whole number.")
    }
    if option["kind"]?.text == "flag" {
      guard let isSet = member.value.boolean else {
        throw ValidationError("\(place)\"\(member.key)\" needs true or false.")
      }
      return isSet ? [name] : []
    }
    if let elements = member.value.elements, option["isRepeating"] == .bool(true) { return try elements.map(value) }
    return [try value(member.value)]
  }

  /// The description of the command that words name; without a verb, of the default one, which is the first.
  private static func command(_ words: [String], below command: JSONValue) -> JSONValue {
    if let word = words.first, let next = child(word, of: command) {
      return self.command(Array(words.dropFirst()), below: next)
    }
    return command["subcommands"]?.elements?.first ?? command
  }

  private static func child(_ name: String, of command: JSONValue) -> JSONValue? {
    command["subcommands"]?.elements?.first { $0["commandName"]?.text == name }
  }

  /// The shown options with a long name, without `--config` and `--help`.
  private static func options(of command: JSONValue) -> [String: JSONValue] {
    var options: [String: JSONValue] = [:]
    for option in command["arguments"]?.elements ?? [] where option["shouldDisplay"] != .bool(false) {
      for name in option["names"]?.elements ?? [] where name["kind"]?.text == "long" {
        if let word = name["name"]?.text, !["config", "help", "version"].contains(word) { options[word] = option }
      }
    }
    return options
  }
}
