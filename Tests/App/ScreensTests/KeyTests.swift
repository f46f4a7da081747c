import ClubServices
import FileStores
import Imaging
import Testing
import TextUI
import Transfers

@testable import Screens

@Suite struct KeyTests {
  @Test(arguments: [(100, false), (600, true)] as [(Int64, Bool)])
  func `a quit key right after Esc led back does not quit`(pause: Int64, quits: Bool) {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", "text"), .read))
    robot.take()
    robot.press("Esc")
    robot.pause = pause
    robot.press("q")
    #expect(robot.take().contains("quit") == quits)
    guard !quits else { return }
    #expect(robot.notice == "Press q again to quit.")
    robot.pause = 400
    robot.press("q")
    #expect(robot.take().contains("quit"))
  }

  @Test func `a quit key right after Esc has cleared the filter does not quit`() {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.press("/")
    robot.type("b")
    robot.press("Enter", "Esc")
    robot.pause = 100
    robot.press("q")
    #expect(!robot.take().contains("quit") && robot.rows == ["a.md", "b.md"])
    // Esc is not the last key any more.
    robot.press("/")
    robot.type("b")
    robot.press("Enter", "Esc", "j", "q")
    #expect(robot.take().contains("quit"))
  }

  @Test func `each command has a row in the table, a key, and words`() {
    #expect(KeyCommand.all.map(\.id).count == CommandID.allCases.count)
    for id in CommandID.allCases {
      #expect(KeyCommand.named(id)?.help.isEmpty == false, "\(id)")
      #expect(!KeyTable.standard.keys(for: id).isEmpty, "\(id)")
    }
  }

  @Test func `no two commands share a key where both work`() {
    #expect(KeyTable.standard.conflicts.isEmpty)
    for places in [[KeyCommand.Place.notes, .moves, .lists], [.photos, .moves, .lists]] {
      let keys = KeyCommand.all.filter { places.contains($0.place) }.flatMap(\.keys)
      #expect(Set(keys).count == keys.count)
    }
  }

  @Test func `a clash that the config makes is reported, and the first one wins`() {
    let table = KeyTable(changes: [.listUp: [Key(.character("j"))]])
    #expect(table.conflicts.count == 1)
    #expect(table.command(for: Key(.character("j")), in: [.moves]) == .listUp)
  }

  @Test(arguments: [
    (CommandID.notesRename, "q", CommandID.notesRename, CommandID.quit), (.notesNew, "j", .notesNew, .listDown),
    (.quit, "j", .listDown, .quit), (.photosInfo, "?", .photosInfo, .help), (.readerUp, "z", .readerUp, .undo),
  ])
  func `a clash of places that work together is reported with both names, the nearer first`(
    _ row: (changed: CommandID, key: String, first: CommandID, second: CommandID)
  ) throws {
    let key = try #require(Key(row.key))
    let conflicts = KeyTable(changes: [row.changed: [key]]).conflicts
    #expect(conflicts.contains(KeyTable.Conflict(key: key, first: row.first, second: row.second)))
  }

  @Test func `the same key in places that never work together is no clash`() throws {
    let key = try #require(Key("F7"))
    #expect(KeyTable(changes: [.notesNew: [key], .photosUpload: [key], .viewerFill: [key]]).conflicts.isEmpty)
  }

  /// The commands of the screen of clubs have tests of their own.
  private static let ids = CommandID.allCases.filter { id in
    let place = KeyCommand.named(id)?.place
    return ![.clubs, .clubPlaces, .clubForm, .clubLine].contains(place)
  }

  @Test(arguments: ids)
  func `each key does something where it works`(id: CommandID) {
    for key in KeyTable.standard.keys(for: id) {
      let robot = place(of: id)
      let before = (robot.grid, robot.state.tab)
      robot.press(key.name)
      let isSame = robot.grid == before.0 && robot.state.tab == before.1
      #expect(!isSame || !robot.take().isEmpty, "\(key)")
    }
  }

  @Test(arguments: ids)
  func `a key from the config does the same, and the old one does not`(id: CommandID) {
    let other = Key(.function(9))
    let table = KeyTable(changes: [id: [other]])
    let robot = place(of: id, table)
    let usual = place(of: id)
    robot.press("F9")
    usual.press(KeyTable.standard.keys(for: id)[0].name)
    #expect(robot.take() == usual.take())
    #expect(robot.view == usual.view && robot.state.tab == usual.state.tab && robot.question == usual.question)
    #expect(HelpSections.all(table).contains { $0.rows.contains { $0.key == "F9" } })
  }

