internal import ClubServices
internal import FileStores
internal import Merge
internal import TextUI

/// The reasons in the tab of photos.
extension PhotosState {
  func reason(against command: CommandID, _ frame: Frame) -> String? {
    if let facts {
      if [.readerFindNext, .readerFindPrevious, .close, .quit].contains(command) { return nil }
      if let end = facts.end(of: command) { return end }
      return TextReader.scroll(command) == nil
        && places.contains(KeyCommand.named(command)?.place ?? .everywhere)
        || command == .refresh ? "These facts are only read." : nil
    }
    if let title = walkTitle {
      if command == .pathAccept, title.isEmpty { return "Type a title first." }
      return command == .pathComplete || command == .pathMark ? "Type a title; it has nothing to choose." : nil
    }
    if giver != nil {
      return command == .pathComplete || command == .pathMark ? "Type a name; it has nothing to choose." : nil
    }
    switch view {
    case nil: return files.reason(against: command, frame)
    case .viewer where files.renaming != nil: return files.reason(against: command, frame)
    case .viewer(let viewer): return reason(against: command, viewer)
    case .path(let prompt): return reason(against: command, prompt, frame)
    // Each key closes it.
    case .dropPage: return nil
    }
  }

  private func reason(against command: CommandID, _ viewer: PhotoViewer) -> String? {
    let isShown = viewer.flat != nil || viewer.look != nil
    var moved = viewer
    switch command {
    case .viewerLeft: moved.step(right: -1, up: 0)
    case .viewerRight: moved.step(right: 1, up: 0)
    case .viewerUp: moved.step(right: 0, up: 1)
    case .viewerDown: moved.step(right: 0, up: -1)
    case .viewerIn: moved.zoom(by: 2)
    case .viewerOut: moved.zoom(by: 0.5)
    case .viewerReset: moved.reset()
    case .viewerFill: moved.fill()
    case .viewerNext, .viewerPrevious:
      return files.table?.row(of: viewer.path) == nil
        ? "The photo is not in the list as it is now, so it has no neighbours." : nil
    default: return nil
    }
    guard isShown else { return viewer.problem == nil ? "The photo is still loading." : "The photo cannot be shown." }
    guard moved.camera == viewer.camera else { return nil }
    return switch command {
    case .viewerIn: "The photo cannot be larger."
    case .viewerOut: "The photo cannot be smaller."
    case .viewerReset, .viewerFill: "The photo is shown so already."
    default: "The photo ends here."
    }
  }

  private func reason(against command: CommandID, _ prompt: PathPrompt, _ frame: Frame) -> String? {
    switch command {
    case .pathMark where prompt.isChecking, .pathComplete where prompt.isChecking,
      .pathAccept where prompt.isChecking:
      "byteclub looks at the file. \(frame.keys.name(of: .pathCancel)) closes."
    case .pathMark where prompt.purpose == .download: "Only an upload takes several files."
    case .pathMark where prompt.isCompleted && prompt.completion.choices.isEmpty: "No picture is here to mark."
    case .pathComplete where prompt.isCompleted && prompt.completion.choices.isEmpty: "No file begins so."
    default: nil
    }
  }
}
