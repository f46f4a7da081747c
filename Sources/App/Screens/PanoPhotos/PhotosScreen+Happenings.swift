internal import ClubServices
internal import FileStores
internal import Imaging
internal import TextUI

extension PhotosScreen {
  static func happen(_ state: inout PhotosState, _ action: PhotosAction, _ frame: inout Frame) -> Commands {
    switch action {
    case .viewed(let path, let pyramid, let full, let header, let isWhole, let kind):
      guard var viewer = state.viewer, viewer.path == path else { return [] }
      // A preview that was ready may be finer than the first version.
      if !isWhole, let old = viewer.pyramid, old.size.width >= pyramid.size.width { return [] }
      viewer.take(
        pyramid, full: full, header: header, isWhole: isWhole, kind: state.kinds[path] ?? kind, window: window(frame))
      state.viewer = viewer
      if let kind = viewer.geometry?.kind { state.guesses[path] = kind }
      if isWhole, !viewer.neighbours.isEmpty { return [.run(.prefetch(viewer.neighbours), key: "photos.ahead")] }
    case .ready(let path, let photo):
      if state.viewer?.neighbours.contains(path) == true { state.ready[path] = photo }
    case .toured(let path, .success(let tour)):
      guard state.viewer?.path == path else { return [] }
      state.viewer?.take(tour)
      if let fault = tour.fault { frame.complain(fault) }
    case .toured(let path, .failure(let error)):
      if state.viewer?.path == path { frame.complain("byteclub shows the photo without hot spots. \(error)") }
    case .doorMade(let path, let target, let waiting):
      if let waiting {
        frame.complain("The door waits on this machine. \(frame.sentence(waiting))")
      } else {
        frame.say("A door leads to \"\(target)\" now, and one there leads back.")
      }
      return state.viewer?.path == path ? [.run(.tour(path), key: "photos.tour")] : []
    case .doorWithdrawn(let path, let waiting):
      if let waiting {
        frame.complain("The withdrawal waits on this machine. \(frame.sentence(waiting))")
      } else {
        frame.say("The door is withdrawn, with the way back that was made with it.")
      }
      return state.viewer?.path == path ? [.run(.tour(path), key: "photos.tour")] : []
    case .walkRead(let open): return play(open, &state, &frame)
    case .walkKept(let path, let waiting):
      (state.recorder, state.walkTitle) = (nil, nil)
      if let waiting {
        frame.complain("The walk waits on this machine. \(frame.sentence(waiting))")
      } else {
        frame.say("Kept the walk as \"\(path)\".")
      }
    case .dropPageMade(let made): show(made, &state, &frame)
    case .walkDropped: (state.recorder, state.walkTitle) = (nil, nil)
    case .turned:
      state.viewer?.tick(frame.present)
      return advance(&state, &frame)
    case .othersMoved: return followOn(&state, &frame)
    case .detailed(let path, let detail):
      if state.viewer?.path == path { state.viewer?.take(detail) }
    case .failed(.detail(let path, _), let error):
      guard state.viewer?.path == path, error.kind != .cancelled else { return [] }
      frame.say("A closer view could not be read. \(error.message)")
    case .loaded(let path, let bytes):
      guard state.viewer?.path == path else { return [] }
      let table = state.files.table
      state.viewer?.loading =
        LoadingSteps.words("loading", bytes, of: table?.row(of: path).flatMap { table?.size(at: $0) })
    case .settled: state.viewer?.isCoarse = false
    case .captioned(let path, let caption):
      if state.viewer?.path == path { state.viewer?.caption = caption }
    case .failed(.view(let path, _), let error):
      guard state.viewer?.path == path, error.kind != .cancelled else { return [] }
      state.viewer?.problem = Problem(error, now: frame.now)
      if error.kind == .notFound { return leaveOut(path, &state, &frame) }
    case .informed(let info, let offset):
      // A path or a name that is being typed stays open.
      guard !state.takesText else { return [] }
      state.question = nil
      state.views.removeAll { $0 is PhotoFacts }
      state.views.append(PhotoFacts(info, shownAs: state.kinds[info.entry.path], offset: offset))
      state.views[state.views.count - 1].resize(frame)
    case .completed(let typed, let completion): return completed(typed, completion, &state)
    case .folderFound(let typed, let finding): return folderFound(typed, finding, &state)
    case .folderWanted(let typed, let folder): return [.run(.makeFolder(typed, folder), key: "photos.folder")]
    case .folderRefused(let folder): state.prompt?.refuse("\"\(folder)\" does not exist.")
    case .uploadsPrepared(let paths, let failed): return uploadsPrepared(paths, failed, &state, &frame)
    case .kindFound(let path, let kind): state.guesses[path] = kind
    case .shaped(let shapes):
      for (path, shape) in shapes { state.learn(shape, of: path) }
      state.files.hasMoved = true
    case .thumbnail(let path, .success(let picture)):
      // Thumbnails of an earlier screen size are requested again.
      let box = box(of: path, state)
      if state.grid == nil { guard picture.columns <= box.width, picture.rows <= box.height else { return [] } }
      // A late one must not replace the one that was asked for since.
      if case .picture(let other)? = state.thumbnails[path], other.isFitted(into: box), !picture.isFitted(into: box) {
        return []
      }
      forgetThumbnails(&state)
      state.thumbnails[path] = .picture(picture)
      if state.shapes[path]?.isFinite != true { state.learn(picture.shape, of: path) }
      return (state.visiblePaths.contains(path) ? aheadOfView(state) : []) + visibleKinds(state)
    case .thumbnail(let path, .failure(let error)):
      // A picture of another size is better than none, until the next try.
      if case .picture(let other)? = state.thumbnails[path],
        error.isTemporary || other.isFitted(into: box(of: path, state))
      {
        return []
      }
      state.thumbnails[path] = .broken(error)
      return state.visiblePaths.contains(path) ? aheadOfView(state) : []
    case .failed(_, let error): frame.complain(error)
    default: break
    }
    return []
  }