  @Test(arguments: [Size(40, 12), Size(60, 16)])
  func `a narrow footer has the keys to the help and back`(size: Size) {
    let scenes: [Scene] = [
      .notes, .reader, .rendered, .editor, .form, .conflict, .conflictGone, .draft, .history, .version, .difference,
      .blame, .trashView, .talk, .grid, .photos, .viewer, .info, .waiting, .transferList,
    ]
    for scene in scenes {
      let footer = scene.robot(size).footer
      #expect(footer.contains("? help") || footer.contains("F1 help"), "\(scene): \(footer)")
      guard ![.editor, .form, .conflict, .conflictGone, .draft].contains(scene) else { continue }
      #expect(footer.contains("q back") || footer.contains("q quit"), "\(scene): \(footer)")
    }
  }

  @Test(arguments: Scene.allCases)
  func `the footer's words are the table's and its keys are the live ones`(scene: Scene) {
    let robot = scene.robot(Size(250, 24))
    guard robot.question == nil, robot.state.help == nil, robot.state.line == nil,
      // Their footers have words of their own.
      ![.find, .photosFind, .gridFind, .albumsFind, .foldersFind, .quoting].contains(scene)
    else { return }
    let ids =
      robot.state.talk?.footer ?? robot.state.news?.footer
      ?? (robot.state.transfers.isOpen
        ? TransfersScreen.footer(robot.state.transfers)
        : robot.state.tab == .notes ? robot.state.notes.footer : robot.state.photos.footer)
    #expect(!ids.isEmpty)
    for id in ids {
      let command = KeyCommand.named(id)
      #expect(command?.hint != nil, "\(id) has no word")
      let look = id == .viewerSwitch ? robot.state.photos.nextLook : nil
      let word = id == .quit && robot.state.isCovered ? "back" : look ?? command?.hint ?? ""
      // While text is typed, the footer shows only a key without a character.
      let key = robot.state.takesText ? command?.keys.first { $0.typed == nil } : command?.keys.first
      #expect(robot.footer.contains("\(key?.name ?? "") \(word)"), "\(id)")
    }
  }

  @Test func `footer and help show the keys of the config`() {
    let table = KeyTable(changes: [.notesNew: [Key(.function(7))], .transferCancel: [Key(.function(8))]])
    let robot = Robot(notes: [], keys: table)
    #expect(robot.footer.contains("F7 new"))
    robot.happen(transfers: .appeared(Samples.transfer("t", "a.jpg")))
    #expect(robot.screen.contains("F8 cancel"))
    robot.resize(250, 80)
    robot.press("?")
    #expect(robot.screen.contains("F7"))
  }

  @Test func `sentences on the screen name the keys of the config`() {
    let table = KeyTable(changes: [
      .notesNew: [Key(.function(7))], .photosUpload: [Key(.function(6))], .undo: [Key(.function(5))],
    ])
    let robot = Robot(notes: [], keys: table)
    #expect(robot.screen.contains("Press F7 to write the first."))
    #expect(Robot(photos: [], keys: table).screen.contains("Press F6 to upload the first."))
    robot.happen(.trashed([Samples.trashed("a.md")]))
    #expect(robot.notice == "Moved \"a.md\" to the trash. F5 undoes.")
  }

  @Test(arguments: ["editor", "form", "name", "find", "rename", "path", "photo rename", "photo find"])
  func `what is typed is text and never a command`(field: String) {
    let robot = typing(field)
    var expected = content(robot, field)
    for value in UInt32(0x20)...0x7E {
      guard let scalar = Unicode.Scalar(value) else { continue }
      robot.send(.key(Key(.character(scalar))))
      expected.unicodeScalars.append(scalar)
    }
    for scalar in "é漢€".unicodeScalars {
      robot.send(.key(Key(.character(scalar))))
      expected.unicodeScalars.append(scalar)
    }
    #expect(content(robot, field) == expected)
    for command in robot.take() {
      let isOfText = [
        "post ", "run complete", "run details", "run thumbnails", "run seek", "run search texts",
        "cancel [notes.texts]", "cancel [photos.texts]",
        "cancel [photos.thumbnails]",
      ]
      #expect(isOfText.contains { command.hasPrefix($0) }, "\(command)")
    }
    #expect(robot.question == nil && robot.state.help == nil)
  }

