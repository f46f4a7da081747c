import ClubServices
import Database
import FileStores
import Merge
import TextUI
import Transfers

@testable import Imaging
@testable import Screens

/// All views of the app, with sample content.
enum Scene: String, CaseIterable {
  case notes, preview, empty, loading, listError, find, opening, reader, rendered, outline, backlinks, binary, editor,
    form,
    rename, trash, conflict, conflictEdit, conflictGone,
    draft,
    history, version, difference, blame, trashView,
    help, commandLine, talk, news
  case frontMatter, templateChoice, insertMenu, insertPicture, tagList, pins
  case grid, gridNoColour, gridFind, hotSpots, hotSpotChosen
  case photos, photosNoColour, photosFind, viewer, viewerNoColour, viewerFailed, info, upload, download
  case askForPhotos, dropPage, dropPageWithCode
  case transfer, transfers, error, quit
  case waiting, unsent, unkept, quitUnsent, offline, offlineWaiting, held, heldKept
  case readerRemarks, quoting, remarkSpots, remarkCounts, remarkCountsGrid, onThisDay, onThisDayPhotos, walkRecording,
    walkFilm
  case folders, folderInside, folderEmpty, foldersFlat, foldersFind, folderMove, folderTrash
  case albums, albumsNew, albumsGrid, albumsFind, albumInside, albumMove
  case hereNotes, hereReader, hereEditor, herePhotos, hereGrid, gazes, gazePoint
  case wordsCameIn, wordsApart
  case transferList, transferMarks, transferDetails, transferQuestion, transferNone, onDisk

