internal import FileStores
internal import TextUI

/// Enter takes or enters the highlighted row, or else takes the path as typed. Errors appear in the prompt, which keeps
/// its text.
extension PhotosScreen {
  static func prompt(_ prompt: PathPrompt, _ state: inout PhotosState, _ frame: Frame) -> Commands {
    var prompt = prompt
    prompt.resize(frame)
    state.prompt = prompt
    return complete(prompt)
  }

  /// Proposes the folder of the last download or upload.
  static func prompt(for purpose: PathPurpose, _ photos: [StorePath], _ state: PhotosState) -> PathPrompt {
    let folder = purpose == .download ? state.downloadDirectory : state.uploadDirectory
    let text = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
    return PathPrompt(
      purpose: purpose, text: text, photos: photos,
      album: purpose == .download
        ? nil : state.files.albumFolder.map { ShortName.of(String(decoding: $0.name, as: UTF8.self), columns: 20) }
    )
  }

  /// For the next prompt, also after a restart.
  private static func remember(_ folder: String, for purpose: PathPurpose, _ state: inout PhotosState) -> Commands {
    let known = purpose == .download ? state.downloadDirectory : state.uploadDirectory
    if purpose == .download { state.downloadDirectory = folder } else { state.uploadDirectory = folder }
    return known == folder ? [] : [.run(.remember(folder, for: purpose))]
  }

  private static func complete(_ prompt: PathPrompt) -> Commands {
    [.run(.complete(prompt.field.string, purpose: prompt.purpose), key: "photos.complete")]
  }

  fileprivate static func run(_ command: CommandID, _ prompt: PathPrompt, _ state: inout PhotosState) -> Commands {
    switch command {
    case .pathCancel, .close, .interrupt: state.prompt = nil
    case _ where prompt.isChecking: break
    case .pathComplete, .pathAccept:
      guard prompt.isCompleted else {
        // A completion never replaces other text: the key waits for the completion of the present text.
        state.prompt?.waiting = command
        return []
      }
      return command == .pathComplete ? takeCompletion(prompt, &state) : accept(prompt, &state)
    case .pathMark:
      if prompt.purpose == .upload { state.prompt?.mark() }
    default: break
    }
    return []
  }

  static func completed(
    _ typed: String, _ completion: PathCompletion, _ state: inout PhotosState
  ) -> Commands {
    guard var prompt = state.prompt, prompt.field.string == typed else { return [] }
    let waiting = prompt.waiting
    prompt.waiting = nil
    prompt.take(completion)
    state.prompt = prompt
    return waiting.map { run($0, prompt, &state) } ?? []
  }

  /// Inserts the common prefix of all choices; if that is already typed, highlights the next one.
  private static func takeCompletion(_ prompt: PathPrompt, _ state: inout PhotosState) -> Commands {
    var prompt = prompt
    let common = prompt.completion.common
    guard common != prompt.field.string else {
      state.prompt?.step(by: 1)
      return []
    }
    prompt.set(common)
    state.prompt = prompt
    return complete(prompt)
  }

  private static func accept(_ prompt: PathPrompt, _ state: inout PhotosState) -> Commands {
    guard prompt.asked == nil else { return [] }
    if !prompt.marks.isEmpty { return upload(prompt.marks, &state) }
    if let choice = prompt.chosen {
      guard choice.isDirectory else { return upload([choice.path], &state) }
      var prompt = prompt
      prompt.set(choice.path)
      state.prompt = prompt
      return complete(prompt)
    }
    let typed = prompt.field.string
    switch (prompt.purpose, prompt.completion.meaning) {
    case (_, .nothing) where typed.isEmpty: return refuse("Type a path, or choose one with the arrows.", &state)
    case (.download, _):
      state.prompt?.ask([typed])
      return [.run(.findFolder(typed), key: "photos.folder")]
    case (.upload, .files(let paths)): return upload(paths, &state)
    case (.upload, .folder):
      let hasPictures = prompt.completion.choices.contains { !$0.isDirectory }
      return refuse(
        hasPictures
          ? "\"\(typed)\" is a folder. Choose a picture with the arrows, or add * for all."
          : "\"\(typed)\" has no pictures.", &state)
    case (.upload, .nothing): return refuse(prompt.completion.problem ?? "\"\(typed)\" does not exist.", &state)
    }
  }

  private static func refuse(_ problem: String, _ state: inout PhotosState) -> Commands {
    state.prompt?.refuse(problem)
    return []
  }

  private static func upload(_ paths: [String], _ state: inout PhotosState) -> Commands {
    state.prompt?.ask(paths)
    state.preparing += paths.count
    return [.run(.upload(paths, to: state.files.albumFolder))]
  }

  /// A prompt that still waits for these files closes, or shows the failures.
  static func uploadsPrepared(
    _ paths: [String], _ failed: [UploadFailure], _ state: inout PhotosState, _ frame: inout Frame
  ) -> Commands {
    let good = paths.first { path in !failed.contains { $0.file == path } }
    let folder = good.flatMap { path in path.lastIndex(of: "/").map { String(path[...$0]) } }
    tellPrepared(paths, failed, &state, &frame)
    return folder.map { remember($0, for: .upload, &state) } ?? []
  }

