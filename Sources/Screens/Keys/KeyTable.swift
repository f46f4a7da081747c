public import TextUI

/// Which keys do what: the commands and, over them, what the config says under `keys`.
public struct KeyTable: Sendable {
  /// The keys of each command, by its id.
  private var keys: [CommandID: [Key]] = [:]
  private var commands: [KeyCommand.Place: [Key: CommandID]] = [:]

  /// The table of the defaults.
  public static let standard = KeyTable(changes: [:])

  /// The defaults with some commands' keys replaced.
  public init(changes: [CommandID: [Key]]) {
    for command in KeyCommand.all {
      let chosen = changes[command.id] ?? command.keys
      keys[command.id] = chosen
      for key in chosen where commands[command.place, default: [:]][key] == nil {
        commands[command.place, default: [:]][key] = command.id
      }
    }
  }

  /// The keys of a command.
  public func keys(for id: CommandID) -> [Key] { keys[id] ?? [] }

  /// What a command's first key is called, for sentences; empty when the config has taken all its keys away.
  func name(of id: CommandID) -> String { keys(for: id).first?.name ?? "" }

  /// The command that a key means in the first of these places that knows it.
  public func command(for key: Key, in places: [KeyCommand.Place]) -> CommandID? {
    for place in places {
      if let id = commands[place]?[key] { return id }
    }
    return nil
  }

  /// The footer of some places: first key and word of each command that has a word.
  public func footer(_ ids: [CommandID]) -> [(key: String, word: String)] {
    ids.compactMap { id in
      guard let command = KeyCommand.named(id), let hint = command.hint, let key = keys(for: id).first
      else { return nil }
      return (key.name, hint)
    }
  }
}