  /// An app that shows this view. `name`, `text`, `sentence` and `member` come from others, so tests can make them
  /// hostile.
  func robot(
    _ size: Size = Size(80, 24), name: [UInt8] = Array("challenge-for-ray.md".utf8),
    text: [UInt8] = Array(Scene.text.utf8), sentence: String = "The store cannot be reached. Try again later.",
    member: String = "Robin"
  ) -> Robot {
    let colour = TerminalAbilities(colors: .trueColor)
    let plain = TerminalAbilities(colors: .none)
    let title = String(decoding: name, as: UTF8.self)
    let path = Samples.path(name)
    if let robot = talkRobot(size, text, member) ?? albumRobot(size, name) ?? folderRobot(size, name)
      ?? presenceRobot(size, member)
    {
      return robot
    }
    switch self {
    case .empty: return Robot(notes: [], size: size)
    case .loading: return Robot(size)
    case .listError:
      let robot = Robot(size)
      robot.happen(.notes(.listFailed(StoreError(.offline, sentence, remedy: sentence, retryAfter: .seconds(8)))))
      return robot
    case .grid, .gridNoColour, .gridFind, .hotSpots, .hotSpotChosen, .photos, .photosNoColour, .photosFind, .viewer,
      .viewerNoColour, .viewerFailed, .info, .upload, .download, .askForPhotos, .dropPage, .dropPageWithCode:
      return photos(size, isPlain(self) ? plain : colour, name, title, sentence)
    case .transfer, .transfers, .quit:
      let robot = notes(size, name)
      robot.happen(transfers: .appeared(running("t1", title)))
      if self == .transfers {
        for id in ["t2", "t3"] {
          robot.happen(transfers: .appeared(Samples.transfer(id, "roof.jpg", .download, .queued)))
        }
      }
      if self == .quit {
        robot.press("q")
        robot.happen(transfers: .leaveAsked(isElsewhere: false))
      }
      return robot
    case .transferList, .transferMarks, .transferDetails, .transferQuestion, .transferNone:
      return transfers(size, name, title, sentence)
    case .onDisk:
      let robot = photos(size, colour, name, title, sentence)
      let copy = Samples.path("photos/garage.jpg")
      robot.happen(photos: .copied(DiskCopy(entry: Samples.entry(copy, size: 27_000_000), file: "/tmp/\(title)")))
      robot.happen(photos: .lookedOnDisk([copy: true]))
      return robot
    case .offline, .offlineWaiting, .held, .heldKept: return network(size, name, title, sentence)
    default: break
    }
    let robot = notes(size, name)
    switch self {
    case .preview:
      if let request = robot.state.preview.request {
        let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map { PreviewLine(Array($0)) }
        robot.happen(.preview(.shown(request, PreviewContent(lines: lines, isCut: true))))
      }
    case .find:
      robot.press("/")
      robot.type("md")
    case .opening: robot.press("Enter")
    case .reader, .binary, .editor:
      robot.press("Enter")
      let bytes = self == .binary ? text + [0, 0xFF, 0x1B] : text
      let chosen = robot.state.notes.files.selected ?? path
      robot.happen(
        .notes(
          .opened(OpenNote(entry: Samples.entry(chosen, size: UInt64(bytes.count)), bytes: bytes, draft: nil), .read)))
      if self == .editor {
        robot.press("i", "Down")
        robot.send(.paste(text))
      }
    case .rendered, .outline, .backlinks:
      robot.happen(.notes(.asked(Samples.path("Welcome.md"))))
      let note = OpenNote(
        entry: Samples.entry("Welcome.md", size: 1420, member: "ann"), bytes: Scene.markdown(text), draft: nil)
      let changes = LineDiff(from: note.bytes.filter { $0 != UInt8(ascii: "x") }, to: note.bytes)
      robot.happen(.notes(.opened(note, .read, changes: changes)))
      if self == .rendered { robot.press("Tab", "Tab") }
      var request = PreviewRequest(
        kind: .photo, path: Samples.path("photos/pier.jpg"), size: nil, modified: nil, columns: 1, rows: 1)
      request.isBare = true
      robot.happen(.preview(.shown(request, PreviewContent(picture: Samples.thumbnail(columns: 24), lines: []))))
      if self == .outline { robot.press("O", "Down") }
      if self == .backlinks {
        robot.press("B")
        let link = Array("see [[Welcome]]: ".utf8) + text
        let lines = [2, 40].map { NoteBacklink(path: path, line: $0, text: link, around: text + link) }
        robot.happen(.notes(.backlinksFound(Samples.path("Welcome.md"), FoundBacklinks(links: lines))))
      }
    case .form:
      robot.press("n")
      robot.send(.paste(name))
      robot.press("Tab")
      robot.send(.paste(text))
    case .frontMatter, .templateChoice, .insertMenu, .insertPicture, .tagList, .pins:
      vault(robot, name: name, text: text)
    case .rename: robot.press("R")
    case .trash: robot.press("D")
    case .conflict, .conflictEdit, .conflictGone:
      let entry = Samples.entry(path, revision: "r2", member: member)
      let isGone = self == .conflictGone
      robot.happen(
        .notes(
          .saved(
            path,
            .conflict(
              SaveConflict(
                save: 1, path: path, mine: Scene.changed(text, "my own camera", "hall, twice"),
                theirs: isGone ? nil : Scene.changed(text, "a camera of ann's", "hall") + text,
                theirEntry: isGone ? nil : entry, base: Scene.changed(text, "a camera", "garage"))),
            session: nil)))
      if self == .conflictEdit {
        robot.press("e")
        robot.send(.paste(text))
      }
    case .draft:
      robot.happen(.notes(.foundWaiting([Samples.waiting("a.md", title: title), Samples.waiting("b.md", id: "d2")])))
    case .waiting, .unsent, .quitUnsent:
      let mine = String(decoding: text, as: UTF8.self)
      robot.happen(
        .notes(
          .foundWaiting([
            Samples.unsent(title, mine, kind: .conflict), Samples.unsent("new.md", mine, base: nil, save: 4),
            Samples.waiting("Welcome.md", mine), Samples.waiting(nil, title: "", id: "d2", base: nil, mine),
            Samples.waiting(nil, title: title, id: "d3", base: nil, mine, kind: .discarded),
          ])))
      robot.press("Esc", "Esc")
      if self == .waiting {
        robot.press(":")
        robot.type("waiting")
        robot.press("Enter", "j")
      }
      if self == .quitUnsent { robot.press("q") }
    case .unkept:
      robot.press("n")
      robot.send(.paste(name))
      robot.happen(.notes(.keeping(StoreError(.quota, sentence, remedy: "Make room."))))
    case .trashView:
      robot.press("T")
      robot.happen(
        .notes(
          .trashListed([
            Samples.trashed(title), Samples.trashed("photos/garage.jpg", id: "t2"), Samples.trashed("a.md", id: "t3"),
          ])))
      let first = FileBeginning(of: "# Walls\n\nthe wall has a crack\n".utf8, limit: 4096)
      robot.happen(.notes(.trashedRead("t1", first)))
      robot.press("Space")
    case .blame:
      robot.press("Enter")
      let chosen = robot.state.notes.files.selected ?? path
      robot.happen(
        .notes(
          .opened(OpenNote(entry: Samples.entry(chosen, size: UInt64(text.count)), bytes: text, draft: nil), .read)))
      robot.press("b")
      let lines = text.split(separator: 0x0A, omittingEmptySubsequences: false).map { Array($0) }
      robot.happen(
        .notes(
          .blamed(
            NoteBlame(
              path: chosen, lines: lines, versions: Samples.versions(chosen, member: member),
              origins: lines.indices.map { $0 / 2 % 3 }, isCut: true))))
    case .history, .version, .difference:
      let chosen = robot.state.notes.files.selected ?? path
      robot.press("H")
      robot.happen(.notes(.historyListed(chosen, Samples.versions(chosen, member: member))))
      robot.press("Down")
      if self == .history {
        let versions = Samples.versions(chosen, member: member)
        robot.happen(
          .notes(
            .versionSeen(
              SeenVersion(
                NoteDifference(
                  chosen, version: versions[1], before: versions[2],
                  diff: TextDiff(
                    from: Scene.changed(text, "a camera", "garage"), to: Scene.changed(text, "two cameras", "hall"))))))
        )
      }
      if self == .difference {
        robot.press("d")
        let versions = Samples.versions(chosen, member: member)
        robot.happen(
          .notes(
            .differenceRead(
              NoteDifference(
                chosen, version: versions[1], before: versions[2],
                diff: TextDiff(
                  from: Scene.changed(text, "a camera", "garage"), to: Scene.changed(text, "two cameras", "hall"))))))
      }
      if self == .version {
        robot.press("Enter")
        let entry = Samples.entry(chosen, size: UInt64(text.count), ago: 86_400 * 2, revision: "r2")
        robot.happen(.notes(.versionRead(OpenNote(entry: entry, bytes: text, draft: nil))))
      }
    case .talk:
      robot.press("@")
      let chosen = robot.state.notes.files.selected ?? path
      robot.happen(.talk(.loaded(chosen, Scene.talk(on: chosen, text, member))))
      robot.press("Up")
    case .news:
      robot.press("w")
      let chosen = robot.state.notes.files.selected ?? path
      robot.happen(.news(.loaded(Scene.happenings(on: chosen, text, member))))
      robot.press("Down")
    case .help: robot.press("?")
    case .commandLine:
      robot.press(":")
      robot.type("note mv \"")
      robot.send(.paste(name))
    case .error: robot.happen(.notes(.warned("\"\(title)\" was not saved. \(sentence)")))
    default: break
    }
    return robot
  }

