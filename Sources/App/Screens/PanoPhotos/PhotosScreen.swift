internal import ClubServices
internal import FileStores
internal import Imaging
internal import TextUI

/// A list with thumbnails, over it a viewer, and paths for upload and download.
enum PhotosScreen {
  typealias Commands = [Command<PhotosEffect, Never, PhotosAction>]

  /// Reads nothing before the tab is shown.
  static func start(
    _ frame: Frame, downloadDirectory: String, uploadDirectory: String = "", layout: PhotosLayout = .list,
    isFlat: Bool = false, grid: GridChoice = GridChoice(), utcOffset: Int = 0, copies: [DiskCopy] = []
  ) -> PhotosState {
    var state = PhotosState(size: frame.size, downloadDirectory: downloadDirectory, uploadDirectory: uploadDirectory)
    state.motionIsReduced = frame.reducedMotion
    (state.layout, state.gridChoice, state.utcOffset) = (layout, grid, utcOffset)
    state.readsShapes = frame.connection == nil
    if isFlat { state.files.open(nil) }
    for copy in copies { state.copies[copy.entry.path] = copy }
    fit(&state, frame)
    return state
  }

  static func update(_ state: inout PhotosState, _ action: PhotosAction, _ frame: inout Frame) -> Commands {
    state.files.clock = frame.queryClock
    let sought = state.files.find.names
    let camera = state.viewer?.camera
    let depth = state.views.count
    var album = action.memberInput == nil ? state.files.selectedAlbum?.path : nil
    if case .files(let event) = action, !event.keepsChoice { album = nil }
    var commands = react(&state, action, &frame)
    state.files.keepAlbum(album)
    commands += move(from: camera, action, &state, frame)
    commands += askStore(sought, state)
    if state.views.count > depth { state.views[depth].resize(frame) }
    if state.viewer?.motion.wantsTick() == true, let pause = state.viewer?.motion.pause {
      commands.append(.run(.awaitTurn(pause), key: "photos.turn"))
    } else if state.film?.wantsTick() == true {
      commands.append(.run(.awaitTurn(.milliseconds(Film.tick)), key: "photos.turn"))
    }
    commands += detail(&state, frame) + state.lookBeside(frame)
    if !state.isCovered, !state.takesText, !state.questions.isEmpty { state.question = state.questions.removeFirst() }
    state.arrange(frame)
    // Below a view, thumbnails can wait: the visible photo comes first.
    guard !state.hasView, state.wasShown, state.files.takeMoved() else { return commands }
    return visibleThumbnails(state) + visibleCopies(state) + visibleKinds(state) + commands
  }

  private static func react(_ state: inout PhotosState, _ action: PhotosAction, _ frame: inout Frame) -> Commands {
    switch action {
    case .input(.command(let command)): return run(command, &state, &frame)
    case .input(.typed(let key)): return typeInGrid(key, &state) ? [] : type(key, &state)
    case .input(.pasted(let bytes)): return paste(bytes, &state)
    case .input(.mouse(let mouse)): return point(mouse, &state, &frame)
    case .resized:
      fit(&state, frame)
      return []
    case .answered(let action):
      state.question = nil
      return action.map { react(&state, $0, &frame) } ?? []
    case .shown:
      state.wasShown = true
      return state.files.isAsked ? [] : list([state.files.list()])
    case .files(let action): return update(&state, action, &frame)
    case .found(let photos): return add(photos, &state, &frame)
    case .asked(let path):
      (state.views, state.door, state.giver) = ([], nil, nil)
      return view(state.files.path(like: path), &state)
    case .confirmedWithdrawal(let door, let path): return [.run(.withdrawDoor(door, in: path))]
    case .confirmedAddress(let address): return list([.run(.openAddress(address))])
    case .capturesFound(let moments):
      let isFirst = state.files.rows.selection == 0
      let chosen = isFirst ? nil : state.files.selected
      state.files.table?.merge(taken: moments)
      state.files.choose(chosen)
      return []
    case .failed, .thumbnail, .shaped, .kindFound, .viewed, .detailed, .loaded, .captioned, .toured, .doorMade,
      .doorWithdrawn,
      .walkRead, .walkKept, .walkDropped, .dropPageMade, .ready, .turned, .othersMoved,
      .settled,
      .informed,
      .completed, .folderFound, .folderWanted, .folderRefused, .uploadsPrepared:
      return happen(&state, action, &frame)
    case .againUp(let files, let album):
      state.preparing += files.count
      return [.run(.upload(files, to: album, again: true))]
    case .againDown(let photos, let folder):
      state.preparing += photos.count
      return [.run(.download(photos, to: folder, again: true))]
    case .prepared, .uploaded, .copied, .lookedOnDisk, .kept, .clubHas, .folderHas:
      happenToFiles(&state, action, &frame)
      return []
    }
  }

  /// Many pixels take a terminal a while: a view is coarse until it rests.
  private static func move(
    from camera: PhotoViewer.Camera?, _ action: PhotosAction, _ state: inout PhotosState, _ frame: Frame
  ) -> Commands {
    guard frame.abilities.graphics.hasPixels, let camera, let viewer = state.viewer, viewer.camera != camera else {
      return []
    }
    switch action {
    case .viewed, .resized: return []
    default: break
    }
    if viewer.look == nil, frame.abilities.graphics.movesParts { return [] }
    state.viewer?.isCoarse = true
    return [.run(.awaitRest, key: "photos.rest")]
  }

  /// The store's index may know photos that the list does not have yet. Newer words replace older ones.
  private static func askStore(_ before: String, _ state: PhotosState) -> Commands {
    let words = state.files.find.names
    if words == before { return [] }
    return words.isEmpty ? [.cancel(key: "photos.seek")] : [.run(.seek(words), key: "photos.seek")]
  }

  /// The list filters the found photos with its own words.
  private static func add(_ found: [FileEntry], _ state: inout PhotosState, _ frame: inout Frame) -> Commands {
    guard let table = state.files.table else { return [] }
    let news = found.filter { !table.contains($0.path) }
    if news.isEmpty { return [] }
    let set = ChangeSet(changes: news.map { .present($0) }, cursor: ChangeCursor(""))
    return list(state.files.update(.changed(set), &frame))
  }

  static func list(_ commands: FileList.Commands) -> Commands {
    commands.map { $0.map(PhotosEffect.files, PhotosAction.files) }
  }

  static func fit(_ state: inout PhotosState, _ frame: Frame) {
    let wasGrid = state.grid != nil
    state.grid = state.layout.isGrid(frame) ? state.grid ?? PhotoGrid() : nil
    state.size = Size(frame.listColumns, frame.size.height)
    state.files.resize(frame, lines: state.grid == nil ? state.itemHeight : 1)
    let isRescaled = state.resolution != PictureResolution(frame.abilities)
    state.resolution = PictureResolution(frame.abilities)
    // Those of the grid stay until new ones have come.
    if isRescaled || state.grid == nil || !wasGrid { state.thumbnails.removeAll() }
    state.window = window(frame)
    state.viewer?.resize(to: window(frame), isRescaled: isRescaled)
    for index in state.views.indices { state.views[index].resize(frame) }
  }
}
