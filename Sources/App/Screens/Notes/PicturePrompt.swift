internal import ClubServices
internal import FileStores
internal import TextUI

/// Asks for the path of a picture of this machine, for the text below.
struct PicturePrompt: NotesPrompt {
  var path = PathPrompt(purpose: .upload)

  var places: [KeyCommand.Place] { [.path] }
  var footer: [CommandID] { [.pathAccept, .pathComplete, .pathCancel] }
  var takesText: Bool { true }
  var closesForSearch: Bool { false }

  private var complete: Commands { [.run(.picture(.complete(path.field.string)), key: "notes.path")] }

  mutating func take(_ event: InputEvent) -> Commands {
    let hasChanged =
      switch event {
      case .key(let key): !path.move(key) && path.type(key)
      case .paste(let bytes): path.paste(bytes)
      default: false
      }
    return hasChanged ? complete : []
  }

  mutating func resize(_ frame: Frame) { path.list.resize(height: max(1, frame.bodyHeight - 2)) }
  mutating func scroll(by rows: Int) { path.list.scroll(by: rows) }

  func handle(_ command: CommandID, _ state: inout NotesState, _ frame: inout Frame) -> Commands {
    var prompt = self
    switch command {
    case .pathCancel, .close, .interrupt:
      state.views.removeLast()
      return [.cancel(key: "notes.path")]
    case .pathComplete, .pathAccept:
      guard path.isCompleted else {
        prompt.path.waiting = command
        state.replaceTop(prompt)
        return []
      }
      let common = path.completion.common
      if command == .pathAccept {
        return accept(&state, &frame)
      } else if common == path.field.string {
        prompt.path.step(by: 1)
      } else {
        prompt.path.set(common)
        state.replaceTop(prompt)
        return prompt.complete
      }
    default: break
    }
    state.replaceTop(prompt)
    return []
  }

  /// Takes or enters the highlighted row, or else takes the path as typed.
  private func accept(_ state: inout NotesState, _ frame: inout Frame) -> Commands {
    var prompt = self
    if let choice = path.chosen, choice.isDirectory {
      prompt.path.set(choice.path)
      state.replaceTop(prompt)
      return prompt.complete
    }
    var file = path.chosen?.path
    if file == nil, case .files(let files) = path.completion.meaning, files.count == 1 { file = files[0] }
    guard let file else {
      prompt.path.refuse(path.completion.problem ?? "Type the path of one picture, or choose it with the arrows.")
      state.replaceTop(prompt)
      return []
    }
    state.views.removeLast()
    NotesScreen.fit(&state, frame)
    return NotesScreen.upload(file, &state, &frame)
  }

  func reason(against command: CommandID, _ frame: Frame) -> String? {
    command == .pathMark ? "One picture is inserted; there is nothing to mark." : nil
  }

  func draw(_ state: NotesState, _ frame: Frame, on canvas: inout Canvas) { path.draw(on: &canvas) }
}
