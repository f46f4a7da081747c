import ArgumentParser
import ClubServices
import FileStores
import JSON
import TextUI

/// `byteclub draft ls`.
struct DraftList: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "ls", abstract: "List the texts that are not in the club.",
    discussion: Examples.text([
      "byteclub draft ls": "kind, age, size, name and first line",
      "byteclub draft ls --json": "with ids and revisions",
    ])
      + "\n\nThe kinds: conflict, someone else changed the note in the meantime; to send, a save that waits until the server "
      + "answers; draft, typed and not saved; discarded, kept for a week.")

  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let texts = try await session.open.notes.waiting()
    let now = Int(TransferBase.now.seconds)
    let names = texts.map { TerminalText.filtered($0.shownName.utf8) }
    let width = min(DraftList.widestName, names.map { TerminalText.columns($0) }.max() ?? 0)
    return Answer(
      zip(texts, names).map { text, name in
        let age = Age.text(of: Int(text.changed.seconds), now: now)
        let columns = [
          DraftList.padded(text.kind.rawValue, 9), DraftList.padded(age, 10),
          DraftList.padded(ByteCount.text(text.bytes), 9),
          DraftList.padded(name, width),
          TerminalText.cut(String(decoding: text.firstLine, as: UTF8.self), columns: 40).text,
        ]
        return Record(.waiting(text), line: columns.joined(separator: "  "))
      })
  }

  private static let widestName = 40

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - TerminalText.columns(text)))
  }
}
