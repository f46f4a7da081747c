import JSON

/// The value of a setting, checked.
enum SettingValue: Sendable, Equatable {
  case none
  case text(String)
  case boolean(Bool)
  case whole(Int)
  case keys([String])
  case program([String])

  /// As it stands in a config file.
  var json: JSONValue {
    switch self {
    case .none: .null
    case .text(let text): .string(text)
    case .boolean(let value): .bool(value)
    case .whole(let value): .number(value)
    case .keys(let words), .program(let words): .array(words.map { .string($0) })
    }
  }
}

extension Setting {
  /// The value that a config file gives; nil when it is not allowed.
  func value(of json: JSONValue) -> SettingValue? {
    switch (kind, json) {
    case (_, .null): mayBeNull ? SettingValue.none : nil
    case (.boolean, .bool(let value)): .boolean(value)
    case (.whole(let range), .integer(let number)):
      Int(exactly: number).flatMap { range.contains($0) ? .whole($0) : nil }
    case (.keys, .array(let values)): Setting.keys(of: values)
    case (.program, .array(let values)): Setting.program(of: values)
    case (.text, .string(let text)), (.choice, .string(let text)), (.path, .string(let text)),
      (.folder, .string(let text)), (.headerField, .string(let text)):
      allows(text) ? .text(text) : nil
    default: nil
    }
  }

  /// The value that a variable or a flag gives; nil when it is not allowed.
  func value(ofText text: String) -> SettingValue? {
    switch kind {
    case .boolean:
      switch text.lowercased() {
      case "true", "1", "yes", "on": .boolean(true)
      case "false", "0", "no", "off": .boolean(false)
      default: nil
      }
    case .whole(let range): Int(text).flatMap { range.contains($0) ? .whole($0) : nil }
    case .keys: .keys(text.split(separator: " ").map(String.init))
    case .program: nil
    default: allows(text) ? .text(text) : nil
    }
  }

  private func allows(_ text: String) -> Bool {
    guard !text.isEmpty, !text.utf8.contains(0) else { return false }
    switch kind {
    case .choice(let words): return words.contains(text)
    case .path: return text.hasPrefix("/") || text == "~" || text.hasPrefix("~/")
    case .folder:
      return text.split(separator: "/", omittingEmptySubsequences: false)
        .allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." && !$0.hasPrefix(".byteclub") }
    case .headerField: return text.utf8.allSatisfy { 0x20...0x7E ~= $0 } && text.first != " " && text.last != " "
    default: return true
    }
  }

  private static func keys(of values: [JSONValue]) -> SettingValue? {
    let texts = values.compactMap { $0.text }
    return texts.count == values.count && !texts.contains("") ? .keys(texts) : nil
  }

  /// Arguments may be empty; the program may not, and none has a NUL in it.
  private static func program(of values: [JSONValue]) -> SettingValue? {
    let texts = values.compactMap { $0.text }
    guard texts.count == values.count, let first = texts.first, !first.isEmpty else { return nil }
    return texts.contains { $0.utf8.contains(0) } ? nil : .program(texts)
  }
}
