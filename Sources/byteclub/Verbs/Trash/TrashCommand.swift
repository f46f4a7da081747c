import ArgumentParser

/// `byteclub trash`.
struct TrashCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trash",
    abstract: "List removed files, restore them, or empty the trash.",
    discussion: Examples.text([
      "byteclub trash ls": "list its files, newest first",
      "byteclub trash restore Answer.md": "put it back",
    ]),
    subcommands: [TrashList.self, TrashRestore.self, TrashEmpty.self])
}