  /// Two remarks, one of them answered.
  static func talk(on thing: StorePath, _ text: [UInt8], _ member: String) -> Talk {
    let words = String(decoding: text, as: UTF8.self)
    func item(_ id: String, _ aim: TalkItem.Aim, _ text: String, by member: String, ago: Int64) -> String {
      TalkItem(
        member: member, time: Timestamp(seconds: Samples.now - ago), id: id, aim: aim, text: text
      ).markdown
    }
    let items = [
      item("aaaaaaa1", .words(words), words, by: member, ago: 86_400),
      item("aaaaaaa2", .reply(to: "aaaaaaa1"), "Two metres at high tide.", by: "ann", ago: 3600),
      item("aaaaaaa3", .agreement(with: "aaaaaaa1"), "", by: "ann", ago: 3500),
      item("aaaaaaa4", .direction(yaw: -132, pitch: 8.5), "That is the vice.", by: "ray", ago: 60),
      item("aaaaaaa5", .withdrawal(of: "aaaaaaa4"), "", by: "ray", ago: 30),
    ]
    return Talk(Array((Talk.head(of: thing) + items.joined()).utf8))
  }

  static func happenings(on thing: StorePath, _ text: [UInt8], _ member: String) -> [Happening] {
    let words = String(decoding: text, as: UTF8.self)
    let pier = Samples.path("photos/pier.jpg")
    let all: [(Int64, String?, StorePath, Happening.Kind)] = [
      (60, member, thing, .file), (3600, member, pier, .remark(words)), (1800, "ann", pier, .door(words)),
      (86_400, nil, pier, .caption), (40 * 86_400, "ray", pier, .file),
    ]
    return all.map { ago, member, thing, kind in
      Happening(time: Timestamp(seconds: Samples.now - ago), member: member, thing: thing, kind: kind)
    }
  }