  @Test(arguments: ["editor", "form", "name", "find", "rename", "path", "photo rename", "photo find"])
  func `what is pasted is text`(field: String) {
    let robot = typing(field)
    let before = content(robot, field)
    robot.paste("q1D?/y")
    #expect(content(robot, field) == before + "q1D?/y")
    #expect(robot.question == nil && !robot.take().contains("quit"))
  }

  @Test func `a paste where nothing is typed does nothing`() {
    let robot = Robot(notes: ["a"])
    robot.paste("qD")
    robot.press("D")
    robot.take()
    robot.paste("y")
    #expect(robot.take().isEmpty && robot.question != nil)
  }

  private func typing(_ field: String) -> Robot {
    switch field {
    case "editor": return Scene.editorAtEnd()
    case "form", "name":
      let robot = Robot(notes: ["a"])
      robot.press("n")
      if field == "form" { robot.press("Tab") }
      return robot
    case "find", "rename":
      let robot = Robot(notes: ["a"])
      robot.press(field == "find" ? "/" : "R")
      return robot
    default:
      let robot = Robot(photos: ["a.jpg"])
      robot.press(field == "path" ? "u" : field == "photo find" ? "/" : "R")
      robot.take()
      return robot
    }
  }

  private func content(_ robot: Robot, _ field: String) -> String {
    switch (field, robot.state.notes.views.last, robot.state.photos.views.last) {
    case ("editor", _, _), ("form", _, _): robot.text ?? ""
    case ("name", let form as NewNoteForm, _): form.name.string
    case ("rename", nil, _): robot.state.notes.files.renaming?.name.string ?? "closed"
    case ("find", _, _): robot.state.notes.files.find.field.string
    case ("photo find", _, _): robot.state.photos.files.find.field.string
    case ("path", _, let prompt as PathPrompt): prompt.field.string
    case ("photo rename", _, nil): robot.state.photos.files.renaming?.name.string ?? "closed"
    default: "closed"
    }
  }

  /// The transfers' view, with a transfer that the command applies to selected.
  private func transfers(_ keys: KeyTable, on id: CommandID) -> Robot {
    let robot = Robot(notes: [], keys: keys)
    robot.happen(transfers: .appeared(Samples.transfer("t1", "a.jpg")))
    robot.happen(transfers: .appeared(Samples.transfer("t2", "b.jpg", .upload, .queued)))
    robot.happen(transfers: .appeared(Samples.failed("t3", "c.jpg")))
    robot.happen(ClubAction.command(.transfers))
    if id == .transfersRetry || id == .transfersDismiss { robot.press("End") }
    robot.take()
    return robot
  }

