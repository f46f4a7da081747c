internal import TextUI

/// The keys as sections of the help, by place.
enum HelpSections {
  /// All keys, beginning with the visible places. `vi`: vi's keys come first.
  static func all(_ keys: KeyTable, first: [KeyCommand.Place] = [], vi: Bool = false) -> [HelpTable.Section] {
    let rows = vi ? ViKeyTable.rows.map { HelpTable.Row($0.keys, $0.help, id: "vi \($0.keys)") } : []
    return (rows.isEmpty ? [] : [HelpTable.Section(ViKeyTable.title, rows)])
      + of(first + KeyCommand.Place.allCases.filter { !first.contains($0) }, keys)
  }

  /// Only the commands that work, in these places.
  static func of(
    _ places: [KeyCommand.Place], _ keys: KeyTable, where works: (KeyCommand) -> Bool = { _ in true }
  ) -> [HelpTable.Section] {
    places.compactMap { place in
      let rows = KeyCommand.all.filter { $0.place == place && works($0) }.compactMap { command -> HelpTable.Row? in
        let names = keys.keys(for: command.id).map(\.name)
        return names.isEmpty ? nil : HelpTable.Row(names.joined(separator: " "), command.help, id: command.id.rawValue)
      }
      return rows.isEmpty ? nil : HelpTable.Section(place.title, rows)
    }
  }
}