  static let text = """
    Dear Ray,

    the garage wall is 12 metres long and curved. Can you make a panorama of it in which the wall is straight?
    \tTwo rules:
    - no tripod
    - 漢字 and café stay as they are 👩‍👩‍👧

    """

  /// A note with this text twice, and with two changeable lines.
  static func changed(_ text: [UInt8], _ first: String, _ second: String) -> [UInt8] {
    Array("I have \(first) for this.\n".utf8) + text + Array("\nWe meet in the \(second).\n".utf8)
  }

  /// A note with all that Markdown has, and with this text at each place.
  static func markdown(_ text: [UInt8]) -> [UInt8] {
    let isSample = text == Array(Scene.text.utf8)
    let word = isSample ? Array("garage".utf8) : text
    func line(_ before: String, _ after: String = "") -> [UInt8] {
      Array(before.utf8) + word + Array((after + "\n").utf8)
    }
    var bytes = line("# The ", " wall")
    bytes += isSample ? Array("\n\(Scene.text)\n".utf8) : [0x0A] + text + [0x0A, 0x0A]
    bytes += line("## Tasks for ") + [0x0A]
    bytes += line("- [x] measure the ", ", see [[packing list]]")
    bytes += line("- [ ] [plan](https://club.example/", ") with **care** and *time*")
    bytes += line("  1. ![", "](photos/pier.jpg)")
    bytes += line("  2. ~~drop~~ `", "` #garage") + [0x0A]
    bytes += line("> a quote of ") + [0x0A]
    bytes += Array("| part | length |\n|:--|--:|\n".utf8)
    bytes += line("| ", " | 12 m |") + [0x0A]
    bytes += Array("```swift\n".utf8) + line("let wall = \"", "\"") + Array("```\n\n---\n\n".utf8)
    return bytes + line("[", "]: https://club.example/") + line("The end of ")
  }

  private func isPlain(_ scene: Scene) -> Bool {
    scene == .photosNoColour || scene == .viewerNoColour || scene == .gridNoColour
  }

  /// A club behind a server: away, or without files that it had.
  private func network(_ size: Size, _ name: [UInt8], _ title: String, _ sentence: String) -> Robot {
    let robot = Robot(size, server: "https://club.example:8443")
    let path = Samples.path(name)
    robot.happen(.notes(.listed(Samples.table(bytes: [name] + ["Welcome.md", "tides.txt"].map { Array($0.utf8) }))))
    if self == .held || self == .heldKept {
      robot.happen(.connection(.online))
      robot.happen(.notes(.removalHeld([path, Samples.path("tides.txt")])))
      if self == .heldKept { robot.press("n") }
      return robot
    }
    robot.happen(
      .connection(.offline(since: Samples.now - 720, StoreError(.offline, sentence, remedy: sentence))))
    robot.happen(
      .notes(
        .waiting([
          Samples.unsent("Welcome.md", "My text."), Samples.change(.rename, "old.md", to: title),
          Samples.change(.trash, "gone.md"),
        ])))
    if self == .offlineWaiting {
      robot.press(":")
      robot.type("waiting")
      robot.press("Enter", "j")
    }
    return robot
  }

