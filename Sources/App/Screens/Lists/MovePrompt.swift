internal import Basics
internal import FileStores
internal import TextUI

/// Paths of folders, to go on with a typed beginning. Those that cannot be typed are left out.
struct FolderNames: Sendable {
  private let all: [String]
  /// Those that begin with the typed text, in any letter case.
  private(set) var choices: [String] = []

  init(_ folders: [[UInt8]] = []) {
    all = folders.compactMap { String(validating: $0, as: UTF8.self) }.map { $0 + "/" }
  }

  var isEmpty: Bool { all.isEmpty }

  mutating func find(_ typed: String) {
    let typed = typed.lowercased()
    choices = all.filter { $0.lowercased().hasPrefix(typed) }
  }

  /// The common beginning of the choices; nil without choices.
  var common: String? { choices.first.map { choices.dropFirst().reduce($0, TypedWords.common) } }
}

/// Asks for the album or folder into which files, or a folder, go: one of the club's, or a new one; nothing and `/` are
/// the top.
struct MovePrompt<Tab: FileTab>: Sendable {
  let files: [StorePath]
  /// This folder moves, not files.
  private let moving: StorePath?
  private let words: FileListWords
  private(set) var field: TextField
  /// The folder of the list.
  private let folder: StorePath
  private var albums: FolderNames
  private var choices: [String] { albums.choices }
  private(set) var list = ListState()
  /// Enter takes the highlighted row then.
  private(set) var hasHighlight = false
  private(set) var problem: String?

  init(_ list: FileList, _ frame: Frame) {
    (files, words) = (list.targets, list.words)
    let moving = list.targets.isEmpty ? list.selectedFolder : nil
    self.moving = moving
    field = TextField(placeholder: "\(list.words.aFolder); empty for the top")
    let folder = list.table?.folder ?? .root
    self.folder = folder
    // A folder does not go into itself.
    albums = FolderNames(
      (list.table?.allAlbums ?? []).filter { album in
        let path = folder.descending(album[...])
        return moving.map { path != $0 && path.relative(to: $0) == nil } ?? true
      })
    find()
    resize(frame)
  }

  private mutating func find() {
    albums.find(field.string)
    list.setCount(choices.count)
    list.select(0)
    (hasHighlight, problem) = (false, nil)
  }

  private mutating func set(_ text: String) {
    field = TextField(text, placeholder: field.placeholder)
    find()
  }

  mutating func type(_ key: Key) {
    switch key.code {
    case .down where !hasHighlight, .up where !hasHighlight: hasHighlight = !choices.isEmpty
    case .up, .down, .pageUp, .pageDown: _ = list.handle(key)
    default: change { $0.handle(key) }
    }
  }

  mutating func paste(_ bytes: [UInt8]) { change { $0.paste(bytes) } }

  private mutating func change(_ change: (inout TextField) -> EditOutcome) {
    let before = field.bytes
    if change(&field) != .ignored, field.bytes != before { find() }
  }

  /// Inserts the common beginning of the choices; if that is typed, highlights the next one.
  fileprivate mutating func complete() {
    guard let common = albums.common else { return }
    guard common.utf8.count <= field.bytes.count else { return set(common) }
    if hasHighlight { list.select((list.selection + 1) % choices.count) }
    hasHighlight = true
  }

  /// The effect of Enter.
  /// - Throws: `badName`; `exists` if something there has a name of these.
  fileprivate func effect(_ table: EntryTable, _ frame: Frame) throws(StoreError) -> FileListEffect {
    let typed = hasHighlight ? list.selected.map { choices[$0] } ?? field.string : field.string
    let album = try table.album(named: typed)
    var part = album
    while part != folder, !part.isRoot {
      if table.contains(part) {
        throw StoreError(.exists, "\"\(part)\" is a \(words.one), so it can be no \(words.folder).")
      }
      part = part.parent
    }
    guard let moving else { return .move(try free(album, table, frame), to: album) }
    let target = try album.appending(Array(moving.name))
    if album == moving || album.relative(to: moving) != nil {
      throw StoreError(.badInput, "\"\(moving)/\" cannot go into itself.", remedy: "Choose another \(words.folder).")
    }
    if target == moving { throw StoreError(.badInput, "The \(words.folder) is there already.") }
    if table.contains(target) || table.holds(target) { throw taken(target, frame) }
    return .moveFolder(moving, to: target, seen: table.files(below: moving))
  }

