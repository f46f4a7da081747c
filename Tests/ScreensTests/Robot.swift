import ClubServices
import Testing
import TextUI

@testable import Screens

/// Plays a member: presses keys, sees the screen, and remembers what the app asked to be done.
///
/// Nothing is performed: what effects would tell comes in through `happen`.
final class Robot {
  private(set) var state: ClubState
  private var asked: [String] = []
  private var kept = Canvas(Size(0, 0))
  /// Programs that were given the terminal, with what is to happen after.
  private(set) var programs: [(ExternalProgram, @Sendable (ExternalProgram.End) -> ClubAction)] = []

  /// An app that has just been started: of a club in a folder, or behind a `server`.
  init(
    _ size: Size = Size(80, 24), abilities: TerminalAbilities = TerminalAbilities(colors: .trueColor),
    keys: KeyTable = .standard, server: String? = nil
  ) {
    let club = server.map { "pier: \($0)" } ?? "home: ~/ByteClub"
    let frame = Frame(
      size: size, abilities: abilities, keys: keys, club: club, connection: server.map { _ in .unknown })
    let (state, commands) = ClubScreen.start(
      frame, downloadDirectory: "~/Downloads", club: server == nil ? "home" : "pier")
    self.state = state
    ClubScreen.clockRead(&self.state, secondsSince1970: Samples.now)
    note(commands)
  }

  /// An app whose notes have been listed.
  convenience init(
    notes: [String], size: Size = Size(80, 24), abilities: TerminalAbilities = TerminalAbilities(colors: .trueColor),
    keys: KeyTable = .standard
  ) {
    self.init(size, abilities: abilities, keys: keys)
    happen(.notes(.listed(Samples.table(notes))))
    take()
  }

  /// An app on the photos' tab, whose photos have been listed.
  convenience init(
    photos: [String], size: Size = Size(80, 24), abilities: TerminalAbilities = TerminalAbilities(colors: .trueColor),
    keys: KeyTable = .standard
  ) {
    self.init(size, abilities: abilities, keys: keys)
    press("2")
    happen(.photos(.listed(Samples.table(photos, folder: "photos"))))
    take()
  }

  // MARK: What a member does

  /// Presses keys by their names, such as `Ctrl-S`.
  func press(_ names: String...) {
    for name in names {
      guard let key = Key(name) else { preconditionFailure("no key is called \(name)") }
      send(.key(key))
    }
  }

  /// Presses the key of each character.
  func type(_ text: String) {
    for scalar in text.unicodeScalars { send(.key(Key(scalar == "\n" ? .enter : .character(scalar)))) }
  }

  /// Pastes text.
  func paste(_ text: String) { send(.paste(Array(text.utf8))) }

  /// Uses the mouse.
  func mouse(_ kind: InputEvent.Mouse.Kind, _ x: Int, _ y: Int) { send(.mouse(.init(kind, at: Point(x, y)))) }

  /// Gives the terminal another size.
  func resize(_ width: Int, _ height: Int) { send(.resize(Size(width, height))) }

  /// Lets an event come in.
  func send(_ event: InputEvent) {
    if let action = ClubScreen.action(for: event, in: state) { happen(action) }
  }

  /// Lets something happen, as an effect would tell it.
  func happen(_ action: ClubAction) { note(ClubScreen.update(&state, action)) }

  /// Lets something happen to the notes.
  func happen(_ action: NotesAction) { happen(.notes(action)) }

  /// Lets something happen to the photos.
  func happen(photos action: PhotosAction) { happen(.photos(action)) }

  /// Lets something happen to the transfers.
  func happen(transfers action: TransfersAction) { happen(.transfers(action)) }

  /// Lets time pass, as the loop tells it.
  func wait(seconds: Int64) {
    ClubScreen.clockRead(&state, secondsSince1970: state.frame.now + seconds)
  }

  // MARK: What comes of it

  /// What was asked for since the last look, in order.
  @discardableResult
  func take() -> [String] {
    defer { asked = [] }
    return asked
  }

  /// What is on the screen. It is the same whether it is drawn on a new canvas or on the one of all frames so far.
  var grid: Grid {
    var canvas = Canvas(state.frame.size)
    ClubScreen.draw(state, on: &canvas)
    kept.begin(state.frame.size)
    ClubScreen.draw(state, on: &kept)
    kept.end()
    #expect(kept.grid == canvas.grid)
    return canvas.grid
  }

  /// The screen as text.
  var screen: String { grid.text }

  /// The last row: the keys that work now, or the answers of a question.
  var footer: String { grid.text(ofRow: grid.size.height - 1) }

  /// The last thing told.
  var notice: String? { state.frame.notice?.text }

  /// What a question asks.
  var question: String? {
    state.question?.text ?? state.transfers.question?.text ?? state.notes.question?.text ?? state.photos.question?.text
  }

  /// The name of the chosen file.
  var chosen: String? {
    state.shown.files.selected.map { "\($0)" }
  }

  /// The names in the list, from top to bottom.
  var rows: [String] {
    guard let table = state.shown.files.table else { return [] }
    return (0..<table.count).map { String(decoding: table.name(at: $0), as: UTF8.self) }
  }

  /// What kind of view is on top; empty for the list.
  var view: String {
    if state.transfers.isOpen { return state.transfers.details == nil ? "transfers" : "details" }
    if state.shown.files.renaming != nil { return "rename" }
    guard state.tab == .notes else {
      return switch state.photos.view {
      case _ where state.photos.facts != nil: "info"
      case nil: ""
      case .viewer: "viewer"
      case .path: "path"
      }
    }
    return switch state.notes.views.last {
    case nil: ""
    case .opening: "opening"
    case .reader: "reader"
    case .editor: "editor"
    case .form: "form"
    case .conflict: "conflict"
    case .draft: "draft"
    case .waiting: "waiting"
    case .history: "history"
    case .version: "version"
    }
  }

  /// The text in the editor or the form on top.
  var text: String? {
    switch state.notes.views.last {
    case .editor(let editor): String(decoding: editor.text.bytes, as: UTF8.self)
    case .form(let form): String(decoding: form.text.bytes, as: UTF8.self)
    default: nil
    }
  }

  private func note(_ commands: [Command<ClubEffect, ClubAction>]) {
    for command in commands {
      asked.append(Spelling.of(command))
      if case .handOver(let program, let then) = command { programs.append((program, then)) }
    }
  }
}
