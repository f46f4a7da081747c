internal import ClubServices
internal import FileStores
internal import Imaging
internal import TextUI

/// The files in the club's trash, the last removed first; Enter puts one back.
struct TrashView: NotesListView {
  let places: [KeyCommand.Place] = [.trash, .moves]
  let footer: [CommandID] = [.trashRestore, .trashMark, .refresh, .help, .quit]
  let sentences = (row: "file", unread: "The trash is not read yet.", empty: "The trash is empty.")
  let own: [CommandID] = [.trashRestore, .trashMark]
  let refreshes = true
  var list: SideList<TrashedFile>
  private(set) var marks: Set<TrashedFile.ID> = []
  /// The file whose text was asked for last, for the preview.
  private var asked: TrashedFile.ID?
  private var seen: Result<FileBeginning, StoreError>?

  static let previewBytes = 16 << 10

  init(height: Int) { list = SideList(height: height) }

  mutating func take(_ files: [TrashedFile]) {
    marks.formIntersection(files.map(\.id))
    list.take(files) { $0.id == $1.id }
  }

  /// The marked files; without marks the selected one.
  var chosen: [TrashedFile] {
    marks.isEmpty ? [list.chosen].compactMap { $0 } : (list.items ?? []).filter { marks.contains($0.id) }
  }

  /// Marks the selected file or takes its mark away, and goes on.
  mutating func mark() {
    guard let id = list.chosen?.id else { return }
    if marks.remove(id) == nil { marks.insert(id) }
    _ = list.rows.move(.listDown)
  }

  mutating func take(_ seen: Result<FileBeginning, StoreError>, of id: TrashedFile.ID) {
    if id == asked { self.seen = seen }
  }

  /// The text of a photo would say nothing.
  func lookBeside(_ state: inout NotesState) -> Commands {
    guard let file = list.chosen, file.id != asked, !file.isPicture else { return [] }
    var view = self
    (view.asked, view.seen) = (file.id, nil)
    state.replaceTop(view)
    return [.run(.lookAtTrashed(file), key: "notes.look")]
  }

  private func drawPreview(of file: TrashedFile, on canvas: inout Canvas) {
    let text: [UInt8]
    switch seen {
    case _ where file.isPicture: text = Array("A photo.".utf8)
    case .success(let first)? where first.text.contains(0): text = Array("This file is not text.".utf8)
    case .success(let first)?: text = first.text
    case .failure(let error)?: text = Array("byteclub could not read this file. \(error)".utf8)
    case nil: text = Array("Loading.".utf8)
    }
    SideFace.drawPreview("\(file.origin)", text, on: &canvas)
  }

  func draw(_ state: NotesState, _ frame: Frame, on canvas: inout Canvas) {
    let face = SideFace(
      title: "Trash", facts: marks.isEmpty ? "" : "\(marks.count) marked", role: .marked,
      columns: [
        SideColumn("Name"), SideColumn("Size", 9, isRight: true, least: 60), SideColumn("Removed", 10, isRight: true),
      ], empty: sentences.empty)
    list.draw(face, frame, on: &canvas) { file, part in
      drawPreview(of: file, on: &part)
    } row: { _, file in
      let age = Age.text(of: Int(file.discarded.seconds), now: Int(frame.now))
      let size = ByteCount.short(Int(clamping: file.size)).string
      return SideRow(
        cells: [SideCell(name: file.origin.bytes), SideCell(size, .dim), SideCell(age, .dim)],
        isMarked: marks.contains(file.id))
    }
  }

  func handle(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    var view = self
    switch command {
    case .trashRestore:
      let files = chosen
      guard !files.isEmpty else { return [] }
      frame.say(files.count == 1 ? "Restoring \"\(files[0].origin)\"." : "Restoring \(files.count) files.")
      return [.run(.restoreTrashed(files))]
    case .trashMark: view.mark()
    case .refresh:
      view.asked = nil
      state.replaceTop(view)
      return [NotesScreen.lookTrash]
    case .close, .quit:
      state.views.removeLast()
      return [.cancel(key: "notes.trash")] + (asked == nil ? [] : [.cancel(key: "notes.look")])
    default: return []
    }
    state.replaceTop(view)
    return []
  }
}

extension TrashedFile {
  fileprivate var isPicture: Bool { PictureFormat.named(origin.name) != nil }
}

extension NotesScreen {
  static func openTrash(_ state: inout NotesState, _ frame: Frame) -> Commands {
    state.views.append(TrashView(height: frame.bodyHeight))
    return [lookTrash]
  }

  fileprivate static var lookTrash: Commands.Element { .run(.lookTrash, key: "notes.trash") }

  /// Takes the service's answer about the trash.
  static func happenToTrash(_ state: inout NotesState, _ action: NotesAction, _ frame: inout Frame) -> Commands {
    let index = state.views.lastIndex { $0 is TrashView }
    func change(_ body: (inout TrashView) -> Void) {
      guard let index, var view = state.views[index] as? TrashView else { return }
      body(&view)
      state.views[index] = view
    }
    switch action {
    case .trashAsked: return openTrash(&state, frame)
    case .trashListed(let files): change { $0.take(files) }
    case .trashedRead(let id, let first): change { $0.take(.success(first), of: id) }
    case .failed(.lookAtTrashed(let file), let error):
      if error.kind != .cancelled { change { $0.take(.failure(error), of: file.id) } }
    case .failed(.lookTrash, let error):
      guard let index, error.kind != .cancelled else { return [] }
      state.views.remove(at: index)
      frame.complain("byteclub could not read the trash. \(error)")
    case .restoredFromTrash(let back, let failed):
      for entry in back where state.scope.isNote(entry.path) { state.files.add(entry, isChosen: entry == back.last) }
      let said =
        back.count == 1 ? "Restored \"\(back[0].path)\"." : back.isEmpty ? "" : "Restored \(back.count) files."
      if let first = failed.first {
        let rest = failed.count > 1 ? " \(failed.count) files are still in the trash." : ""
        frame.complain(said.isEmpty ? "\(first.error)\(rest)" : "\(said) \(first.error)\(rest)")
      } else {
        frame.say(said)
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