  private static func tellPrepared(
    _ paths: [String], _ failed: [UploadFailure], _ state: inout PhotosState, _ frame: inout Frame
  ) {
    guard let prompt = state.prompt, prompt.asked == paths else {
      for failure in failed.suffix(1) { frame.complain(sentence(failed, paths, failure)) }
      return
    }
    guard let first = failed.first else {
      state.prompt = nil
      return
    }
    if !prompt.marks.isEmpty { state.prompt?.marks = failed.map(\.file) }
    state.prompt?.refuse(sentence(failed, paths, first))
  }

  private static func sentence(_ failed: [UploadFailure], _ paths: [String], _ one: UploadFailure) -> String {
    if failed.count == 1, paths.count == 1 { return "\(one.error)" }
    return "\(failed.count) of \(paths.count) pictures \(failed.count == 1 ? "was" : "were") not uploaded. \(one.error)"
  }

  // MARK: Folders

  static func folderFound(_ typed: String, _ finding: FolderFinding, _ state: inout PhotosState) -> Commands {
    guard let prompt = state.prompt, prompt.purpose == .download, prompt.asked == [typed] else { return [] }
    switch finding {
    case .isThere(let folder):
      state.prompt = nil
      // The viewer's photo is downloaded without them.
      if state.viewer == nil { state.files.dropMarks() }
      state.preparing += prompt.photos.count
      return [.run(.download(prompt.photos, to: folder))] + remember(folder, for: .download, &state)
    case .missing(let folder):
      state.question = Question(
        "Make the folder \"", naming: folder, "\"?",
        answers: [
          .init("y", "make it", .folderWanted(typed, folder)), .init(Key(.escape), "no", .folderRefused(folder)),
        ])
    case .unusable(let problem): return refuse(problem, &state)
    }
    return []
  }

  // MARK: Typing

  static func type(_ key: Key, _ state: inout PhotosState) -> Commands {
    if state.isTypingLine { return changeLine(&state) { $0.handle(key) } }
    if state.typeInMovePrompt({ $0.type(key) }) { return [] }
    guard var prompt = state.prompt else {
      return list(state.files.type(key))
    }
    guard !prompt.isChecking else { return [] }
    if prompt.move(key) {
      state.prompt = prompt
      return []
    }
    return edit(prompt, &state) { $0.type(key) }
  }

  static func paste(_ bytes: [UInt8], _ state: inout PhotosState) -> Commands {
    if state.isTypingLine { return changeLine(&state) { $0.paste(bytes) } }
    if state.typeInMovePrompt({ $0.paste(bytes) }) { return [] }
    guard let prompt = state.prompt else {
      return list(state.files.paste(bytes))
    }
    guard !prompt.isChecking else { return [] }
    // Terminals add a space after a dropped file.
    let end = bytes.lastIndex { $0 != 0x20 && $0 != 0x0A && $0 != 0x0D }.map { $0 + 1 } ?? 0
    return edit(prompt, &state) { $0.paste(Array(bytes[..<end])) }
  }

  /// Changes the title over the viewer, or the name over the list.
  private static func changeLine(
    _ state: inout PhotosState, _ change: (inout TextField) -> EditOutcome
  ) -> Commands {
    let line = state.isViewing ? \PhotosState.walkTitle : \PhotosState.giver
    if var field = state[keyPath: line] {
      _ = change(&field)
      state[keyPath: line] = field
    }
    return []
  }

  private static func edit(
    _ prompt: PathPrompt, _ state: inout PhotosState, _ change: (inout PathPrompt) -> Bool
  ) -> Commands {
    var prompt = prompt
    let isChanged = change(&prompt)
    state.prompt = prompt
    return isChanged ? complete(prompt) : []
  }
}

extension PathPrompt: PhotosView {
  var places: [KeyCommand.Place] { [.path] }
  var footer: [CommandID] {
    [.pathAccept, .pathComplete] + (purpose == .download ? [] : [.pathMark]) + [.pathCancel]
  }
  var takesText: Bool { true }

  mutating func resize(_ frame: Frame) { list.resize(height: max(1, frame.bodyHeight - 2)) }

  func handle(_ command: CommandID, _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    PhotosScreen.run(command, self, &state)
  }

  func draw(_ state: PhotosState, _ frame: Frame, on canvas: inout Canvas) { draw(on: &canvas) }

  func reason(against command: CommandID, _ frame: Frame) -> String? {
    switch command {
    case .pathMark where isChecking, .pathComplete where isChecking,
      .pathAccept where isChecking:
      "byteclub looks at the file. \(frame.keys.name(of: .pathCancel)) closes."
    case .pathMark where purpose == .download: "Only an upload takes several files."
    case .pathMark where isCompleted && completion.choices.isEmpty: "No picture is here to mark."
    case .pathComplete where isCompleted && completion.choices.isEmpty: "No file begins so."
    default: nil
    }
  }
}
