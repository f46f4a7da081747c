public import TextUI

extension KeyTable {
  /// A key that the config gives to two commands that can be meant at the same moment.
  public struct Conflict: Sendable, Hashable {
    /// The key.
    public let key: Key
    /// The command that has it: its place is the nearer one, or it comes first there.
    public let first: CommandID
    /// The command that cannot be reached by it where both work.
    public let second: CommandID
  }

  /// The places whose keys work at the same moment, the nearest first, as the views look them up.
  private static let together: [[KeyCommand.Place]] = [
    [.notes, .lists, .everywhere], [.photos, .lists, .everywhere], [.history, .lists, .everywhere],
    [.transfers, .lists, .everywhere], [.transfers, .reader, .everywhere], [.history, .reader, .everywhere],
    [.conflict, .reader, .everywhere], [.viewer, .everywhere], [.draft], [.editor], [.form], [.path],
  ]

  /// What the config has given twice. Where the defaults themselves let a view take a key of those below it, that is
  /// meant so.
  public var conflicts: [Conflict] {
    var found: [Conflict] = []
    for places in KeyTable.together {
      var owners: [Key: KeyCommand] = [:]
      for command in places.flatMap({ place in KeyCommand.all.filter { $0.place == place } }) {
        for key in keys(for: command.id) {
          guard let owner = owners[key] else {
            owners[key] = command
            continue
          }
          let conflict = Conflict(key: key, first: owner.id, second: command.id)
          let isMeant = owner.keys.contains(key) && command.keys.contains(key)
          if !isMeant, owner.id != command.id, !found.contains(conflict) { found.append(conflict) }
        }
      }
    }
    return found
  }
}
