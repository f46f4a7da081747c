import Screens
import TextUI

extension SettingTable {
  /// Commands that the config gives the same key where both work: sentences.
  static func clashes(_ config: Config) -> [String] {
    var changes: [CommandID: [Key]] = [:]
    for (name, words) in config.keys {
      if let id = CommandID(rawValue: name) { changes[id] = words.compactMap { Key($0) } }
    }
    return KeyTable(changes: changes).conflicts.map { clash in
      "The key \(clash.key.name) belongs to \"\(clash.first.rawValue)\" and to \"\(clash.second.rawValue)\"; where both "
        + "work, it runs \"\(clash.first.rawValue)\"."
    }
  }
}
