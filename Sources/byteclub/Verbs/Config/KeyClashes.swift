import Screens
import TextUI

extension SettingTable {
  /// Commands of one place that the config gives the same key: sentences.
  static func clashes(_ config: Config) -> [String] {
    var changes: [CommandID: [Key]] = [:]
    for (name, words) in config.keys {
      if let id = CommandID(rawValue: name) { changes[id] = words.compactMap { Key($0) } }
    }
    return KeyTable(changes: changes).conflicts.map { key, first, second in
      "The key \(key.name) is given to \"\(first.rawValue)\" and to \"\(second.rawValue)\"; the first one has it."
    }
  }
}
