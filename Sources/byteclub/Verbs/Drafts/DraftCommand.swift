import ArgumentParser

/// `byteclub draft`.
struct DraftCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "draft",
    abstract: "List, print and discard texts that were typed but not saved.",
    discussion: Examples.text([
      "byteclub draft ls": "what there is",
      "byteclub draft cat Answer.md > answer.md": "get a text out",
    ]),
    subcommands: [DraftList.self, DraftCat.self, DraftDiscard.self])
}
