import ArgumentParser
import ClubServices
import FileStores

/// `byteclub draft send`.
struct DraftSend: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "send", abstract: "Send texts that are not in the club.",
    discussion: Examples.text([
      "byteclub draft send": "send everything that waits, oldest first",
      "byteclub draft send Answer": "send this one, even a draft that was never saved",
      "byteclub draft send Answer --both": "keep both texts when someone else changed the note",
    ])
      + "\n\nWhen someone else changed a note in the meantime, nothing is overwritten, your text stays here, and the exit "
      + "code is 5. With --both your text becomes a note beside it.")

  @Argument(help: "The note's name, or the id; without it, everything that waits.") var name: String?
  @Flag(name: .long, help: "When someone else changed the note, save your text as a note beside it.") var both = false
  @OptionGroup var shared: SharedOptions

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    let all = try await notes.waiting()
    var texts = all.filter { ($0.kind == .toSend || both && $0.kind == .conflict) && !$0.isElsewhere }
      .sorted { $0.changed < $1.changed }
    if let name { texts = [try DraftName.text(name, in: all)] }
    guard !texts.isEmpty else { return Answer([], notice: DraftSend.nothing(all)) }
    var answer = Answer()
    for text in texts {
      if Task.isCancelled { throw .cancelled("The command") }
      do throws(StoreError) {
        guard !text.isElsewhere else { throw text.isOpenElsewhere }
        answer.records.append(try record(try await send(text, notes), text, session))
      } catch {
        answer.failures.append(error)
        // The others would wait as long for the same server.
        if error.isTemporary || error.kind == .notSignedIn || error.kind == .cancelled { break }
      }
    }
    return answer
  }

  private func send(_ text: WaitingText, _ notes: NotesService) async throws(StoreError) -> SaveOutcome {
    let outcome = try await notes.send(text)
    guard both, case .conflict(let conflict) = outcome else { return outcome }
    return try await notes.resolve(conflict, .both)
  }

  private func record(_ outcome: SaveOutcome, _ text: WaitingText, _ session: Session) throws(StoreError) -> Record {
    switch outcome {
    case .saved(let entry):
      let isBeside = text.path != nil && text.path != entry.path
      session.notice(
        isBeside
          ? "Kept both: your text is in \"\(entry.path)\"." : "Saved \"\(entry.path)\".\(entry.lossSentence)")
      return Record(.file(entry), line: nil)
    case .kept(_, let error): throw error.ofKept(text.path ?? .root)
    case .conflict(let conflict):
      throw StoreError(
        .conflict,
        "Someone else \(conflict.theirs == nil ? "deleted" : "changed") \"\(conflict.path)\" in the meantime. "
          + "Your text: byteclub draft cat \(text.word). Theirs: byteclub note cat \"\(conflict.path)\".",
        remedy: "To keep both: byteclub draft send \(text.word) --both", path: conflict.path,
        current: conflict.theirEntry)
    case .deleted(let path):
      throw StoreError(.conflict, "Someone else deleted \"\(path)\" in the meantime.", path: path)
    }
  }

  private static func nothing(_ all: [WaitingText]) -> String {
    let conflicts = all.count { $0.kind == .conflict }
    guard conflicts > 0 else { return "No text waits to be sent." }
    return "No text waits to be sent, but you have \(conflicts == 1 ? "one conflict" : "\(conflicts) conflicts"). "
      + "See them with: byteclub draft ls"
  }
}
