internal import ClubServices
internal import FileStores
internal import TextUI

/// The files in the club's trash, the last removed first; Enter puts one back.
struct TrashView: Sendable {
  /// Nil until the store has answered.
  private(set) var files: [TrashedFile]?
  private(set) var marks: Set<TrashedFile.ID> = []
  var rows = ListState()

  init(height: Int) { resize(height: height) }

  /// Takes the store's answer; the selection stays on its file.
  mutating func take(_ files: [TrashedFile]) {
    let before = selected?.id
    self.files = files
    marks.formIntersection(files.map(\.id))
    rows.setCount(files.count)
    if let before, let row = files.firstIndex(where: { $0.id == before }) { rows.select(row) }
  }

  var selected: TrashedFile? { rows.selected.flatMap { row in files.flatMap { row < $0.count ? $0[row] : nil } } }

  /// The marked files; without marks the selected one.
  var chosen: [TrashedFile] {
    marks.isEmpty ? [selected].compactMap { $0 } : (files ?? []).filter { marks.contains($0.id) }
  }

  /// Marks the selected file or takes its mark away, and goes on.
  mutating func mark() {
    guard let id = selected?.id else { return }
    if marks.remove(id) == nil { marks.insert(id) }
    _ = rows.move(.listDown)
  }

  /// The list has a heading above it.
  mutating func resize(height: Int) { rows.resize(height: max(1, height - 1)) }

  func draw(_ frame: Frame, on canvas: inout Canvas) {
    let width = canvas.size.width
    let count = marks.isEmpty ? "" : "\(marks.count) marked"
    canvas.text("Trash", x: 1, y: 0, style: canvas[.title])
    canvas.text(count, x: max(0, width - count.count - 1), y: 0, style: canvas[.marked])
    guard let files else { return NotesScreen.drawLoading(frame, on: &canvas) }
    guard !files.isEmpty else {
      canvas.text(" The trash is empty.", x: 0, y: 2, style: canvas[.dim])
      return
    }
    canvas.inside(Rect(0, 1, width, canvas.size.height - 1)) { part in
      rows.draw(
        on: &part, content: { row in row < files.count ? content(files[row], frame.now) : nil },
        row: { line, row, _ in if row < files.count { draw(files[row], frame.now, on: &line) } })
    }
  }

  private func content(_ file: TrashedFile, _ now: Int64) -> Int {
    var hasher = Hasher()
    hasher.combine(file)
    hasher.combine(marks.contains(file.id))
    hasher.combine(Age.minutes(of: Int(file.discarded.seconds), now: Int(now)))
    return hasher.finalize()
  }

  private func draw(_ file: TrashedFile, _ now: Int64, on canvas: inout Canvas) {
    let width = canvas.size.width
    if marks.contains(file.id) { canvas.text("*", x: 2, y: 0, style: canvas[.marked]) }
    let age = Age.text(of: Int(file.discarded.seconds), now: Int(now))
    let size = width >= 60 ? ByteCount.short(Int(clamping: file.size)) : ShortText()
    canvas.text(file.origin.bytes[...], x: 4, y: 0, width: max(0, width - 6 - 11 - (width >= 60 ? 11 : 0)))
    canvas.text(size, x: width - 13 - size.count, y: 0, style: canvas[.dim])
    canvas.text(age, x: width - 1 - age.utf8.count, y: 0, style: canvas[.dim])
  }
}

extension NotesScreen {
  static func openTrash(_ state: inout NotesState, _ frame: Frame) -> Commands {
    state.views.append(.trash(TrashView(height: frame.bodyHeight)))
    return [lookTrash]
  }

  private static var lookTrash: Commands.Element { .run(.lookTrash, key: "notes.trash") }

  static func run(_ command: CommandID, _ view: TrashView, _ state: inout NotesState, _ frame: inout Frame) -> Commands
  {
    var view = view
    switch command {
    case .trashRestore:
      let files = view.chosen
      guard !files.isEmpty else { return [] }
      frame.say(files.count == 1 ? "Restoring \"\(files[0].origin)\"." : "Restoring \(files.count) files.")
      return [.run(.restoreTrashed(files))]
    case .trashMark: view.mark()
    case .refresh: return [lookTrash]
    case .close, .quit:
      state.views.removeLast()
      return [.cancel(key: "notes.trash")]
    default: _ = view.rows.move(command)
    }
    replaceTop(.trash(view), &state)
    return []
  }

  /// Takes the service's answer about the trash.
  static func happenToTrash(_ state: inout NotesState, _ action: NotesAction, _ frame: inout Frame) -> Commands {
    let index = state.views.lastIndex { if case .trash = $0 { true } else { false } }
    switch action {
    case .trashAsked: return openTrash(&state, frame)
    case .trashTold(let files):
      guard let index, case .trash(var view) = state.views[index] else { return [] }
      view.take(files)
      state.views[index] = .trash(view)
    case .failed(.lookTrash, let error):
      guard let index, error.kind != .cancelled else { return [] }
      state.views.remove(at: index)
      frame.complain("byteclub could not read the trash. \(error)")
    case .restoredFromTrash(let back, let failed):
      for entry in back where entry.path.parent.isRoot { state.files.add(entry, isChosen: entry == back.last) }
      let told =
        back.count == 1 ? "Restored \"\(back[0].path)\"." : back.isEmpty ? "" : "Restored \(back.count) files."
      if let first = failed.first {
        let rest = failed.count > 1 ? " \(failed.count) files are still in the trash." : ""
        frame.complain(told.isEmpty ? "\(first.error)\(rest)" : "\(told) \(first.error)\(rest)")
      } else {
        frame.say(told)
      }
      return index == nil ? [] : [lookTrash]
    default: break
    }
    return []
  }
}

extension NotesPerformer {
  /// Tries every file, even after a failure; the last removed first, which had its name last.
  func restore(_ files: [TrashedFile]) async -> NotesAction {
    var back: [FileEntry] = []
    var failed: [FileFailure] = []
    for file in files {
      do throws(StoreError) {
        back.append(try await service.restore(file.id))
      } catch {
        failed.append(FileFailure(file.origin, error))
      }
    }
    return .restoredFromTrash(back, failed: failed)
  }
}
