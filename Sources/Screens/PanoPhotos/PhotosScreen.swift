internal import FileStores
internal import Imaging
public import TextUI

/// The panoramic photos: a list with thumbnails, over it a viewer, and paths for upload and download.
public enum PhotosScreen: Screen {
  /// The tab.
  public typealias State = PhotosState
  /// What happens to it.
  public typealias Action = PhotosAction
  /// What it asks to be done.
  public typealias Effect = PhotosEffect
  typealias Commands = [Command<PhotosEffect, PhotosAction>]

  /// The first state. Nothing is read before the tab is shown.
  public static func start(_ frame: Frame, downloadDirectory: String, uploadDirectory: String = "") -> PhotosState {
    var state = PhotosState(frame: frame, downloadDirectory: downloadDirectory, uploadDirectory: uploadDirectory)
    fit(&state)
    return state
  }

  /// Ages are as of this moment.
  public static func clockRead(_ state: inout PhotosState, secondsSince1970: Int64) {
    state.frame.now = secondsSince1970
  }

  /// What an event means to the topmost view; nil when nothing.
  public static func action(for event: InputEvent, in state: PhotosState) -> PhotosAction? { state.action(for: event) }

  /// Acts.
  public static func update(_ state: inout PhotosState, _ action: PhotosAction) -> [Command<PhotosEffect, PhotosAction>]
  {
    let sought = state.files.find.field.string
    var commands = react(&state, action)
    commands += askStore(sought, state)
    if !state.isCovered, !state.takesText, !state.questions.isEmpty { state.question = state.questions.removeFirst() }
    // Below a view, thumbnails can wait: what is looked at comes first.
    guard !state.hasView, state.files.takeMoved() else { return commands }
    return visibleThumbnails(state) + visibleCopies(state) + commands
  }

  private static func react(_ state: inout PhotosState, _ action: PhotosAction) -> Commands {
    switch action {
    case .input(.command(let command)): return run(command, &state)
    case .input(.typed(let key)): return type(key, &state)
    case .input(.pasted(let bytes)): return paste(bytes, &state)
    case .input(.mouse(let mouse)): return point(mouse, &state)
    case .resized:
      fit(&state)
      return []
    case .answered(let action):
      state.question = nil
      return action.map { react(&state, $0) } ?? []
    case .shown: return state.files.isAsked ? [] : list([state.files.list()])
    case .files(let action): return update(&state, action)
    case .found(let photos): return add(photos, &state)
    case .asked(let path):
      state.facts = nil
      return view(path, &state)
    case .thumbnail, .thumbnailFailed, .viewed, .viewFailed, .informed, .completed, .folderFound, .folderWanted,
      .folderRefused, .uploadsPrepared:
      return happen(&state, action)
    case .againUp(let files):
      state.preparing += files.count
      return [.run(.upload(files, again: true))]
    case .againDown(let photos, let folder):
      state.preparing += photos.count
      return [.run(.download(photos, to: folder, again: true))]
    case .prepared, .uploaded, .copied, .lookedOnDisk, .kept, .clubHas, .folderHas:
      happenToFiles(&state, action)
      return []
    }
  }

  /// What is typed into find is sought in the list at once, and by the store, which may know photos that the list does
  /// not have yet. Newer words take the place of older ones.
  private static func askStore(_ before: String, _ state: PhotosState) -> Commands {
    let words = state.files.find.field.string
    if words == before { return [] }
    return words.isEmpty ? [.cancel(key: "photos.seek")] : [.run(.seek(words), key: "photos.seek")]
  }

  /// Photos that the store has found join the list, which shows of them what its own words let through.
  private static func add(_ found: [FileEntry], _ state: inout PhotosState) -> Commands {
    guard let table = state.files.table else { return [] }
    let news = found.filter { !table.contains($0.path) }
    if news.isEmpty { return [] }
    let set = ChangeSet(changes: news.map { .present($0) }, cursor: ChangeCursor(""))
    return list(state.files.update(.changed(set), &state.frame))
  }

  /// The list's commands as the tab's.
  static func list(_ commands: FileList.Commands) -> Commands {
    commands.map { $0.map(PhotosEffect.files, PhotosAction.files) }
  }

  /// Tells all views the size that they are drawn on.
  static func fit(_ state: inout PhotosState) {
    let frame = state.frame
    state.files.resize(height: frame.bodyHeight, lines: state.itemHeight)
    state.thumbnails.removeAll()
    state.facts?.resize(factsSize(frame))
    state.viewer?.view?.resize(to: window(frame))
    state.prompt?.list.resize(height: max(1, frame.bodyHeight - 2))
  }
}