  /// An app in which the command has an effect.
  private func place(of id: CommandID, _ keys: KeyTable = .standard) -> Robot {
    switch KeyCommand.named(id)?.place {
    case .notes, .moves, .lists, .everywhere, .clubs, .clubPlaces, .clubForm, .clubLine, nil:
      let isPreview = id.rawValue.hasPrefix("preview.")
      let names = Samples.names(100) + (id == .notesFlat ? ["trips/oslo.md"] : [])
      let robot = Robot(notes: names, size: Size(isPreview ? 120 : 80, 24), keys: keys)
      robot.happen(.detailed(Samples.names(100).map { Samples.entry($0) }, isLast: true))
      if id == .tabNotes { robot.happen(ClubAction.command(.tabPhotos)) }
      robot.happen(.notes(.command(.listPageDown)))
      robot.happen(.notes(.command(.listPageDown)))
      robot.happen(.notes(.command(.listMark)))
      if let request = robot.state.preview.request {
        let lines = (0..<200).map { PreviewLine("line \($0)") }
        robot.happen(.preview(.shown(request, PreviewContent(lines: lines))))
        robot.happen(.previewScrolled(by: 20))
      }
      robot.happen(transfers: .appeared(Samples.transfer("t1", "a.jpg")))
      robot.take()
      return robot
    case .transfers: return transfers(keys, on: id)
    case .talk, .remark:
      let robot = Robot(notes: ["a.md"], keys: keys)
      let path = Samples.path("a.md")
      robot.happen(ClubAction.command(.talk))
      robot.happen(.talk(.loaded(path, Scene.talk(on: path, Array("low tide".utf8), "ann"))))
      if id == .talkExternal { robot.happen(.talk(.input(.command(.talkNew)))) }
      robot.take()
      return robot
    case .news:
      let robot = Robot(notes: ["a.md"], keys: keys)
      robot.happen(ClubAction.command(.news))
      robot.happen(.news(.loaded(Scene.happenings(on: Samples.path("a.md"), Array("low tide".utf8), "ann"))))
      robot.take()
      return robot
    case .reader:
      let robot = Robot(notes: ["a.txt"], keys: keys)
      robot.happen(.notes(.command(.listOpen)))
      robot.happen(.opened(Samples.note("a.txt", (0..<200).map { "line \($0)\n" }.joined()), .read))
      robot.happen(.notes(.command(.readerPageDown)))
      robot.happen(.notes(.command(.readerPageDown)))
      robot.take()
      return robot
    case .page, .openNote:
      let robot = Robot(notes: ["a.md", "b.md", "c.md"], keys: keys)
      robot.happen(.notes(.command(.listDown)))
      robot.happen(.notes(.command(.listOpen)))
      let boxes = (0..<200).map { "- [ ] [task](http://club.example/\($0)) \($0)\n" }.joined()
      robot.happen(.opened(Samples.note("b.md", "# Tasks\n\n" + boxes), .read))
      for _ in 0..<4 { robot.happen(.notes(.command(.pageNextLink))) }
      robot.take()
      return robot
    case .outline, .backlinks:
      let robot = Robot(notes: ["a.md", "b.md"], keys: keys)
      robot.happen(.asked(Samples.path("a.md")))
      robot.happen(.opened(Samples.note("a.md", "# One\n\n\(String(repeating: "word\n\n", count: 40))# Two\n"), .read))
      robot.happen(.notes(.command(id == .outlineOpen ? .readerOutline : .readerBacklinks)))
      let link = NoteBacklink(path: Samples.path("b.md"), line: 0, text: Array("see [[a]]".utf8), around: [])
      robot.happen(.backlinksFound(Samples.path("a.md"), FoundBacklinks(links: [link])))
      robot.happen(.notes(.command(.listDown)))
      robot.take()
      return robot
    case .editor:
      let robot = Scene.editorInUse(redoes: id == .editorRedo, keys)
      if id == .editorUnindent {
        robot.happen(.notes(.command(.editorLineStart)))
        robot.happen(.notes(.command(.editorIndent)))
      }
      if id == .editorCopy || id == .editorCut { robot.send(.key(Key(.left, .shift))) }
      robot.take()
      return robot
    case .completion:
      let robot = Robot(notes: ["a.md", "b.md"], keys: keys)
      robot.happen(.notes(.command(.listOpen)))
      robot.happen(.opened(Samples.note("a.md", ""), .read))
      robot.happen(.notes(.command(.readerEdit)))
      robot.type("[[")
      robot.take()
      return robot
    case .editorFind:
      let robot = Scene.editorInUse(redoes: false, keys)
      robot.happen(.notes(.command(.editorFind)))
      robot.type("e")
      robot.take()
      return robot
    case .form:
      let robot = Robot(notes: [], keys: keys)
      robot.happen(.notes(.command(.notesNew)))
      robot.type("x")
      robot.take()
      return robot
    case .photos:
      return Robot(photos: id == .photosFlat ? ["a.jpg", "oslo/b.jpg"] : ["a.jpg", "b.jpg"], keys: keys)
    case .albums:
      let robot = Robot(photos: ["a.jpg", "oslo/b.jpg"], keys: keys)
      robot.happen(.photos(.command(.listOpen)))
      robot.take()
      return robot
    case .grid:
      let robot = Robot(photos: ["a.jpg", "b.jpg", "c.jpg"], keys: keys, layout: .grid)
      robot.happen(.photos(.command(.gridRight)))
      robot.take()
      return robot
    case .viewer:
      let robot = Robot(photos: ["a.jpg", "b.jpg", "c.jpg"], keys: keys)
      robot.happen(.photos(.command(.listDown)))
      robot.happen(.photos(.command(.listOpen)))
      let path = robot.state.photos.files.selected ?? .root
      if let pyramid = try? Samples.pyramid(Samples.slope()) {
        robot.happen(photos: .viewed(path, pyramid, full: Samples.panorama().size, isWhole: true))
      }
      for _ in 0..<8 where id != .viewerFill { robot.happen(.photos(.command(.viewerIn))) }
      robot.take()
      return robot
    case .marks:
      let robot = Robot(photos: ["a.jpg", "b.jpg", "c.jpg"], keys: keys)
      robot.happen(.photos(.command(.listOpen)))
      robot.showTour()
      if id == .marksFollow { robot.happen(.photos(.command(.marksNext))) }
      robot.take()
      return robot
    case .film:
      let robot = Robot(photos: ["a.jpg"], keys: keys)
      robot.play([(0, 0, 0), (1000, 0, 90)])
      robot.happen(.photos(.command(.viewerUp)))
      robot.take()
      return robot
    case .wall:
      let robot = Robot(wall: ["a.jpg", "b.jpg", "c.jpg"], keys: keys)
      robot.showOnWall("b.jpg")
      robot.take()
      return robot
    case .draft:
      let robot = Robot(notes: ["a.md"], keys: keys)
      robot.happen(.foundWaiting([Samples.waiting("a.md")]))
      return robot
    case .history:
      let robot = Robot(notes: ["a.md"], keys: keys)
      robot.happen(.notes(.command(.notesHistory)))
      robot.happen(.historyListed(Samples.path("a.md"), Samples.versions("a.md")))
      robot.happen(.notes(.command(.listDown)))
      robot.take()
      return robot
    case .scrub:
      let robot = place(of: .historyRestore, keys)
      robot.happen(.notes(.command(.listOpen)))
      let entry = Samples.versions("a.md")[1]
      robot.happen(.versionRead(OpenNote(entry: entry, bytes: Array("text".utf8), draft: nil)))
      robot.take()
      return robot
    case .trash:
      let robot = Robot(notes: ["a.md"], keys: keys)
      robot.happen(.trashAsked)
      robot.happen(.trashListed([Samples.trashed("b.md"), Samples.trashed("c.md", id: "t2")]))
      robot.take()
      return robot
    case .blame:
      let robot = place(of: .readerBlame, keys)
      robot.happen(.notes(.command(.readerBlame)))
      let lines = [Array("one".utf8), Array("two".utf8)]
      robot.happen(
        .blamed(
          NoteBlame(
            path: Samples.path("b.md"), lines: lines, versions: Samples.versions("b.md"), origins: [0, 1], isCut: false)
        ))
      robot.take()
      return robot
    case .conflict:
      let robot = Robot(notes: ["a.md"], keys: keys)
      let conflict = Samples.conflict("a.md", mine: "1\nsame\n2\nequal\n3", theirs: "4\nsame\n5\nequal\n6")
      robot.happen(.saved(Samples.path("a.md"), .conflict(conflict), session: nil))
      robot.happen(.notes(.command(.conflictTheirs)))
      if id == .conflictRedo { robot.happen(.notes(.command(.conflictUndo))) }
      return robot
    case .path:
      let robot = Robot(photos: ["a.jpg"], keys: keys)
      robot.happen(.photos(.command(.photosUpload)))
      robot.happen(
        photos: .completed("", PathCompletion(choices: [.init(path: "b.jpg", isDirectory: false)], common: "b.jpg")))
      robot.take()
      return robot
    }
  }
}

extension Scene {
  /// An editor with the cursor after the text.
  static func editorAtEnd() -> Robot {
    let robot = Robot(notes: ["a.md"])
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", "text"), .read))
    robot.press("i", "End")
    robot.take()
    return robot
  }

  /// An editor after typing and cutting, with the cursor in the middle of a line.
  static func editorInUse(redoes: Bool, _ keys: KeyTable) -> Robot {
    let robot = Robot(notes: ["a.md"], keys: keys)
    robot.happen(.notes(.command(.listOpen)))
    robot.happen(.opened(Samples.note("a.md", "one two three four"), .read))
    robot.happen(.notes(.command(.readerEdit)))
    robot.happen(.notes(.command(.editorWordForward)))
    robot.happen(.notes(.command(.editorWordForward)))
    robot.happen(.notes(.command(.editorDeleteWord)))
    robot.type("XY")
    if redoes { robot.happen(.notes(.command(.editorUndo))) }
    robot.take()
    return robot
  }
}
