import ArgumentParser
import ClubServices
import FileStores
import JSON

/// `byteclub draft cat`.
struct DraftCat: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "cat", abstract: "Print a draft, byte by byte as it is.",
    discussion: Examples.text(["byteclub draft cat Answer.md": "the newest of that name"]))

  @Argument(help: "The draft, as draft ls names it; or its id.") var name: String
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let drafts = session.open.drafts
    let draft = try DraftName.draft(name, in: try await drafts.all())
    let bytes = try await drafts.text(of: draft.id)
    guard session.isJSON else {
      session.output.bytes(bytes)
      return Answer()
    }
    guard let text = String(validating: bytes, as: UTF8.self), case .object(let members) = JSONValue.draft(draft) else {
      throw StoreError(
        .badInput, "The draft is not UTF-8, and JSON can hold nothing else.", remedy: "Leave out --json.")
    }
    return Answer([
      Record(.object(members + [JSONMember("text", .string(text))]), line: nil)
    ])
  }
}
