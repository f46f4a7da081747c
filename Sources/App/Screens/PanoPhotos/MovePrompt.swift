internal import ClubServices
internal import FileStores
internal import TextUI

/// Asks for the album into which photos go: one of the club's, or a new one; nothing and `/` are the top.
struct MovePrompt: Sendable {
  let photos: [StorePath]
  private(set) var field = TextField(placeholder: "an album; empty for the top")
  /// The photos folder.
  private let folder: StorePath
  /// The paths of all albums.
  private let albums: [[UInt8]]
  /// Those that begin with the typed text, in any letter case.
  private(set) var choices: [String] = []
  private(set) var list = ListState()
  /// Enter takes the highlighted row then.
  private(set) var hasHighlight = false
  private(set) var problem: String?

  init(_ files: FileList, _ frame: Frame) {
    photos = files.targets
    folder = files.table?.folder ?? .root
    albums = files.table?.allAlbums ?? []
    find()
    resize(frame)
  }

  /// Only names that can be typed.
  private mutating func find() {
    let typed = field.string.lowercased()
    choices = albums.compactMap { String(validating: $0, as: UTF8.self) }
      .map { $0 + "/" }.filter { $0.lowercased().hasPrefix(typed) }
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
    guard let first = choices.first else { return }
    let common = choices.dropFirst().reduce(first, TypedWords.common)
    guard common.utf8.count <= field.bytes.count else { return set(common) }
    if hasHighlight { list.select((list.selection + 1) % choices.count) }
    hasHighlight = true
  }

  /// The target of Enter.
  /// - Throws: `badName`; `exists` if a photo there has the name of one of these, or of the album.
  fileprivate func target(_ table: EntryTable, _ frame: Frame) throws(StoreError) -> StorePath {
    let row = list.selected
    let typed = hasHighlight && row != nil ? choices[row ?? 0] : field.string
    return try free(try table.album(named: typed), table, frame)
  }

  private func free(
    _ album: StorePath, _ table: EntryTable, _ frame: Frame
  ) throws(StoreError) -> StorePath {
    var part = album
    while part != folder, !part.isRoot {
      if table.contains(part) { throw StoreError(.exists, "\"\(part)\" is a photo, so it can be no album.") }
      part = part.parent
    }
    let moving = photos.filter { $0.parent != album }
    guard !moving.isEmpty else {
      throw StoreError(.badInput, photos.count == 1 ? "The photo is there already." : "The photos are there already.")
    }
    let names = Dictionary(grouping: moving, by: { album.descending($0.name) })
    if let taken = names.keys.sorted().first(where: { table.contains($0) || names[$0]?.count != 1 }) {
      throw StoreError(
        .exists, "\"\(taken)\" already exists.",
        remedy: "Rename one of the two first (\(frame.keys.name(of: .photosRename))).")
    }
    return album
  }

  fileprivate mutating func refuse(_ problem: String) { self.problem = problem }
}

extension MovePrompt: PhotosView {
  var places: [KeyCommand.Place] { [.path] }
  var footer: [CommandID] { [.pathAccept, .pathComplete, .pathCancel] }
  var takesText: Bool { true }

  mutating func resize(_ frame: Frame) { list.resize(height: max(1, frame.bodyHeight - 2)) }

  func handle(_ command: CommandID, _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    var prompt = self
    switch command {
    case .pathCancel, .close, .interrupt:
      state.views.removeLast()
      return []
    case .pathComplete: prompt.complete()
    case .pathAccept:
      guard let table = state.files.table else { return [] }
      do throws(StoreError) {
        let album = try target(table, frame)
        state.views.removeLast()
        return state.list([.run(.move(photos.filter { $0.parent != album }, to: album))])
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
    case .pathMark: "One album takes the photos; it has nothing to mark."
    case .pathComplete where choices.isEmpty: "No album begins so. Enter makes a new one."
    default: nil
    }
  }

  /// From top to bottom: the text, a sentence about it, the albums.
  func draw(_ state: PhotosState, _ frame: Frame, on canvas: inout Canvas) {
    let size = canvas.size
    let what = photos.count == 1 ? "Move to: " : "Move \(photos.count.grouped) to: "
    let used = 1 + canvas.text(what, x: 1, y: 0, style: canvas[.label])
    let problem = problem.map { NoticeLine($0, .error) }
    let lines = min(problem?.height(for: size.width) ?? 1, max(1, size.height - 2))
    canvas.inside(Rect(0, 1, size.width, lines)) { part in
      if let problem { problem.draw(on: &part) } else { part.text(words, x: 1, y: 0, style: part[.dim]) }
    }
    var list = list
    list.resize(height: max(1, size.height - 1 - lines))
    canvas.inside(Rect(0, 1 + lines, size.width, max(0, size.height - 1 - lines))) { part in
      list.draw(on: &part) { line, row, isSelected in
        guard row < choices.count else { return }
        let isChosen = isSelected && hasHighlight
        line.text(isChosen ? ">" : " ", x: 1, y: 0, style: line[.accent])
        line.text(
          ShortName.of(choices[row], columns: max(1, line.size.width - 4)), x: 3, y: 0,
          style: line[isChosen ? .selection : .directory])
      }
    }
    canvas.inside(Rect(used, 0, size.width - used - 1, 1)) { field.draw(on: &$0) }
  }

  private var words: String {
    if !hasHighlight, !field.isEmpty, choices.isEmpty { return "A new album." }
    return albums.isEmpty ? "The club has no albums yet: a name makes the first." : ""
  }
}
