import ArgumentParser
import ClubServices
import FileStores
import JSON

/// `byteclub draft cat`.
struct DraftCat: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "cat", abstract: "Print a text that is not in the club, byte by byte as it is.",
    discussion: Examples.text([
      "byteclub draft cat Answer.md": "the first of that name in draft ls",
      "byteclub draft cat s12": "the one with this id, as draft ls --json names it",
    ]))

  @Argument(help: "The note's name, or the id.") var name: String
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    let found = try DraftName.text(name, in: try await notes.waiting())
    let bytes = try await notes.text(of: found.id)
    guard session.isJSON else {
      session.output.bytes(bytes)
      return Answer()
    }
    guard let text = String(validating: bytes, as: UTF8.self), case .object(let members) = JSONValue.waiting(found)
    else {
      throw StoreError(
        .badInput, "The text is not UTF-8, so JSON cannot hold it.", remedy: "Leave out --json.")
    }
    return Answer([
      Record(.object(members + [JSONMember("text", .string(text))]), line: nil)
    ])
  }
}
