import ArgumentParser
import ClubServices
import FileStores

/// `byteclub draft discard`.
struct DraftDiscard: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "discard", abstract: "Throw drafts away for good.",
    discussion: Examples.text(["byteclub draft discard Answer.md": "the newest of that name"]))

  @Argument(help: "The drafts, as draft ls names them; or their ids.") var names: [String]
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let drafts = session.open.drafts
    return try await Several.perform(names) { name throws(StoreError) in
      let draft = try DraftName.draft(name, in: try await drafts.all())
      try await drafts.discard(draft.id)
      session.notice("Discarded the draft of \"\(draft.shownName)\".")
      return Record(.draft(draft), line: nil)
    }
  }
}