  static func happenToFiles(_ state: inout PhotosState, _ action: PhotosAction, _ frame: inout Frame) {
    switch action {
    case .prepared: state.preparing = max(0, state.preparing - 1)
    case .uploaded(let entry): state.files.add(entry, isChosen: false)
    case .copied(let copy):
      state.copies[copy.entry.path] = copy
      state.files.hasMoved = true
    case .kept(let kept, let paths):
      state.kept.subtract(paths)
      state.kept.formUnion(kept)
    case .clubHas(let files, let paths, let album): askAgain(files, paths, into: album, &state, &frame)
    case .folderHas(let photos, let folder): askAgain(photos, folder, &state, &frame)
    case .lookedOnDisk(let found): for (path, isThere) in found { state.copies[path]?.isThere = isThere }
    default: break
    }
  }
}

/// Files already exist at the target.
extension PhotosScreen {
  private static func askAgain(
    _ files: [String], _ paths: [StorePath], into album: StorePath?, _ state: inout PhotosState, _ frame: inout Frame
  ) {
    guard let first = paths.first else { return }
    let name = String(decoding: first.name, as: UTF8.self)
    let isOne = paths.count == 1
    frame.say(
      isOne ? "The club already has this picture: \(name)." : "The club already has \(paths.count) of these pictures.")
    ask(
      isOne
        ? ("The club already has this: ", name, ". Upload again?")
        : ("The club already has \(paths.count) of these pictures. Upload them again?", "", ""),
      "upload again", .againUp(files, to: album), &state)
  }

  private static func askAgain(
    _ photos: [StorePath], _ folder: String, _ state: inout PhotosState, _ frame: inout Frame
  ) {
    guard let first = photos.first else { return }
    let place = folder.count > 1 && folder.hasSuffix("/") ? String(folder.dropLast()) : folder
    let name = String(decoding: first.name, as: UTF8.self)
    let isOne = photos.count == 1
    frame.say("\(isOne ? name : "\(photos.count) photos") \(isOne ? "is" : "are") already in \(place).")
    let isNarrow = frame.size.width < 60
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
