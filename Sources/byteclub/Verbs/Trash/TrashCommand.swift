import ArgumentParser

/// `byteclub trash`.
struct TrashCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trash",
    abstract: "List what was removed, get it back, or empty the trash.",
    discussion: Examples.text([
      "byteclub trash ls": "what is in it, newest first",
      "byteclub trash restore Answer.md": "put it back where it was",
    ]),
    subcommands: [TrashList.self, TrashRestore.self, TrashEmpty.self])
}
