import ClubServices
import FileStores
import Testing
import TextUI

@testable import Screens

/// Simulates a member: presses keys, reads the screen, and records the app's commands.
///
/// It performs no effects: their results come in through `happen`.
final class Robot {
  private(set) var state: ClubState
  private var asked: [String] = []
  private var kept = Canvas(Size(0, 0))
  /// Programs that got the terminal, with the action after their end.
  private(set) var programs: [(ExternalProgram, @Sendable (ExternalProgram.End) -> ClubAction)] = []

  /// A newly started app, of a club in a folder, or behind a `server`.
  init(
    _ size: Size = Size(80, 24), abilities: TerminalAbilities = TerminalAbilities(colors: .trueColor),
    keys: KeyTable = .standard, server: String? = nil, added: [AddedTab] = [], reducedMotion: Bool = false,
    layout: PhotosLayout = .list, isFlat: Bool = false, grid: GridChoice = GridChoice(), copies: [DiskCopy] = [],
    editorKeys: EditorKeys = .emacs, clubs: [String] = [], canSignIn: Bool = false,
    presence: PresenceChoice = .absent
  ) {
    let club = server.map { "pier: \($0)" } ?? "home: ~/ByteClub"
    var frame = Frame(
      size: size, abilities: abilities, keys: keys, club: club, connection: server.map { _ in .unknown },
      reducedMotion: reducedMotion, editorKeys: editorKeys)
    frame.canSignIn = canSignIn
    let (state, commands) = ClubScreen.start(
      frame, downloadDirectory: "~/Downloads", club: server == nil ? "home" : "pier", added: added,
      notesAreFlat: isFlat, photosLayout: layout, photosAreFlat: isFlat, grid: grid, copies: copies, clubs: clubs,
      presence: presence)
    self.state = state
    ClubScreen.clockRead(&self.state, secondsSince1970: Samples.now)
    note(commands)
  }

  /// The same app, whose member has read the notice.
  init(copyOf robot: Robot) {
    state = robot.state
    state.frame.notice = nil
  }

  /// An app with listed notes.
  convenience init(
    notes: [String], size: Size = Size(80, 24), abilities: TerminalAbilities = TerminalAbilities(colors: .trueColor),
    keys: KeyTable = .standard, editorKeys: EditorKeys = .emacs, folders: [String] = [], others: [String: Int] = [:],
    isFlat: Bool = false
  ) {
    self.init(size, abilities: abilities, keys: keys, isFlat: isFlat, editorKeys: editorKeys)
    happen(.notes(.listed(Samples.table(notes, folders: folders, others: others))))
    take()
  }

  /// An app on the photos' tab with listed photos.
  convenience init(
    photos: [String], size: Size = Size(80, 24), abilities: TerminalAbilities = TerminalAbilities(colors: .trueColor),
    keys: KeyTable = .standard, reducedMotion: Bool = false, layout: PhotosLayout = .list, isFlat: Bool = false,
    grid: GridChoice = GridChoice()
  ) {
    self.init(
      size, abilities: abilities, keys: keys, reducedMotion: reducedMotion, layout: layout, isFlat: isFlat, grid: grid)
    press("2")
    happen(.photos(.listed(Samples.table(photos, folder: "photos"))))
    take()
  }

  /// Shows the app in another theme, in Unicode or ASCII.
  func wear(_ theme: Theme, isASCII: Bool = false) {
    state.frame.theme = theme
    state.frame.abilities = TerminalAbilities(colors: theme.colors, asciiOnly: isASCII)
  }

  // MARK: What a member does

  /// Presses keys by name, such as `Ctrl-S`.
  func press(_ names: String...) {
    for name in names {
      guard let key = Key(name) else { preconditionFailure("no key is called \(name)") }
      send(.key(key))
    }
  }

  func type(_ text: String) {
    for scalar in text.unicodeScalars { send(.key(Key(scalar == "\n" ? .enter : .character(scalar)))) }
  }

  func paste(_ text: String) { send(.paste(Array(text.utf8))) }

  func mouse(_ kind: InputEvent.Mouse.Kind, _ x: Int, _ y: Int) { send(.mouse(.init(kind, at: Point(x, y)))) }

  func resize(_ width: Int, _ height: Int) { send(.resize(Size(width, height))) }

  /// Between two events, in milliseconds.
  var pause: Int64 = 1000
  private var eventTime: Int64 = 0

  func send(_ event: InputEvent) {
    eventTime += pause
    ClubScreen.eventsCame(&state, milliseconds: eventTime)
    if let action = ClubScreen.action(for: event, in: state) { happen(action) }
  }

