internal import ClubServices
internal import FileStores
internal import TextUI

/// The choices of the editor's menu for insertions.
enum Insertion: String, Sendable, Hashable, CaseIterable {
  case picture, upload, note, date, table

  var words: String {
    switch self {
    case .picture: "picture of the club"
    case .upload: "picture of this machine"
    case .note: "link to a note"
    case .date: "today's date"
    case .table: "table"
    }
  }

  var fact: String { self == .upload ? "it is uploaded first" : "" }
}

/// A picture of this machine on its way into a note.
struct PictureOnItsWay: Sendable {
  let session: Int
  /// As the member typed it.
  let file: String
  /// The file that is uploaded, once it is known.
  var local: String?
}

extension NotesScreen {
  /// Opens the menu of insertions over the topmost text.
  static func openInsertions(_ state: inout NotesState, _ frame: inout Frame) {
    guard state.writingSession != nil else {
      return frame.say("A part takes text alone. \(frame.keys.name(of: .editorDone)) leads back to the whole note.")
    }
    let items = Insertion.allCases.map { NoteChoice.Item($0.words.utf8, $0.fact, .insertion($0)) }
    state.views.append(NoteChoice("Insert: ", items, empty: "", frame))
    fit(&state, frame)
  }

  /// An insertion by its word, as behind `:insert`; the menu without one.
  static func insert(named word: String, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    if let insertion = Insertion(rawValue: word), state.writingSession != nil {
      return begin(insertion, &state, &frame)
    }
    if word.isEmpty {
      openInsertions(&state, &frame)
    } else {
      frame.say("byteclub can insert: \(Insertion.allCases.map(\.rawValue).joined(separator: ", ")).")
    }
    return []
  }

  static func begin(_ insertion: Insertion, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    switch insertion {
    case .picture: offerPictures(&state, &frame)
    case .upload:
      state.views.append(PicturePrompt())
      fit(&state, frame)
      return [.run(.picture(.complete("")), key: "notes.path")]
    case .date: return [.run(.readTemplate(nil), key: "notes.template")]
    case .note:
      let items =
        state.files.table?.allNames.map { NoteChoice.Item($0, "", .note(StorePath.root.descending($0))) } ?? []
      state.views.append(NoteChoice("Link to: ", items, empty: "The club has no notes yet.", frame))
      fit(&state, frame)
    case .table:
      let sizes = [(2, 2), (3, 3), (4, 4)].map {
        NoteChoice.Item("\($0) x \($1)".utf8, "", .table(columns: $0, rows: $1))
      }
      state.views.append(
        NoteChoice("Table, columns x rows: ", sizes, empty: "", frame) { typed in
          NoteLink.tableSize(typed).map { size in
            .init(
              typed.utf8, NoteLink.words(columns: size.columns, rows: size.rows),
              .table(columns: size.columns, rows: size.rows))
          }
        })
      fit(&state, frame)
    }
    return []
  }

  private static func offerPictures(_ state: inout NotesState, _ frame: inout Frame) {
    guard let photos = state.photos else {
      return frame.complain("The list of photos is not read yet. Try again in a moment.")
    }
    let others = state.files.table?.pictures(for: "", most: .max) ?? []
    let items =
      photos.allNames.map { NoteChoice.Item($0, "", .picture(photos.folder.descending($0))) }
      + others.map { NoteChoice.Item($0.bytes[...], "", .picture($0)) }
    let empty = "The club has no pictures yet. \"\(Insertion.upload.words)\" uploads one."
    state.views.append(NoteChoice("Picture: ", items, empty: empty, frame))
    fit(&state, frame)
  }

  /// Inserts a link in the style of the topmost text.
  static func insertLink(
    to path: StorePath, isPicture: Bool, _ state: inout NotesState, _ frame: inout Frame
  ) -> Commands {
    let (note, text) =
      switch state.views.last {
      case let editor as NoteEditor: (editor.path ?? .root, editor.text.bytes)
      case let form as NewNoteForm: (form.notePath, form.text.bytes)
      default: (StorePath.root, [UInt8]())
      }
    let source = NoteLink.source(
      to: path, isPicture: isPicture, from: note, isWiki: NoteLink.usesWikiLinks(text)
    ) { state.onlyFile(of: $0, from: $1) }
    return insert(source, &state, frame.now)
  }

  /// Inserts bytes at the cursor, as one undo step.
  static func insert(_ bytes: [UInt8], _ state: inout NotesState, _ now: Int64) -> Commands {
    let put = { (text: inout TextEditor) -> EditOutcome in
      let place = text.text.cursor
      let outcome = text.apply([TextEdit(offset: place, removed: 0, inserted: bytes)])
      text.move(to: place + bytes.count)
      return outcome
    }
    // The text takes it, also while a field has the keys.
    if (state.views.last as? NoteEditor)?.bar.field != nil {
      return changeEditor(&state) { editor in editor.record(put(&editor.text)) }
    }
    if var form = state.views.last as? NewNoteForm, !form.isInText {
      state.views.removeLast()
      let commands = form.record(put(&form.text))
      state.views.append(form)
      return commands
    }
    return write(&state, now, put, inName: { _ in .ignored })
  }