  private func notes(_ size: Size, _ name: [UInt8]) -> Robot {
    let robot = Robot(size)
    let names: [[UInt8]] = [
      Array("Welcome.md".utf8), name, Array("漢字かな交じり文.md".utf8), Array("family 👩‍👩‍👧.md".utf8),
      Array("cafe\u{301}.md".utf8), Array("esc \u{1B}[31mred.md".utf8), Array("photo\u{202E}gpj.md".utf8),
      Array("two\nlines.md".utf8), [0x62, 0x61, 0x64, 0xFF, 0xC0, 0x2E, 0x6D, 0x64],
      Array(
        "a name that is much too long for a list on a narrow terminal and even on a wider one, I am afraid.md".utf8),
    ]
    robot.happen(.notes(.listed(Samples.table(bytes: names))))
    let ages: [Int64] = [5, 7200, 86_400 * 3, 86_400 * 30, 86_400 * 300, 60, 120, 3600, 7, 86_400 * 8]
    robot.happen(
      .notes(
        .detailed(
          zip(names, ages).enumerated().map { index, item in
            Samples.entry(Samples.path(item.0), size: UInt64(340 * (index + 1) * (index + 1)), ago: item.1)
          }, isLast: true)))
    robot.press("Home", "Space", "Down")
    robot.take()
    return robot
  }

  private func running(_ id: String, _ name: String) -> Transfer {
    Samples.transfer(id, name, sent: 12_700_000) { transfer in
      transfer.rate = 4_300_000
      transfer.secondsLeft = 4
    }
  }

  /// The transfers' view, with a transfer in each state and names of all kinds.
  private func transfers(_ size: Size, _ name: [UInt8], _ title: String, _ sentence: String) -> Robot {
    let robot = notes(size, name)
    guard self != .transferNone else {
      robot.press("t")
      return robot
    }
    let limited = StoreError(.rateLimited, sentence, remedy: "byteclub tries again by itself.")
    let all = [
      running("t1", title),
      Samples.transfer("t2", "漢字かな交じり文の写真.jpg", .download, .waiting, sent: 4_000_000) { transfer in
        transfer.error = limited
        transfer.resumesAt = Timestamp(seconds: Samples.now + 23)
        transfer.attempts = 3
        transfer.keptUntil = Timestamp(seconds: Samples.now + 7 * 86_400)
      },
      Samples.transfer("t3", "family 👩‍👩‍👧.jpg", .upload, .waiting) { $0.error = StoreError(.offline, sentence) },
      Samples.transfer("t4", "cafe\u{301}.jpg", .download, .paused, sent: 20_000_000) { $0.club = "lab" },
      Samples.transfer(
        "t5", "a name that is much too long for a list on a narrow terminal, I am afraid.jpg", .upload, .queued),
      Samples.transfer("t6", "finishing.jpg", .upload, .finishing, sent: 28_311_552),
      Samples.failed("t7", "broken.jpg", .download, StoreError(.corrupt, sentence, remedy: "Download it again.")),
      Samples.done("t8", title, .download),
      Samples.failed("t9", "cancelled.jpg", .upload, .cancelled("It")),
    ]
    for transfer in all { robot.happen(transfers: .appeared(transfer)) }
    robot.happen(
      transfers: .changed(
        Samples.transfer("t4", "cafe\u{301}.jpg", .download, .paused, sent: 10_000_000) { $0.club = "lab" }))
    robot.press("t")
    robot.happen(transfers: .limited(512_000, isNew: false))
    switch self {
    case .transferMarks: robot.press("m", "m")
    case .transferDetails: robot.press("j", "Enter")
    case .transferQuestion: robot.press("X")
    default: break
    }
    return robot
  }

