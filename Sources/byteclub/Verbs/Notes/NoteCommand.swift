import ArgumentParser

/// `byteclub note`.
struct NoteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "note",
    abstract: "List, read, write, rename and remove notes, and restore older versions.",
    discussion: Examples.text([
      "byteclub note ls --long": "notes with size and time",
      "byteclub note cat Welcome": "print a note",
      "byteclub note put Answer answer.md": "replace a note's text by a file's",
      "date | byteclub note append Log": "add a line at the end of a note",
      "byteclub note edit Answer": "edit it with $VISUAL or $EDITOR",
    ]),
    subcommands: [
      NoteList.self, NoteCat.self, NotePut.self, NoteAppend.self, NoteEdit.self, NoteMove.self, NoteRemove.self,
      NoteHistory.self,
      NoteRestore.self,
    ])
}