  // MARK: - Pictures of this machine

  /// Asks if a pasted text is the path of a picture, if it looks so.
  static func lookForPicture(_ pasted: [UInt8], _ state: NotesState) -> Commands {
    guard state.writingSession != nil, pasted.count < 4096, !pasted.contains(0x0A),
      let text = String(validating: pasted, as: UTF8.self), TypedPaths.picture(pasted: text) != nil
    else { return [] }
    return [.run(.picture(.look(pasted)), key: "notes.pasted")]
  }

  static func happen(_ action: PictureAction, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    switch action {
    case .completed(let typed, let completion):
      guard var prompt = state.views.last as? PicturePrompt, prompt.path.field.string == typed else { return [] }
      let waiting = prompt.path.waiting
      prompt.path.waiting = nil
      prompt.path.take(completion)
      state.replaceTop(prompt)
      return waiting.map { prompt.handle($0, &state, &frame) } ?? []
    case .found(let file, let pasted):
      // A member who types on does not expect a question.
      guard state.question == nil, state.isBehind(pasted) else { return [] }
      let name = file.split(separator: "/").last.map(String.init) ?? file
      state.question = Question(
        "Upload \"", naming: name, "\" and show it here?",
        answers: [
          .init("y", "upload it", .picture(.confirmed(file, pasted: pasted))), .init("n", "keep the path", nil),
        ])
    case .confirmed(let file, let pasted):
      let removed = remove(pasted, &state, frame.now)
      return removed + upload(file, &state, &frame)
    case .began(let file, let local):
      if let place = state.pictures.firstIndex(where: { $0.file == file }) { state.pictures[place].local = local }
    case .ready(let file, let path):
      guard let picture = state.takePicture(file) else { return [] }
      // The member may be choosing the next insertion: the text is below.
      var prompts: [any TabView<NotesState>] = []
      while let top = state.views.last, top is any NotesPrompt {
        state.views.removeLast()
        prompts.insert(top, at: 0)
      }
      defer { state.views += prompts }
      guard state.isWriting(in: picture.session) else {
        frame.say("Uploaded \"\(path)\". Its note is no longer open, so no link was written.")
        return []
      }
      frame.say("Uploaded \"\(path)\".")
      return insertLink(to: path, isPicture: true, &state, &frame)
    case .ended(let file, let error):
      if state.takePicture(file) != nil, let error { frame.complain("\"\(file)\" was not uploaded. \(error)") }
    }
    return []
  }

  /// Uploads a file; its link is written once the club has it.
  static func upload(_ file: String, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    guard let session = state.writingSession else { return [] }
    state.pictures.append(PictureOnItsWay(session: session, file: file))
    frame.say("Uploading \"\(file)\". Its link comes when the club has it.")
    return [.run(.picture(.upload(file)))]
  }

  /// Removes a pasted text if the cursor is still behind it.
  private static func remove(_ pasted: [UInt8], _ state: inout NotesState, _ now: Int64) -> Commands {
    guard !pasted.isEmpty else { return [] }
    return write(
      &state, now,
      { text in
        let start = text.text.cursor - pasted.count
        guard start >= 0, text.text.buffer.bytes(in: start..<text.text.cursor) == pasted else { return .ignored }
        let outcome = text.apply([TextEdit(offset: start, removed: pasted.count, inserted: [])])
        text.move(to: start)
        return outcome
      }, inName: { _ in .ignored })
  }
}

extension NotesState {
  /// The session of the topmost text.
  var writingSession: Int? {
    switch views.last {
    case let editor as NoteEditor: editor.session
    case let form as NewNoteForm: form.session
    default: nil
    }
  }

  /// True if the cursor of the topmost text is right behind this text.
  fileprivate func isBehind(_ pasted: [UInt8]) -> Bool {
    let text: TextEditor
    switch views.last {
    case let editor as NoteEditor: text = editor.text
    case let form as NewNoteForm: text = form.text
    default: return false
    }
    let cursor = text.text.cursor
    guard cursor >= pasted.count else { return false }
    return text.text.buffer.bytes(in: (cursor - pasted.count)..<cursor) == pasted
  }

  /// Takes a picture out that is no longer on its way.
  fileprivate mutating func takePicture(_ file: String) -> PictureOnItsWay? {
    pictures.firstIndex { $0.file == file }.map { pictures.remove(at: $0) }
  }

  /// True while a note is written, whatever lies over it.
  var hasText: Bool { views.contains { $0 is NoteEditor || $0 is NewNoteForm } }

  /// True if the topmost text is that of the session, or goes on with it.
  func isWriting(in session: Int) -> Bool {
    writingSession == session || (views.last as? NoteEditor)?.saved.contains(session) == true
  }
}
