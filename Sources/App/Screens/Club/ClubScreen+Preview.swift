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
    let photos = state.photos.files
    guard state.tab == .notes, !state.transfers.isOpen,
      let picture = state.notes.nextPicture(state.frame, { photos.path(like: $0) })
    else { return [] }
    let request = PreviewRequest(
      kind: .photo, path: picture.path, size: nil, modified: nil, columns: picture.columns, rows: picture.rows,
      resolution: PictureResolution(state.frame.abilities), isBare: true)
    return [.run(.preview(request), key: "notes.picture")]
  }

  /// nil if no preview is visible, or nothing is selected.
  private static func request(_ state: ClubState) -> PreviewRequest? {
    guard state.paneWidth != nil else { return nil }
    switch state.seen {
    case .notes:
      guard var wanted = request(.note, state.notes.files, state.frame) else { return nil }
      wanted.own = state.notes.ownText(of: wanted.path)
      wanted.sought = state.notes.files.sought(at: wanted.path)
      return wanted
    case .photos:
      guard var wanted = request(.photo, state.photos.files, state.frame) else { return nil }
      wanted.own = state.notes.ownText(ofCaption: wanted.path)
      return wanted
    case .added: return nil
    }
  }

  private static func request(_ kind: PreviewRequest.Kind, _ files: FileList, _ frame: Frame) -> PreviewRequest? {
    guard let table = files.table, let row = files.rows.selected, row < table.count else { return nil }
    var wanted = PreviewRequest(
      kind: kind, path: table.path(at: row), size: table.size(at: row), modified: table.modified(at: row),
      author: table.author(at: row), columns: frame.previewColumns, rows: frame.previewRows,
      resolution: PictureResolution(frame.abilities), isASCII: frame.abilities.asciiOnly)
    wanted.remarks = files.remarks[wanted.path]?.words ?? ""
    return wanted
  }

  static func runPreview(_ command: CommandID, _ state: inout ClubState) -> Commands? {
    if [.previewToggle, .previewWider, .previewNarrower].contains(command), state.tab == .photos,
      state.photos.grid != nil
    {
      state.frame.say("The grid has no preview. \(state.frame.keys.name(of: .photosLayout)) shows the list.")
      return []
    }
    switch command {
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
