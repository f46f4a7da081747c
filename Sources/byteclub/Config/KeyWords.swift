/// What the config may say under `keys`: taken from the screens' own table, so that the two cannot differ.
struct KeyWords: Sendable {
  /// The commands that can be given other keys: `notes.new`.
  let commands: [String]
  /// Whether a word such as `Ctrl-N` names a key.
  let understands: @Sendable (String) -> Bool

  /// Makes it.
  init(commands: [String], understands: @escaping @Sendable (String) -> Bool) {
    self.commands = commands
    self.understands = understands
  }
}
