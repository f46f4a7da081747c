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
    case .readerFindNext, .readerFindPrevious: state.frame.say("Find works in lists and in notes.")
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
      return view(table.path(at: next), &state)
    case .close, .quit:
      state.view = nil
      return [.cancel(key: "photos.view")]
    default: break
    }
    return []
  }

  static func prompt(_ prompt: PathPrompt, _ state: inout PhotosState) -> Commands {
    var prompt = prompt
    prompt.list.resize(height: max(1, state.frame.bodyHeight - 2))
    state.prompt = prompt
    return complete(prompt)
  }

  private static func complete(_ prompt: PathPrompt) -> Commands {
    [.run(.complete(prompt.field.string, purpose: prompt.purpose), key: "photos.complete")]
  }

  private static func run(_ command: CommandID, _ prompt: PathPrompt, _ state: inout PhotosState) -> Commands {
    var prompt = prompt
    switch command {
    case .pathComplete:
      return takeCompletion(prompt, &state)
    case .pathMark:
      guard prompt.purpose == .upload, let choice = prompt.chosen, !choice.isDirectory else { return [] }
      if let index = prompt.marks.firstIndex(of: choice.path) {
        prompt.marks.remove(at: index)
      } else {
        prompt.marks.append(choice.path)
      }
      prompt.list.move(.down)
      state.prompt = prompt
    case .pathAccept: return accept(prompt, &state)
    case .pathCancel, .close, .interrupt: state.view = nil
    default: break
    }
    return []
  }

  private static func accept(_ prompt: PathPrompt, _ state: inout PhotosState) -> Commands {
    var prompt = prompt
    let typed = prompt.field.string
    switch prompt.purpose {
    case .download:
      guard !typed.isEmpty else { return [] }
      state.view = nil
      state.files.dropMarks()
      state.downloadDirectory = typed
      state.preparing += prompt.photos.count
      return [.run(.download(prompt.photos, to: typed))]
    case .upload:
      if !prompt.marks.isEmpty { return upload(prompt.marks, &state) }
      if let choice = prompt.chosen, typed.isEmpty || typed.utf8.last == 0x2F || prompt.list.selection > 0 {
        if choice.isDirectory {
          set(choice.path, &prompt)
          state.prompt = prompt
          return complete(prompt)
        }
        return upload([choice.path], &state)
      }
      return typed.isEmpty ? [] : upload([typed], &state)
    }
  }

  private static func upload(_ paths: [String], _ state: inout PhotosState) -> Commands {
    state.view = nil
    state.preparing += paths.count
    return [.run(.upload(paths))]
  }

  /// Tab: the longest beginning of all possibilities, else the chosen one. A completion that is still on its way is
  /// taken when it is there: what was typed is never replaced by a completion of something else.
  static func takeCompletion(_ prompt: PathPrompt, _ state: inout PhotosState) -> Commands {
    var prompt = prompt
    let typed = prompt.field.string
    prompt.completesWhenThere = prompt.completedText != typed
    if !prompt.completesWhenThere {
      let common = prompt.completion.common
      set(common == typed ? prompt.chosen?.path ?? typed : common, &prompt)
    }
    state.prompt = prompt
    return prompt.field.string == typed ? [] : complete(prompt)
  }

  private static func set(_ text: String, _ prompt: inout PathPrompt) {
    prompt.field = TextField(text)
    prompt.list.select(0)
  }

  static func type(_ key: Key, _ state: inout PhotosState) -> Commands {
    guard var prompt = state.prompt else {
      state.files.type(key)
      return []
    }
    let isMove = prompt.list.handle(key)
    guard isMove || prompt.field.handle(key) != .ignored else { return [] }
    if !isMove { prompt.list.select(0) }
    state.prompt = prompt
    return isMove ? [] : complete(prompt)
  }

  static func paste(_ bytes: [UInt8], _ state: inout PhotosState) -> Commands {
    guard var prompt = state.prompt else {
      state.files.paste(bytes)
      return []
    }
    _ = prompt.field.paste(bytes)
    state.prompt = prompt
    return complete(prompt)
  }
}
