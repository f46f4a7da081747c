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
  public static func start(_ frame: Frame, downloadDirectory: String) -> PhotosState {
    var state = PhotosState(frame: frame, downloadDirectory: downloadDirectory)
    fit(&state)
    return state
  }

  /// Ages are as of this moment.
  public static func clockRead(_ state: inout PhotosState, secondsSince1970: Int64) {
    state.frame.now = secondsSince1970
  }

  /// What an event means to the topmost view; nil when nothing.
  public static func action(for event: InputEvent, in state: PhotosState) -> PhotosAction? {
    switch event {
    case .key(let key):
      if let question = state.question { return question.answer(for: key).map { $0.action ?? .dismissedQuestion } }
      if let command = state.frame.keys.command(for: key, in: places(state)) { return .command(command) }
      return takesText(state) ? .typed(key) : nil
    case .paste(let bytes): return takesText(state) ? .pasted(bytes) : nil
    case .mouse(let mouse): return state.question == nil ? .mouse(mouse) : nil
    case .resize: return .resized
    case .terminate, .resumed: return nil
    }
  }

  /// Whether keys that type something go into a text now.
  public static func takesText(_ state: PhotosState) -> Bool {
    switch state.view {
    case .path, .rename: true
    case .viewer, .info: false
    case nil: state.find.isTyping
    }
  }

  /// Whether a view or a question lies over the list.
  public static func isCovered(_ state: PhotosState) -> Bool { state.view != nil || state.question != nil }

  /// Where keys are looked up now, the nearest first.
  public static func places(_ state: PhotosState) -> [KeyCommand.Place] {
    switch state.view {
    case nil: state.find.isTyping ? [] : [.photos, .lists]
    case .viewer: [.viewer]
    case .info: []
    case .path, .rename: [.path]
    }
  }

  /// The commands for the footer.
  public static func footer(_ state: PhotosState) -> [CommandID] {
    switch state.view {
    case nil:
      state.find.isTyping
        ? []
        : [
          .listOpen, .photosUpload, .photosDownload, .find, .help, .photosInfo, .photosTrash, .listSort, .refresh,
          .quit,
        ]
    case .viewer: [.viewerIn, .viewerReset, .viewerFill, .viewerNext, .viewerPrevious, .help, .quit]
    case .info: [.quit]
    case .path: [.pathAccept, .pathComplete, .pathMark, .pathCancel]
    case .rename: [.pathAccept, .pathCancel]
    }
  }

  /// Acts.
  public static func update(_ state: inout PhotosState, _ action: PhotosAction) -> [Command<PhotosEffect, PhotosAction>]
  {
    switch action {
    case .command(let command): return run(command, &state)
    case .typed(let key): return type(key, &state)
    case .pasted(let bytes): return paste(bytes, &state)
    case .mouse(let mouse): return point(mouse, &state)
    case .resized:
      fit(&state)
      return visibleThumbnails(state)
    case .shown:
      guard !state.isAsked else { return [] }
      state.isAsked = true
      return [.run(.list, key: "photos.list")]
    case .listed, .listFailed, .changed, .watchEnded, .thumbnail, .thumbnailFailed: return fill(&state, action)
    case .began, .progressed, .entered, .finished: return transfer(&state, action)
    case .dismissedQuestion, .confirmedTrash, .informed:
      state.question = nil
      return happen(&state, action)
    default: return happen(&state, action)
    }
  }

  /// Tells all views the size that they are drawn on.
  static func fit(_ state: inout PhotosState) {
    state.list.resize(height: max(1, state.frame.bodyHeight / state.itemHeight))
    state.thumbnails.removeAll()
    if case .viewer(var viewer) = state.view {
      viewer.view?.resize(to: window(state.frame))
      state.view = .viewer(viewer)
    }
    if case .path(var prompt) = state.view {
      prompt.list.resize(height: max(1, state.frame.bodyHeight - 2))
      state.view = .path(prompt)
    }
  }
}