  /// Sends the app an action, like an effect.
  func happen(_ action: ClubAction) { note(ClubScreen.update(&state, action)) }

  func happen(_ action: NotesAction) { happen(.notes(action)) }

  func happen(photos action: PhotosAction) { happen(.photos(action)) }

  func happen(transfers action: TransfersAction) { happen(.transfers(action)) }

  /// Lets time pass, as reported by the loop.
  func wait(seconds: Int64) {
    ClubScreen.clockRead(&state, secondsSince1970: state.frame.now + seconds)
  }

  /// A picture in the size of its cell in the grid; nil for a photo that is not listed.
  func thumbnail(of path: StorePath) -> ShownPicture? {
    guard let grid = state.photos.grid, let row = state.photos.files.table?.row(of: path) else { return nil }
    let frame = grid.layout.frame(of: row + grid.albums.count)
    return Samples.thumbnail(columns: frame.width, rows: frame.height)
  }

  /// Puts a view over the notes.
  func push(_ view: any TabView<NotesState>) { state.notes.views.append(view) }
  func push(photos view: any TabView<PhotosState>) { state.photos.views.append(view) }

  // MARK: What comes of it

  /// The commands since the last call, in order.
  @discardableResult
  func take() -> [String] {
    defer { asked = [] }
    return asked
  }

  /// As `take`, without what goes to drafts.
  func takeRuns() -> [String] { take().filter { !$0.hasPrefix("post ") } }

  /// The screen. Checks that a new canvas and the reused one look the same.
  var grid: Grid {
    var canvas = Canvas(state.frame.size)
    ClubScreen.draw(state, on: &canvas)
    kept.begin(state.frame.size)
    ClubScreen.draw(state, on: &kept)
    kept.end()
    #expect(kept.grid == canvas.grid)
    return canvas.grid
  }

  var screen: String { grid.text }

  /// The last row: the active keys, or the answers of a question.
  var footer: String { grid.text(ofRow: grid.size.height - 1) }

  /// The last notice.
  var notice: String? { state.frame.notice?.text }

  var question: String? {
    state.question?.text ?? state.transfers.question?.text ?? state.notes.question?.text ?? state.photos.question?.text
  }

  /// The name of the selected file.
  var chosen: String? {
    state.files(on: state.tab)?.selected.map { "\($0)" }
  }

  /// The names in the list, from top to bottom.
  var rows: [String] {
    guard let table = state.files(on: state.tab)?.table else { return [] }
    return (0..<table.count).map { String(decoding: table.name(at: $0), as: UTF8.self) }
  }

  /// The kind of the topmost view; empty for the list.
  var view: String {
    if state.transfers.isOpen { return state.transfers.details == nil ? "transfers" : "details" }
    if state.files(on: state.tab)?.renaming != nil { return "rename" }
    guard state.tab == .notes else {
      return switch state.photos.views.last {
      case nil: ""
      case is PhotoFacts: "info"
      case is PhotoViewer: "viewer"
      case is PathPrompt: "path"
      case is MovePrompt<PhotosState>: "move"
      case is ShownDropPage: "drop page"
      case let view?: "\(Swift.type(of: view))"
      }
    }
    let names: [String: String] = [
      "OpeningText": "opening", "NoteOutline": "outline", "NoteBacklinks": "backlinks", "NoteReader": "reader",
      "NoteEditor": "editor", "NewNoteForm": "form", "ConflictView": "conflict", "DraftOffer": "draft",
      "WaitingList": "waiting", "NoteHistory": "history", "NoteVersion": "version", "DifferenceView": "difference",
      "BlameView": "blame", "TrashView": "trash", "NoteChoice": "choice", "PicturePrompt": "picture",
      "MovePrompt<NotesState>": "move",
    ]
    return state.notes.views.last.map { view in
      let type = "\(Swift.type(of: view))"
      return names[type] ?? type
    } ?? ""
  }

  /// The text in the topmost editor or form.
  var text: String? {
    switch state.notes.views.last {
    case let editor as NoteEditor: String(decoding: editor.text.bytes, as: UTF8.self)
    case let form as NewNoteForm: String(decoding: form.text.bytes, as: UTF8.self)
    case let view as ConflictView: view.editing.map { String(decoding: $0.text.bytes, as: UTF8.self) }
    default: nil
    }
  }

  private func note(_ commands: ClubScreen.Commands) {
    for command in commands {
      asked.append(Spelling.of(command))
      if case .handOver(let program, let then) = command { programs.append((program, then)) }
    }
  }
}
