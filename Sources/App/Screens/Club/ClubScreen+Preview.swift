internal import ClubServices
internal import FileStores
internal import TextUI

extension ClubScreen {
  private static let key = "club.preview"
  private static let step = 5
  /// Columns by which a key moves the rule beside the preview.
  static let ruleStep = 4

  /// A new request cancels the one before.
  static func followSelection(_ state: inout ClubState) -> Commands {
    let wanted = request(state)
    if wanted == nil, state.preview.request != nil, state.paneWidth != nil || state.frame.listWidth == nil {
      _ = state.preview.follow(nil)
      return [.cancel(key: key)]
    }
    guard let wanted, let new = state.preview.follow(wanted) else { return [] }
    return [.run(.preview(new), key: key)]
  }

  /// Asks for the next picture in view of the note that is read, one after the other.
  static func askForPicture(_ state: inout ClubState) -> Commands {
    guard state.tab == .notes, !state.transfers.isOpen else { return [] }
    let (photos, notes) = (state.photos.files, state.notes.files)
    let meant = { picture($0, from: $1, photos, notes) }
    guard let picture = state.notes.nextPicture(state.frame, meant) else { return [] }
    let request = PreviewRequest(
      kind: .photo, path: picture.path, size: nil, modified: nil, columns: picture.columns, rows: picture.rows,
      resolution: PictureResolution(state.frame.abilities), isBare: true)
    return [.run(.preview(request), key: "notes.picture")]
  }

  /// The picture that a link of a note means: a listed photo, a picture at the top of the club or in a folder of notes, or
  /// else the path itself.
  static func picture(
    _ words: LinkWords, from note: StorePath, _ photos: FileList, _ notes: FileList
  ) -> StorePath? {
    photos.path(of: words, from: note) ?? notes.path(of: words, from: note)
      ?? notes.table?.picture(of: words, from: note) ?? words.path(from: note)
  }

  /// nil if no preview is visible, or nothing is selected.
  private static func request(_ state: ClubState) -> PreviewRequest? {
    guard let pane = state.paneWidth else { return nil }
    switch state.seen {
    case .notes:
      if let folder = state.notes.files.selectedAlbum {
        return request(of: folder, state.notes.files, state.frame, beside: pane)
      }
      guard var wanted = request(.note, state.notes.files, state.frame, beside: pane) else { return nil }
      wanted.own = state.notes.ownText(of: wanted.path)
      wanted.sought = state.notes.files.sought(at: wanted.path)
      return wanted
    case .photos:
      if let album = state.photos.files.selectedAlbum {
        return request(coverOf: album, state.photos.files, state.frame, beside: pane)
      }
      guard var wanted = request(.photo, state.photos.files, state.frame, beside: pane) else { return nil }
      wanted.own = state.notes.ownText(ofCaption: wanted.path)
      return wanted
    case .added: return nil
    }
  }

  private static func request(
    _ kind: PreviewRequest.Kind, _ files: FileList, _ frame: Frame, beside pane: Int
  ) -> PreviewRequest? {
    guard let table = files.table, let row = files.selectedRow else { return nil }
    var wanted = PreviewRequest(
      kind: kind, path: table.path(at: row), size: table.size(at: row), modified: table.modified(at: row),
      author: table.author(at: row), columns: max(1, frame.size.width - pane - 3), rows: frame.previewRows,
      resolution: PictureResolution(frame.abilities), isASCII: frame.abilities.asciiOnly)
    wanted.remarks = files.remarks[wanted.path]?.words ?? ""
    return wanted
  }

  /// A folder is shown by its page, else by the first names in it.
  private static func request(
    of folder: Album, _ files: FileList, _ frame: Frame, beside pane: Int
  ) -> PreviewRequest? {
    guard let table = files.table else { return nil }
    let page = table.page(of: folder.path)
    var wanted = PreviewRequest(
      kind: page == nil ? .folder(table.firstNames(in: folder.path, most: frame.previewRows)) : .note,
      path: page ?? table.folder.descending(folder.path[...]), size: nil, modified: nil,
      columns: max(1, frame.size.width - pane - 3), rows: frame.previewRows,
      resolution: PictureResolution(frame.abilities), isASCII: frame.abilities.asciiOnly)
    let name = String(decoding: folder.name, as: UTF8.self)
    wanted.remarks = page == nil ? files.words.count(folder.count) : "in \(name)/"
    return wanted
  }

  private static func request(
    coverOf album: Album, _ files: FileList, _ frame: Frame, beside pane: Int
  ) -> PreviewRequest? {
    guard let table = files.table else { return nil }
    var wanted = PreviewRequest(
      kind: .photo, path: table.folder.descending(album.cover[...]), size: nil, modified: nil,
      columns: max(1, frame.size.width - pane - 3), rows: frame.previewRows,
      resolution: PictureResolution(frame.abilities),
      isASCII: frame.abilities.asciiOnly)
    wanted.remarks = "cover of \(String(decoding: album.name, as: UTF8.self))/"
    return wanted
  }

  static func runPreview(_ command: CommandID, _ state: inout ClubState) -> Commands? {
    switch command {
    case .previewToggle where state.tab == .photos && state.photos.grid != nil:
      guard let choice = state.photos.togglePreview(&state.frame) else { return [] }
      return state.tellAll(.resized) + ClubState.outer([.run(.keepGrid(choice))] as PhotosScreen.Commands)
    case .previewToggle:
      if state.frame.listWidth != nil {
        state.frame.preview = .off
      } else if state.frame.size.width >= Frame.leastForTwo {
        state.frame.preview = .on
      } else {
        state.frame.say("The preview needs \(Frame.leastForTwo) columns.")
        return []
      }
      return state.tellAll(.resized)
    case .previewWider, .previewNarrower:
      state.frame.moveRule(by: command == .previewWider ? -ruleStep : ruleStep)
      return state.tellAll(.resized)
    case .previewUp, .previewDown:
      if state.paneWidth != nil { state.preview.scroll(by: command == .previewUp ? -step : step) }
      return []
    default: return nil
    }
  }

  static func isOverPreview(_ mouse: InputEvent.Mouse, _ state: ClubState) -> Bool {
    state.paneWidth.map { mouse.point.x >= $0 } ?? false
  }
}
