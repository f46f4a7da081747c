import ClubServices
import FileStores
import Testing
import Transfers

@testable import Screens
@testable import TextUI

/// A word that is typed into a prompt never runs as commands: in every view, at every size of a note and of the screen,
/// however long the store takes, and whatever arrives in the middle of the word.
@Suite struct TypedWordTests {
  /// As commands, these letters would close the view, copy, share, trash, confirm, rename, sort, cancel and quit.
  static let word = "Dynxq RzYte1"

  /// Requests that a prompt may send while a word is typed.
  private static let harmless = [
    "run search texts", "cancel [notes.texts]", "cancel [photos.texts]", "run seek", "cancel [photos.seek]",
    "run look on",
    "run preview", "cancel [club.preview]", "run details", "run thumbnails", "run shapes", "run kinds",
    "cancel [photos.thumbnails]",
    "run complete", "run look for", "post edits", "post begin draft", "post retitle",
  ]

  /// Types the rest of the word, and expects that nothing else comes of it.
  static func expectTyping(_ word: String, _ robot: Robot, sourceLocation: SourceLocation = #_sourceLocation) {
    robot.take()
    let (view, tab) = (robot.view, robot.state.tab)
    robot.type(word)
    #expect(robot.view == view && robot.state.tab == tab, sourceLocation: sourceLocation)
    #expect(!isAsking(robot), sourceLocation: sourceLocation)
    let harmful = robot.take().filter { command in !harmless.contains { command.hasPrefix($0) } }
    #expect(harmful.isEmpty, sourceLocation: sourceLocation)
  }

  /// True if the next key would answer a question.
  static func isAsking(_ robot: Robot) -> Bool { robot.state.question != nil || robot.state.isAsking }

  @Test(arguments: Scene.allCases, [Size(80, 24), Size(120, 40), Size(40, 12), Size(200, 60)])
  func `a word after the find key is typed, in every view`(scene: Scene, size: Size) {
    let robot = scene.robot(size)
    // A question takes its own answers alone; while words for a remark are chosen, keys move a cursor.
    guard !Self.isAsking(robot), robot.state.help == nil, scene != .quoting else { return }
    robot.press("/")
    Self.expectTyping(Self.word, robot)
    #expect(robot.screen.contains(Self.word.suffix(4)))
  }

  @Test(arguments: Scene.allCases, [":", "?"])
  func `a word for the command line or the help is typed, in every view`(scene: Scene, key: String) {
    let robot = scene.robot()
    guard !Self.isAsking(robot), robot.state.help == nil, robot.state.line == nil, !robot.state.takesText else {
      return
    }
    robot.press(key)
    Self.expectTyping(Self.word, robot)
    #expect(key == "?" ? robot.state.help != nil : robot.state.line?.field.string == Self.word)
  }

  enum Reading: String, CaseIterable { case rendered, raw, plain, version }

  @Test(arguments: [10, TextSearch.slice - 90, TextSearch.slice + 9, 2 * TextSearch.slice + 9], Reading.allCases)
  func `a word is found in a note of any size, while the search goes on between the keys`(bytes: Int, reading: Reading)
  {
    let (line, word) = ("a line as long as others\n", "Dynq")
    let text = String(repeating: line, count: bytes / line.utf8.count) + "the \(word)\n"
    for answersAtOnce in [true, false] {
      let robot = open(text, reading)
      robot.press("/")
      for letter in word {
        Self.expectTyping(String(letter), robot)
        if answersAtOnce { robot.happen(.lookedOn) }
      }
      for _ in 0..<4 { robot.happen(.lookedOn) }
      #expect(robot.view == (reading == .version ? "version" : "reader"))
      #expect(robot.screen.contains("Find: \(word)") && robot.screen.contains("1 of 1"))
      #expect(robot.screen.contains("the \(word)"))
      robot.press("Enter")
      robot.happen(.lookedOn)
      #expect(!robot.screen.contains("Find: ") && robot.screen.contains("1 of 1"))
    }
  }