  /// The files that are not there yet.
  private func free(
    _ album: StorePath, _ table: EntryTable, _ frame: Frame
  ) throws(StoreError) -> [StorePath] {
    let moving = files.filter { $0.parent != album }
    guard !moving.isEmpty else {
      throw StoreError(
        .badInput,
        files.count == 1 ? "The \(words.one) is there already." : "The \(words.many) are there already.")
    }
    let names = Dictionary(grouping: moving, by: { album.descending($0.name) })
    if let path = names.keys.sorted().first(where: { table.contains($0) || names[$0]?.count != 1 }) {
      throw taken(path, frame)
    }
    return moving
  }

  private func taken(_ path: StorePath, _ frame: Frame) -> StoreError {
    StoreError(
      .exists, "\"\(path)\" already exists.",
      remedy: "Rename one of the two first (\(frame.keys.name(of: words.rename))).")
  }

  fileprivate mutating func refuse(_ problem: String) { self.problem = problem }
}

extension MovePrompt: TabView {
  var places: [KeyCommand.Place] { [.path] }
  var footer: [CommandID] { [.pathAccept, .pathComplete, .pathCancel] }
  var takesText: Bool { true }

  mutating func resize(_ frame: Frame) { list.resize(height: max(1, frame.bodyHeight - 2)) }

  func handle(_ command: CommandID, _ state: inout Tab, _ frame: inout Frame) -> Tab.Commands {
    var prompt = self
    switch command {
    case .pathCancel, .close, .interrupt:
      state.views.removeLast()
      return []
    case .pathComplete: prompt.complete()
    case .pathAccept:
      guard let table = state.files.table else { return [] }
      do throws(StoreError) {
        let effect = try effect(table, frame)
        state.views.removeLast()
        return state.list([.run(effect)])
      } catch {
        prompt.refuse("\(error)")
      }
    default: break
    }
    state.replaceTop(prompt)
    return []
  }

  func reason(against command: CommandID, _ frame: Frame) -> String? {
    switch command {
    case .pathMark: "One \(words.folder) takes the \(words.many); it has nothing to mark."
    case .pathComplete where choices.isEmpty: "No \(words.folder) begins so. Enter makes a new one."
    default: nil
    }
  }

  func draw(_ state: Tab, _ frame: Frame, on canvas: inout Canvas) {
    let what = files.count <= 1 ? "Move to: " : "Move \(files.count.grouped) to: "
    canvas.prompt(what, field, problem: problem, sentence: sentence, list) { line, row, isSelected in
      guard row < choices.count else { return }
      let isChosen = isSelected && hasHighlight
      line.text(isChosen ? ">" : " ", x: 1, y: 0, style: line[.accent])
      line.text(
        ShortName.of(choices[row], columns: max(1, line.size.width - 4)), x: 3, y: 0,
        style: line[isChosen ? .selection : .directory])
    }
  }

  private var sentence: String {
    if !hasHighlight, !field.isEmpty, choices.isEmpty { return "A new \(words.folder)." }
    return albums.isEmpty ? "The club has no \(words.folder)s yet: a name makes the first." : ""
  }
}

extension FileTab {
  /// The prompt on top takes a key or pasted text; false without one.
  mutating func typeInMovePrompt(_ change: (inout MovePrompt<Self>) -> Void) -> Bool {
    guard var prompt = views.last as? MovePrompt<Self> else { return false }
    change(&prompt)
    replaceTop(prompt)
    return true
  }
}
