internal import ClubServices
internal import FileStores
internal import Imaging
internal import TextUI

/// What the photos' service and the transfers told.
extension PhotosScreen {
  static func happen(_ state: inout PhotosState, _ action: PhotosAction) -> Commands {
    switch action {
    case .viewed(let path, let pyramid, let full, let isWhole):
      guard let viewer = state.viewer, viewer.path == path else { return [] }
      var view = FlatView(picture: full, window: window(state.frame))
      if let old = viewer.view, !old.isFit { view.look(as: old) }
      state.viewer = PhotoViewer(path: path, pyramid: pyramid, view: view, isWhole: isWhole, ahead: viewer.ahead)
      if isWhole, let ahead = viewer.ahead { return [.run(.prefetch(ahead), key: "photos.ahead")] }
    case .viewFailed(let path, let error):
      guard state.viewer?.path == path, error.kind != .cancelled else { return [] }
      let now = state.frame.now
      state.viewer?.problem = Problem(error, now: now)
    case .informed(let info):
      // A path or a name that is being typed meanwhile stays.
      guard !state.takesText else { return [] }
      state.question = nil
      state.facts = PhotoFacts.reader(info)
      state.facts?.resize(factsSize(state.frame))
    case .completed(let typed, let completion): return completed(typed, completion, &state)
    case .folderFound(let typed, let finding): return folderFound(typed, finding, &state)
    case .folderWanted(let typed, let folder): return [.run(.makeFolder(typed, folder), key: "photos.folder")]
    case .folderRefused(let folder): state.prompt?.refuse("\"\(folder)\" does not exist.")
    case .uploadsPrepared(let paths, let failed): return uploadsPrepared(paths, failed, &state)
    case .thumbnail(let path, let picture):
      // One that was asked for before the screen had another size is asked for again.
      let box = state.thumbnailBox
      guard picture.columns <= box.width, picture.rows <= box.height else { return [] }
      if state.thumbnails.count > 2000 { state.thumbnails.removeAll() }
      state.thumbnails[path] = .picture(picture)
    case .thumbnailFailed(let path, let error): state.thumbnails[path] = .broken(error)
    default: break
    }
    return []
  }

  /// What the transfers brought about.
  static func happenToFiles(_ state: inout PhotosState, _ action: PhotosAction) {
    switch action {
    case .prepared: state.preparing = max(0, state.preparing - 1)
    case .uploaded(let entry): state.files.add(entry, isChosen: false)
    case .copied(let copy):
      state.copies[copy.entry.path] = copy
      state.files.hasMoved = true
    case .kept(let kept, let paths):
      state.kept.subtract(paths)
      state.kept.formUnion(kept)
    case .clubHas(let files, let paths): askAgain(files, paths, &state)
    case .folderHas(let photos, let folder): askAgain(photos, folder, &state)
    case .lookedOnDisk(let found): for (path, isThere) in found { state.copies[path]?.isThere = isThere }
    default: break
    }
  }
}

/// What is where it is wanted already, and perhaps wanted again.
extension PhotosScreen {
  private static func askAgain(_ files: [String], _ paths: [StorePath], _ state: inout PhotosState) {
    guard let first = paths.first else { return }
    let name = String(decoding: first.name, as: UTF8.self)
    let isOne = paths.count == 1
    state.frame.say(
      isOne ? "The club already has this picture: \(name)." : "The club already has \(paths.count) of these pictures.")
    ask(
      isOne
        ? ("The club already has this: ", name, ". Upload again?")
        : ("The club already has \(paths.count) of these pictures. Upload them again?", "", ""),
      "upload again", .againUp(files), &state)
  }

  private static func askAgain(_ photos: [StorePath], _ folder: String, _ state: inout PhotosState) {
    guard let first = photos.first else { return }
    let place = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    let name = String(decoding: first.name, as: UTF8.self)
    let isOne = photos.count == 1
    state.frame.say("\(isOne ? name : "\(photos.count) photos") \(isOne ? "is" : "are") already in \(place).")
    let isNarrow = state.frame.size.width < 60
    ask(
      isOne
        ? ("", name, isNarrow ? " is there. Download again?" : " is already in \(place). Download again?")
        : ("\(photos.count) photos are already \(isNarrow ? "there" : "in \(place)"). Download them again?", "", ""),
      "download again", .againDown(photos, folder), &state)
  }

  private static func ask(
    _ text: (String, String, String), _ word: String, _ action: PhotosAction, _ state: inout PhotosState
  ) {
    state.questions.append(
      Question(text.0, naming: text.1, text.2, answers: [.init("y", word, action), .init(Key(.escape), "no", nil)]))
  }
}

extension FlatView {
  /// Takes over where another view of the same picture, perhaps of another size, looks.
  mutating func look(as old: FlatView) {
    zoom(by: old.magnification / magnification)
    let x = (old.crop.x + old.crop.width / 2) / Double(old.picture.width)
    let y = (old.crop.y + old.crop.height / 2) / Double(old.picture.height)
    _ = pan(
      x: (x * Double(picture.width) - crop.x - crop.width / 2) / crop.width,
      y: (y * Double(picture.height) - crop.y - crop.height / 2) / crop.height)
  }
}