  private func open(_ text: String, _ reading: Reading) -> Robot {
    let name = reading == .plain ? "a.txt" : "a.md"
    let robot = Robot(notes: [name])
    guard reading != .version else {
      robot.press("H")
      robot.happen(.historyListed(Samples.path(name), Samples.versions(name)))
      robot.press("Down", "Enter")
      robot.happen(.versionRead(Samples.note(name, text, revision: "r2")))
      return robot
    }
    robot.press("Enter")
    robot.happen(.opened(Samples.note(name, text), .read))
    if reading == .raw { robot.press("m") }
    return robot
  }

  @Test(arguments: 0...word.count)
  func `a word for a note that is still being read is found once it is there`(letters: Int) {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.press("Enter", "/")
    Self.expectTyping(String(Self.word.prefix(letters)), robot)
    // The screen's rows end with their last letter.
    #expect(robot.screen.contains(letters == 0 ? "Find:" : "Find: \(Self.word.prefix(min(5, letters)))"))
    robot.happen(.opened(Samples.note("a.md", "one\n\nthe \(Self.word)\n"), .read))
    #expect(robot.view == "reader")
    Self.expectTyping(String(Self.word.dropFirst(letters)), robot)
    #expect(robot.screen.contains("Find: \(Self.word)") && robot.screen.contains("1 of 1"))
    robot.press("Enter", "Esc", "Esc")
    #expect(robot.view.isEmpty)
  }

  @Test(arguments: ["i", "Enter"], [0, 3, word.count])
  func `a text for a note that is still being read is typed into it`(key: String, letters: Int) {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.press("Enter", key)
    Self.expectTyping(String(Self.word.prefix(letters)), robot)
    robot.happen(.opened(Samples.note("a.md", "end"), .read))
    #expect(robot.view == "editor")
    robot.type(String(Self.word.dropFirst(letters)))
    #expect(robot.text == Self.word + "end" && !Self.isAsking(robot))
  }

  @Test(arguments: [0, 3, word.count])
  func `a caption is typed from its key on, however long the server takes`(letters: Int) {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    robot.press("c")
    Self.expectTyping(String(Self.word.prefix(letters)), robot)
    let path = Samples.path("photos/a.jpg.md")
    robot.happen(.notes(.opened(OpenNote(entry: FileEntry(path: path, kind: .file), bytes: [], draft: nil), .write)))
    robot.type(String(Self.word.dropFirst(letters)))
    #expect(robot.text == Self.word && !Self.isAsking(robot))
  }

  @Test func `a version that is still being read, a new name and a paste collect what is typed, too`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("H")
    robot.happen(.historyListed(Samples.path("a.md"), Samples.versions("a.md")))
    robot.press("Down", "Enter", "/")
    Self.expectTyping("Dy", robot)
    robot.paste("nx")
    robot.happen(.versionRead(Samples.note("a.md", "the Dynx", revision: "r2")))
    #expect(robot.view == "version" && robot.screen.contains("Find: Dynx") && robot.screen.contains("1 of 1"))
    robot.press("Esc", "Esc", "Esc", "Enter", "R")
    Self.expectTyping("Dy", robot)
    robot.happen(.opened(Samples.note("a.md", "text"), .read))
    #expect(robot.view == "rename" && robot.screen.contains("New name: a.mdDy"))
  }

  @Test func `Esc drops what was typed for a note, then the note, and a failure keeps the prompt`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("Enter", "/")
    Self.expectTyping("Dy", robot)
    robot.happen(.failed(.open(Samples.path("a.md"), .read), StoreError(.offline, "Away.", retryAfter: .seconds(8))))
    Self.expectTyping("nq", robot)
    #expect(robot.view == "opening" && robot.screen.contains("Find: Dynq") && robot.screen.contains("Away."))
    robot.press("Esc")
    #expect(robot.view == "opening" && !robot.screen.contains("Find:"))
    robot.press("Esc")
    #expect(robot.view.isEmpty)
  }

  @Test func `a draft, a conflict and a question wait for the end of the word for a note that arrives`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("Enter", "/")
    Self.expectTyping("Dy", robot)
    robot.happen(.opened(Samples.note("a.md", "the Dynx", draft: Samples.draft("a.md")), .read))
    #expect(robot.view == "reader")
    Self.expectTyping("nx", robot)
    robot.press("Esc")
    #expect(robot.view == "draft")
    let quick = Robot(notes: ["a.md"])
    quick.press("Enter", "Enter")
    quick.happen(.opened(Samples.note("a.md", "text", draft: Samples.draft("a.md")), .read))
    #expect(quick.view == "draft")
  }
}

