internal import TextUI

/// The help: the live table of keys, place by place, those of the places that are seen first.
enum HelpSections {
  static func all(_ keys: KeyTable, first: [KeyCommand.Place] = []) -> [HelpTable.Section] {
    (first + KeyCommand.Place.allCases.filter { !first.contains($0) }).compactMap { place in
      let rows = KeyCommand.all.filter { $0.place == place }.compactMap { command -> FooterKeys.Item? in
        let names = keys.keys(for: command.id).map(\.name)
        return names.isEmpty ? nil : FooterKeys.Item(names.joined(separator: " "), command.help)
      }
      return rows.isEmpty ? nil : HelpTable.Section(place.title, rows)
    }
  }
}
