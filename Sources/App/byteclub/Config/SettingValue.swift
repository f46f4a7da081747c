import JSON

enum SettingValue: Sendable, Equatable {
  case none
  case text(String)
  case boolean(Bool)
  case whole(Int)
  case keys([String])
  case program([String])
  case colors([String: String])

  var json: JSONValue {
    switch self {
    case .none: .null
    case .text(let text): .string(text)
    case .boolean(let value): .bool(value)
    case .whole(let value): .number(value)
    case .keys(let words), .program(let words): .array(words.map { .string($0) })
    case .colors(let colors):
      .object(colors.sorted { $0.key < $1.key }.map { JSONMember($0.key, .string($0.value)) })
    }
  }
}

extension Setting {
  func value(of json: JSONValue) -> SettingValue? {
    switch (kind, json) {
    case (_, .null): mayBeNull ? SettingValue.none : nil
    case (.boolean, .bool(let value)): .boolean(value)
    case (.whole(let range), .integer(let number)):
      Int(exactly: number).flatMap { range.contains($0) ? .whole($0) : nil }
    case (.keys, .array(let values)): Setting.keys(of: values)
    case (.program, .array(let values)): Setting.program(of: values)
    case (.theme, .object(let members)): ThemeFile.wrong(in: members) == nil ? ThemeFile.colors(of: members) : nil
    case (.text, .string(let text)), (.theme, .string(let text)), (.choice, .string(let text)),
      (.path, .string(let text)),
      (.folder, .string(let text)), (.headerField, .string(let text)):
      allows(text) ? .text(text) : nil
    default: nil
    }
  }

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
    case .theme: return DropIn.isName(text)
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

  /// Arguments may be empty, the program may not; neither may contain a NUL.
  private static func program(of values: [JSONValue]) -> SettingValue? {
    let texts = values.compactMap { $0.text }
    guard texts.count == values.count, let first = texts.first, !first.isEmpty else { return nil }
    return texts.contains { $0.utf8.contains(0) } ? nil : .program(texts)
  }
}

extension JSONValue {
  /// For messages: `"yes"`, `12`, `an object`.
  var spoken: String {
    switch self {
    case .null: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let number): String(number)
    case .fraction(let number): "\(number)"
    case .string(let text): "\"\(text)\""
    case .array: "a list"
    case .object: "an object"
    }
  }
}

/// From the screens' own table, so the two cannot differ.
struct KeyWords: Sendable {
  let commands: [String]
  let understands: @Sendable (String) -> Bool
}

enum HexColor {
  /// 0xRRGGBB of a text such as `#7AA2F7`.
  static func value(_ text: String) -> UInt32? {
    guard text.utf8.count == 7, text.first == "#", text.dropFirst().allSatisfy(\.isHexDigit) else { return nil }
    return UInt32(text.dropFirst(), radix: 16)
  }
}

enum NearestWord {
  /// nil if more than a third of a word's letters would change. Ignores case; the first of equally near words wins.
  static func to(_ word: String, in known: some Sequence<String>) -> String? {
    var best: (word: String, changes: Int)?
    for candidate in known {
      let changes = distance(Array(word.lowercased()), Array(candidate.lowercased()))
      guard changes <= max(1, (candidate.count + 1) / 3), changes < best?.changes ?? .max else { continue }
      best = (candidate, changes)
    }
    return best?.word
  }

  /// Letters added, removed, changed, or swapped with a neighbour (optimal string alignment).
  static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var before: [Int] = []
    var last = Array(0...right.count)
    for (row, letter) in left.enumerated() {
      var current = [row + 1]
      for (column, other) in right.enumerated() {
        var least = min(last[column] + (letter == other ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
          least = min(least, before[column - 1] + 1)
        }
        current.append(least)
      }
      (before, last) = (last, current)
    }
    return last[right.count]
  }
}
