public import TextUI

/// The default keys with the changes of the config's `keys`.
public struct KeyTable: Sendable {
  private var keys: [CommandID: [Key]] = [:]
  private var commands: [KeyCommand.Place: [Key: CommandID]] = [:]

  public static let standard = KeyTable(changes: [:])

  public init(changes: [CommandID: [Key]]) {
    for command in KeyCommand.all {
      let chosen = changes[command.id] ?? command.keys
      keys[command.id] = chosen
      for key in chosen where commands[command.place, default: [:]][key] == nil {
        commands[command.place, default: [:]][key] = command.id
      }
    }
  }

  public func keys(for id: CommandID) -> [Key] { keys[id] ?? [] }

  /// The first key's name; empty if the config has removed all keys.
  func name(of id: CommandID) -> String { keys(for: id).first?.name ?? "" }

  /// In the first of these places that has the key.
  public func command(for key: Key, in places: [KeyCommand.Place]) -> CommandID? {
    for place in places {
      if let id = commands[place]?[key] { return id }
    }
    return nil
  }

  /// The commands with a hint and a key; `words` replace hints. The help stays at every width, with a key that types
  /// nothing while a text is typed.
  func footer(_ ids: [CommandID], _ words: [CommandID: String] = [:], isTyping: Bool = false) -> [FooterKeys.Item] {
    ids.compactMap { id in
      guard let hint = KeyCommand.named(id)?.hint,
        let key = keys(for: id).first(where: { id != .help || !isTyping || $0.typed == nil })
      else { return nil }
      return .init(key.name, words[id] ?? hint, isKept: id == .help)
    }
  }
}

extension KeyTable {
  /// A key that the config gives to two commands of one view.
  public struct Conflict: Sendable, Hashable {
    public let key: Key
    /// The key runs this command: its place comes first, or it is the first in its place.
    public let first: CommandID
    /// The key does not reach this command.
    public let second: CommandID
  }

  /// Places whose keys work together, in lookup order.
  private static let together: [[KeyCommand.Place]] = [
    [.notes, .albums, .moves, .lists, .everywhere], [.photos, .grid, .albums, .moves, .lists, .everywhere],
    [.history, .moves, .lists, .everywhere], [.transfers, .moves, .lists, .everywhere],
    [.outline, .moves, .everywhere], [.backlinks, .moves, .everywhere], [.blame, .moves, .everywhere],
    [.trash, .moves, .everywhere], [.talk, .moves, .everywhere], [.news, .moves, .everywhere],
    [.draft, .moves, .everywhere],
    [.transfers, .reader, .everywhere], [.history, .scrub, .reader, .everywhere],
    [.conflict, .reader, .everywhere], [.page, .openNote, .reader, .everywhere], [.film, .marks, .viewer, .everywhere],
    [.completion, .editor], [.editorFind], [.form, .editor], [.remark, .path],
    [.clubs, .moves, .everywhere], [.clubPlaces, .moves, .everywhere], [.clubLine, .moves, .lists, .everywhere],
    [.clubForm, .clubLine, .moves, .everywhere], [.wall, .everywhere],
  ]

  /// A view may take over a key of the views below it if the defaults do so.
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