/// What arrives in the middle of a word does not take the prompt away.
@Suite struct InterruptedWordTests {
  enum Prompt: String, CaseIterable {
    case find, readerFind, versionFind, rename, form, photoFind, upload, photoRename, editorFind, editorReplace, caption
    case part
  }

  enum Arrival: String, CaseIterable {
    case listing, removal, change, trashed, restored, restoreFailed, conflict, draft, held, found, renamed, sameContent
    case info, leaving, reread, rereadFailed

    var action: ClubAction {
      let path = Samples.path("a.md")
      switch self {
      case .listing: return .notes(.listed(Samples.table(["a.md", "c.md"])))
      case .removal: return .notes(.changed(ChangeSet(changes: [.absent(path)], cursor: ChangeCursor("1"))))
      case .change:
        return .notes(.changed(ChangeSet(changes: [.present(Samples.entry("a.md"))], cursor: ChangeCursor("1"))))
      case .trashed: return .notes(.trashed([Samples.trashed("a.md")]))
      case .restored: return .notes(.restoredVersion(Samples.entry("a.md", revision: "r4")))
      case .restoreFailed:
        return .notes(.failed(.restoreVersion(path, Revision("r1"), over: nil), StoreError(.conflict, "Changed.")))
      case .conflict: return .notes(.saved(path, .conflict(Samples.conflict("a.md")), session: nil))
      case .draft: return .notes(.foundWaiting([Samples.waiting("b.md")]))
      case .held: return .notes(.removalHeld([path]))
      case .found:
        return .notes(.files(.found("pier", [FoundFile(Samples.path("a.md"), line: 1)], total: 2, remark: "")))
      case .renamed: return .notes(.renamed(from: path, Samples.entry("z.md")))
      case .sameContent: return .photos(.clubHas(["/a.jpg"], [Samples.path("photos/a.jpg")]))
      case .info:
        return .photos(.failed(.view(Samples.path("photos/a.jpg"), onDisk: nil), StoreError(.offline, "Away.")))
      case .leaving: return .transfers(.leaveAsked(isElsewhere: false))
      case .reread: return .notes(.opened(Samples.note("a.md", "new text", revision: "r2"), .reread))
      case .rereadFailed: return .notes(.failed(.open(path, .read), StoreError(.notFound, "Gone.")))
      }
    }
  }

  @Test(arguments: Prompt.allCases, Arrival.allCases)
  func `the word goes on in its prompt`(prompt: Prompt, arrival: Arrival) {
    let robot = start(prompt)
    TypedWordTests.expectTyping("Dyn", robot)
    robot.happen(arrival.action)
    #expect(robot.state.takesText && !TypedWordTests.isAsking(robot))
    TypedWordTests.expectTyping("xqR", robot)
    #expect(typed(robot, prompt)?.contains("DynxqR") == true)
  }

  @Test(arguments: Arrival.allCases)
  func `the word goes on in the command line, which takes the keys before a question below it`(arrival: Arrival) {
    let robot = start(.find)
    robot.press("Esc", ":")
    robot.type("Dyn")
    robot.happen(arrival.action)
    robot.type("xqR")
    #expect(robot.state.line?.field.string == "DynxqR" && robot.state.question == nil)
  }

