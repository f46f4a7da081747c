internal import ClubServices
internal import FileStores
internal import TextUI

/// The notes that a tag led away from, and the list below them.
struct TagStep: Sendable {
  /// The words of the search for the tag, in texts and in front matter.
  let words: String
  /// The notes' readers, the topmost last.
  var readers: [NoteReader]
  /// The filter, the selected note and the top row before the tag was followed.
  let find: FindField
  let choice: FindField.Choice
}

/// The way from a tag to the list of its notes, and back.
extension NotesScreen {
  /// Filters the list by the notes that have a tag, and remembers the way back.
  static func follow(tag: String, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    let files = state.files
    let step = TagStep(
      words: tag.contains(" ") ? "tag:\"\(tag)\"" : "tag:\(tag)", readers: state.views.compactMap { $0 as? NoteReader },
      find: files.find, choice: FindField.Choice(path: files.selected, top: files.rows.top))
    let commands = update(&state, .sought(step.words), &frame)
    guard !state.hasView, !step.readers.isEmpty else { return commands }
    state.tagSteps.append(step)
    while state.tagSteps.count > 1, state.tagSteps.reduce(0, { $0 + $1.readers.count }) > mostReaders {
      state.tagSteps.removeFirst()
    }
    sayWayBack(state, &frame)
    return commands
  }

  /// Leads back to the note whose tag filters the list; the list is as it was before.
  static func goBack(_ state: inout NotesState, _ frame: inout Frame) -> Commands {
    guard let step = state.tagSteps.popLast() else {
      frame.say("No tag led here.")
      return []
    }
    let isSeeking = state.files.sought != nil
    state.files.restore(step.find, step.choice)
    state.views = step.readers
    return (isSeeking ? [.cancel(key: state.files.words.key("search"))] : []) + rereadTop(state)
  }

  /// Keeps the way back right after an event of the list.
  static func followTags(_ action: FileListAction, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    guard let last = state.tagSteps.last else { return [] }
    switch action {
    case .found(last.words, _, _, _) where !state.hasView: sayWayBack(state, &frame)
    // The search shows nothing, so its note comes back.
    case .failed(.search(last.words), let error)
    where error.kind != .cancelled && !state.hasView && !state.takesText:
      return goBack(&state, &frame)
    case .renamed(let old, let entry): rename(old, to: entry, &state)
    case .undone(let outcome):
      if case .rename(let path, _) = outcome.step, let entry = outcome.back.first { rename(path, to: entry, &state) }
    case .trashed(let files, _):
      let paths = Set(files.map(\.origin))
      for index in state.tagSteps.indices {
        state.tagSteps[index].readers.removeAll { paths.contains($0.note.entry.path) }
      }
      state.tagSteps.removeAll { $0.readers.isEmpty }
    default: break
    }
    return []
  }

  /// Forgets the way back once the list shows something else.
  static func forgetTags(_ state: inout NotesState) {
    while let last = state.tagSteps.last, !state.files.shows(last.words) { state.tagSteps.removeLast() }
  }

  private static func rename(_ path: StorePath, to entry: FileEntry, _ state: inout NotesState) {
    for (index, step) in state.tagSteps.enumerated() {
      for (place, reader) in step.readers.enumerated() where reader.note.entry.path == path {
        state.tagSteps[index].readers[place].note = OpenNote(entry: entry, bytes: reader.note.bytes, draft: nil)
      }
    }
  }

  private static func sayWayBack(_ state: NotesState, _ frame: inout Frame) {
    guard let path = state.tagSteps.last?.readers.last?.note.entry.path else { return }
    let said = frame.notice.map { $0.text + " " } ?? ""
    frame.say("\(said)\(frame.keys.name(of: .notesBack)) leads back to \"\(path)\".")
  }
}

extension FileList {
  /// True if the list shows the result of this search, or waits for it.
  fileprivate func shows(_ words: String) -> Bool { sought == words || find.found?.words == words }

  /// Ends a search, and shows the list with an earlier filter.
  fileprivate mutating func restore(_ field: FindField, _ choice: FindField.Choice) {
    sought = nil
    find = field
    filterRows()
    choose(choice.path)
    rows.scroll(by: choice.top - rows.top)
  }
}
