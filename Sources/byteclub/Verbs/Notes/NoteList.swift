import ArgumentParser
import ClubServices
import FileStores

/// `byteclub note ls`.
struct NoteList: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List the notes by name.",
    discussion: Examples.text([
      "byteclub note ls": "one name a line",
      "byteclub note ls --long": "with size and time",
      "byteclub note ls --json": "with revision and state",
    ]))

  @Flag(name: .shortAndLong, help: "Show size and time, too.")
  var long = false
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    var entries: [FileEntry] = []
    if long || session.isJSON {
      try await session.open.notes.details { entries += $0 }
    } else {
      try await session.open.notes.names { notes, _ in entries += notes }
    }
    entries.sort { $0.path < $1.path }
    let states = session.isJSON ? try await FileStates(session.open) : FileStates()
    return Answer(
      entries.map { entry in
        Record(.file(entry, state: states.state(of: entry.path)), line: FileLine.bytes(entry, isLong: long))
      })
  }
}
