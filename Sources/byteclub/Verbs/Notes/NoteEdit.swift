import ArgumentParser
import ClubServices
import FileStores
import Synchronization

/// `byteclub note edit`.
struct NoteEdit: ClubVerb {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Edit a note with $VISUAL or $EDITOR.",
    discussion: Examples.text([
      "EDITOR=nano byteclub note edit Answer": "each save of the editor goes to the club at once"
    ])
      + "\n\nWhen someone else changed the note in the meantime, their text stays, yours becomes a note beside it, and the "
      + "exit code is 5.")

  @Argument(help: "The note.") var name: String
  @OptionGroup var shared: SharedOptions

  var isInterruptible: Bool { false }

  func perform(_ session: Session) async throws(StoreError) -> Answer {
    let notes = session.open.notes
    guard let command = session.setup.environment["VISUAL"] ?? session.setup.environment["EDITOR"] else {
      throw StoreError(
        .badInput, "No editor is set.", remedy: "Set the variable VISUAL or EDITOR, such as: export EDITOR=nano")
    }
    let path = try await NoteName.entry(name, in: session.store).path
    let edit = try await notes.beginEdit(path)
    let log = session.setup.log
    let follower = Task {
      do throws(StoreError) {
        try await notes.follow(edit) { _ in }
      } catch {
        // What was written is found by `endEdit`.
        log.error("the copy could not be followed", error)
      }
    }
    let end = await session.setup.pool.run { EditorProcess.run(command, file: edit.copy) }
    follower.cancel()
    await follower.value
    let outcome = try await notes.endEdit(edit)
    if let end { throw failure(end, command, path) }
    return try await answer(outcome, notes, path)
  }

  private func answer(
    _ outcome: SaveOutcome, _ notes: NotesService, _ path: StorePath
  ) async throws(StoreError) -> Answer {
    switch outcome {
    case .saved(let entry):
      return Answer([Record(.file(entry), line: nil)], notice: "Saved \"\(entry.path)\".\(entry.lossSentence)")
    case .kept(_, let error): throw error.ofKept(path)
    case .deleted:
      throw StoreError(
        .conflict, "Someone else deleted \"\(path)\" in the meantime.", remedy: "It may be in the trash.",
        path: path)
    case .conflict(let conflict):
      let kept = try await notes.resolve(conflict, .both)
      guard case .saved(let mine) = kept else {
        throw StoreError(
          .conflict, "Someone else changed \"\(path)\" while you edited it.",
          remedy: "Your text is kept. Open byteclub to choose.", path: path)
      }
      throw StoreError(
        .conflict, "Someone else changed \"\(path)\" while you edited it. Your text is in \"\(mine.path)\".",
        remedy: "Merge the two as you like.", path: path, current: conflict.theirEntry)
    }
  }

  private func failure(_ end: EditorProcess.Failure, _ command: String, _ path: StorePath) -> StoreError {
    switch end {
    case .didNotStart(let code):
      StoreError(
        .badInput, "The editor \"\(command)\" did not start: \(SystemError.sentence(code)).",
        remedy: "Check the variables VISUAL and EDITOR.", path: path)
    case .failed(let status):
      StoreError(
        .badInput,
        "The editor \"\(command)\" ended with status \(status). Its saves of \"\(path)\" are in the club.",
        remedy: status == 127 ? "Check the variables VISUAL and EDITOR." : "", path: path)
    }
  }
}