  private func start(_ prompt: Prompt) -> Robot {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.happen(transfers: .appeared(Samples.transfer("t1", "x.jpg")))
    robot.happen(.files(.sought("pier")))
    switch prompt {
    case .find: robot.press("/")
    case .readerFind:
      robot.press("Enter")
      robot.happen(.opened(Samples.note("a.md", "text"), .read))
      robot.press("/")
    case .versionFind:
      robot.press("H")
      robot.happen(.historyListed(Samples.path("a.md"), Samples.versions("a.md")))
      robot.press("Down", "Enter")
      robot.happen(.versionRead(Samples.note("a.md", "text", revision: "r2")))
      robot.press("/")
    case .rename: robot.press("R")
    case .form: robot.press("n")
    case .editorFind, .editorReplace:
      robot.press("Enter")
      robot.happen(.opened(Samples.note("a.md", "text"), .read))
      robot.press("i", "Ctrl-F")
      if prompt == .editorReplace { robot.press("Tab") }
    case .caption:
      robot.press("2")
      robot.happen(.photos(.listed(Samples.table(["a.jpg", "b.jpg"], folder: "photos"))))
      robot.press("c")
      let entry = FileEntry(path: Samples.path("photos/a.jpg.md"), kind: .file)
      robot.happen(.notes(.opened(OpenNote(entry: entry, bytes: [], draft: nil), .write)))
    case .part:
      let conflict = Samples.conflict("b.md", mine: "one\nmy two\n", theirs: "one\nanother\n", base: "one\ntwo\n")
      robot.happen(.saved(Samples.path("b.md"), .conflict(conflict), session: nil))
      robot.press("e")
    case .photoFind, .upload, .photoRename:
      robot.press("2")
      robot.happen(.photos(.listed(Samples.table(["a.jpg", "b.jpg"], folder: "photos"))))
      robot.press(prompt == .photoFind ? "/" : prompt == .upload ? "u" : "R")
    }
    robot.take()
    return robot
  }

  private func typed(_ robot: Robot, _ prompt: Prompt) -> String? {
    switch prompt {
    case .find: robot.state.notes.files.find.field.string
    case .readerFind, .versionFind: robot.state.notes.reader?.find.string
    case .rename: robot.state.notes.files.renaming?.name.string
    case .form: if let form = robot.state.notes.views.last as? NewNoteForm { form.name.string } else { nil }
    case .photoFind: robot.state.photos.files.find.field.string
    case .upload: robot.state.photos.prompt?.field.string
    case .photoRename: robot.state.photos.files.renaming?.name.string
    case .editorFind, .editorReplace:
      if let editor = robot.state.notes.views.last as? NoteEditor {
        (prompt == .editorFind ? editor.bar.find : editor.bar.replacement).string
      } else {
        nil
      }
    case .caption, .part: robot.text
    }
  }

  @Test func `a name that is corrected while the first one is sent stays in its field`() {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.press("R")
    robot.type("x")
    robot.press("Enter")
    TypedWordTests.expectTyping("Dy", robot)
    robot.happen(.renamed(from: Samples.path("a.md"), Samples.entry("a.mdx")))
    TypedWordTests.expectTyping("nq", robot)
    robot.take()
    robot.press("Enter")
    #expect(robot.take() == ["run rename a.mdx to a.mdxDynq"])
  }

  @Test func `words that are typed while a search runs narrow its result`() {
    let robot = Robot(notes: ["pier.md", "Dynx.md"])
    robot.press(":")
    robot.type("search pier\n")
    robot.press("/")
    TypedWordTests.expectTyping("Dy", robot)
    let found = ["pier.md", "Dynx.md"].map { FoundFile(Samples.path($0), line: 1) }
    robot.happen(.files(.found("pier", found, total: 2, remark: "")))
    TypedWordTests.expectTyping("nx", robot)
    #expect(robot.rows == ["Dynx.md"] && robot.screen.contains("Find: Dynx"))
  }

  @Test func `quitting does not ask in the middle of a word`() {
    let robot = Robot(notes: ["a.md"])
    robot.happen(transfers: .appeared(Samples.transfer("t1", "x.jpg")))
    robot.press("q", "/")
    TypedWordTests.expectTyping("cab", robot)
    robot.happen(transfers: .leaveAsked(isElsewhere: false))
    #expect(robot.question == nil && robot.notice?.contains("under way") == true)
    TypedWordTests.expectTyping("pw", robot)
    robot.press("Esc", "q")
    robot.happen(transfers: .leaveAsked(isElsewhere: false))
    #expect(robot.question?.contains("Quit?") == true)
  }
}