  private func photos(
    _ size: Size, _ abilities: TerminalAbilities, _ name: [UInt8], _ title: String, _ sentence: String
  ) -> Robot {
    let isGrid = self == .grid || self == .gridNoColour || self == .gridFind
    let robot = Robot(size, abilities: abilities, layout: isGrid ? .grid : .list, isFlat: true)
    robot.press("2")
    var names = [Array("garage.jpg".utf8), Array("hall/roof.jpg".utf8), Array("work \(title).jpg".utf8)]
    if isGrid { names += (1...25).map { Array("z\($0).png".utf8) } }
    var table = Samples.table(bytes: names, folder: "photos")
    let paths = (0..<table.count).map { table.path(at: $0) }
    table.merge(paths.map { Samples.entry($0, size: 27_000_000) })
    robot.happen(.photos(.listed(table)))
    if isGrid { robot.happen(photos: .shaped([paths[0]: 2, paths[4]: 0.75, paths[6]: 4])) }
    let box = robot.state.photos.thumbnailBox
    robot.happen(
      .photos(
        .thumbnail(
          paths[0], .success(robot.thumbnail(of: paths[0]) ?? Samples.thumbnail(columns: box.width, rows: box.height))))
    )
    robot.happen(.photos(.thumbnail(paths[1], .failure(StoreError(.corrupt, "\"roof.jpg\" is damaged. \(sentence)")))))
    let first = paths[0]
    switch self {
    case .photosFind, .gridFind:
      robot.press("/")
      robot.type("r")
    case .grid, .gridNoColour:
      robot.press("Right", "Space")
      for path in paths[3...7] {
        if let picture = robot.thumbnail(of: path) { robot.happen(photos: .thumbnail(path, .success(picture))) }
        robot.happen(photos: .kindFound(path, .sphere))
      }
      robot.happen(photos: .files(.news([paths[3]: NewsMark(revision: Revision("r2"), before: nil)], isListed: true)))
    case .hotSpots, .hotSpotChosen:
      robot.press("Enter")
      robot.showTour(
        Samples.marks + [PhotoMark(yawDegrees: -25, pitchDegrees: 12, label: title, target: .broken(sentence))])
      if self == .hotSpotChosen {
        robot.press("Tab")
        for _ in 0..<40 { robot.happen(photos: .turned) }
      }
    case .viewer, .viewerNoColour, .viewerFailed:
      robot.press("Enter")
      if self == .viewerFailed {
        robot.happen(
          .photos(.failed(.view(first, onDisk: nil), StoreError(.corrupt, sentence, remedy: "Choose another."))))
      } else if let pyramid = try? Samples.pyramid() {
        robot.happen(.photos(.viewed(first, pyramid, full: Samples.panorama().size, isWhole: true)))
        robot.press("+", "+")
      }
    case .info:
      robot.press("i")
      if let info = Samples.info(first, camera: title) { robot.happen(.photos(.informed(info))) }
    case .askForPhotos:
      robot.press("U")
      robot.paste(title)
    case .dropPage, .dropPageWithCode:
      let page = Samples.dropPage(into: "photos/\(title)", giver: sentence)
      let warning = "The phone's browser warns of the server's own certificate. \(sentence)"
      robot.happen(
        photos: .dropPageMade(
          self == .dropPage
            ? ShownDropPage(page, code: nil, warnings: [warning])
            : ShownDropPage(Samples.dropPage(), code: ClubsSamples.qr, warnings: [])))
    case .upload, .download:
      robot.press(self == .upload ? "u" : "d", "Ctrl-U")
      robot.type("~/Pictures/")
      let choices = ["~/Pictures/2025/", "~/Pictures/garage.jpg", "~/Pictures/\(title).jpg"]
      robot.happen(
        .photos(
          .completed(
            "~/Pictures/",
            PathCompletion(
              choices: choices.map { .init(path: $0, isDirectory: $0.hasSuffix("/")) }, common: "~/Pictures/",
              meaning: .folder))))
      if self == .upload { robot.press("Down", "Down", "Ctrl-T") }
    default: break
    }
    robot.take()
    return robot
  }
}
