internal import ClubServices
internal import FileStores
internal import Imaging
internal import TextUI

/// What keys do in the views over the list of photos.
extension PhotosScreen {
  static func run(_ command: CommandID, _ state: inout PhotosState) -> Commands {
    if state.facts != nil { return runInFacts(command, &state) }
    return switch state.view {
    case nil: runInList(command, &state)
    case .viewer(let viewer): run(command, viewer, &state)
    case .path(let prompt): run(command, prompt, &state)
    }
  }

  /// What a photo's facts are drawn on: all but the borders.
  static func factsSize(_ frame: Frame) -> Size { Size(max(1, frame.size.width - 2), max(1, frame.bodyHeight - 1)) }

  private static func runInFacts(_ command: CommandID, _ state: inout PhotosState) -> Commands {
    switch command {
    case .close, .quit: state.facts = nil
    case .readerFindNext, .readerFindPrevious: state.frame.say("Find works in lists and notes.")
    default: state.facts?.move(command)
    }
    return []
  }

  /// The pixels of the viewer's window.
  static func window(_ frame: Frame) -> PixelSize {
    HalfBlocks.pixels(columns: max(1, frame.viewSize.width), rows: frame.viewSize.height)
  }

  private static func run(_ command: CommandID, _ viewer: PhotoViewer, _ state: inout PhotosState) -> Commands {
    switch command {
    case .viewerLeft: _ = state.viewer?.view?.pan(x: -FlatView.panStep, y: 0)
    case .viewerRight: _ = state.viewer?.view?.pan(x: FlatView.panStep, y: 0)
    case .viewerUp: _ = state.viewer?.view?.pan(x: 0, y: -FlatView.panStep)
    case .viewerDown: _ = state.viewer?.view?.pan(x: 0, y: FlatView.panStep)
    case .viewerIn: state.viewer?.view?.zoom(by: FlatView.zoomStep)
    case .viewerOut: state.viewer?.view?.zoom(by: 1 / FlatView.zoomStep)
    case .viewerReset: state.viewer?.view?.fit()
    case .viewerFill: state.viewer?.view?.fillHeight()
    case .viewerInfo: return [.run(.info(viewer.path), key: "photos.info")]
    case .viewerNext, .viewerPrevious:
      guard let table = state.files.table, let row = table.row(of: viewer.path) else { return [] }
      let next = row + (command == .viewerNext ? 1 : -1)
      guard next >= 0, next < table.count else {
        state.frame.say(command == .viewerNext ? "This is the last photo." : "This is the first photo.")
        return []
      }
      state.files.select(next)
      // What is fetched ahead and is wanted now goes on.
      let isAhead = table.path(at: next) == viewer.ahead
      return (isAhead ? [] : [.cancel(key: "photos.ahead")])
        + view(table.path(at: next), ahead: table.path(after: next, by: next - row), &state)
    case .refresh:
      state.viewer?.problem?.tryNow()
      return [show(viewer.path, state)]
    case .close, .quit:
      state.view = nil
      return [.cancel(key: "photos.ahead"), .cancel(key: "photos.view")]
    default: break
    }
    return []
  }
}
