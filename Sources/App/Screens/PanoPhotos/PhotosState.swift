internal import ClubServices
public import FileStores
public import Imaging
internal import TextUI

struct PhotosState: Sendable {
  /// The columns of the list and the rows of the terminal, for thumbnails.
  var size: Size
  /// Of the terminal, for thumbnails.
  var resolution = PictureResolution()
  var files = FileList(.photos, album: [])
  /// As the member chose it.
  var layout = PhotosLayout.auto
  /// nil for a list.
  var grid: PhotoGrid?
  var gridChoice = GridChoice()
  /// Widths divided by heights.
  var shapes: [StorePath: Float] = [:]
  /// Known since the grid was laid out.
  var newShapes: [StorePath] = []
  /// Shapes are read before pictures: a network would delay both.
  var readsShapes = true
  /// Seconds of local time from UTC.
  var utcOffset = 0
  /// No thumbnails are made before the tab was shown.
  var wasShown = false
  /// As cells, for the present size of the screen.
  var thumbnails: [StorePath: Thumbnail] = [:]
  var views: [any TabView<PhotosState>] = []
  /// The giver's name for a new drop page, while it is typed.
  var giver: TextField?
  /// A door whose other end the member chooses in the list.
  var door: DoorStart?
  /// A photo of this day in an earlier year.
  var memory: OnThisDay?
  /// The walk that is recorded, and its title while that is typed.
  var recorder: WalkRecorder?
  var walkTitle: TextField?
  /// The walk that is played.
  var film: Film?
  /// Previews of the viewed photo's neighbours.
  var ready: [StorePath: ReadyPhoto] = [:]
  /// The member wants to read the note to which a hot spot leads: the link as written.
  var wantedNote: String?
  /// The panoramas in which another member looks around.
  var gazed: Set<StorePath> = []
  /// The kinds that the member chose with `v`.
  var kinds: [StorePath: PictureKind] = [:]
  /// The kinds that the photos' own data say.
  var guesses: [StorePath: PictureKind] = [:]
  /// No swings and no gliding.
  var motionIsReduced = false
  /// The viewer's, for photos that are shown before the screen hears of them.
  var window = PixelSize(width: 1, height: 1)
  /// The member wants to write the caption of this photo.
  var wantedCaption: StorePath?
  /// The id of a remark on the photo in view that the member wants to read.
  var wantedRemark: String?
  var question: Question<PhotosAction>?
  var kept: Set<StorePath> = []
  /// Wait until nothing covers the list.
  var questions: [Question<PhotosAction>] = []
  /// Photos on this machine, according to the transfers of this run and earlier ones.
  var copies: [StorePath: DiskCopy] = [:]
  /// Of the last successful download; at first an existing folder.
  var downloadDirectory: String
  /// Of the last successful upload; at first empty.
  var uploadDirectory: String
  /// Requested uploads and downloads that are still being checked.
  var preparing = 0

  /// The copy on this machine with a photo's content.
  func copy(of path: StorePath) -> DiskCopy? {
    guard let copy = copies[path], copy.isThere == true, let table = files.table, let row = table.row(of: path),
      copy.isOf(table, row)
    else { return nil }
    return copy
  }

  enum Thumbnail: Sendable {
    case picture(ShownPicture)
    case broken(StoreError)
  }

  init(size: Size, downloadDirectory: String, uploadDirectory: String) {
    self.size = size
    (self.downloadDirectory, self.uploadDirectory) = (downloadDirectory, uploadDirectory)
  }

  /// nil while it is unknown, and for a photo of usual shape.
  func kind(of path: StorePath) -> PictureKind? {
    let kind = kinds[path] ?? guesses[path]
    return kind == .flat ? nil : kind
  }

  /// Below every other view.
  var viewer: PhotoViewer? {
    get { views.first as? PhotoViewer }
    set {
      if viewer != nil { views.removeFirst() }
      if let newValue { views.insert(newValue, at: 0) }
    }
  }

  var prompt: PathPrompt? {
    get { views.lazy.compactMap { $0 as? PathPrompt }.first }
    set {
      let index = views.firstIndex { $0 is PathPrompt } ?? views.count
      views.replaceSubrange(index..<min(index + 1, views.count), with: newValue.map { [$0] } ?? [])
    }
  }

  /// The viewer is on top.
  var isViewing: Bool { views.last is PhotoViewer }

  /// A line is typed over the list or the viewer.
  var isTypingLine: Bool { isViewing ? walkTitle != nil : !hasView && giver != nil }

  /// The box for a thumbnail: four times as wide as high, as panoramas are, and as large as leaves room for some items.
  var thumbnailBox: Size {
    let height = size.height >= 30 ? 4 : size.height >= 16 ? 3 : 2
    return Size(min(height * 8, max(8, size.width / 3)), height)
  }

  /// Lines of one item of the list: an empty line keeps two pictures apart.
  var itemHeight: Int { thumbnailBox.height + 1 }
}

extension PhotosState: FileTab {
  typealias Effect = PhotosEffect
  typealias Posting = Never
  typealias Action = PhotosAction

  var title: String { "2 PanoPhotos" }

  var isBusy: Bool { wasShown && files.isListing }

  var hasPreview: Bool { !hasView && files.table != nil }

  func listWidth(_ frame: Frame) -> Int? {
    guard hasPreview else { return nil }
    return grid == nil ? frame.listWidth : gridWidth(frame)
  }

  mutating func update(_ action: PhotosAction, _ frame: inout Frame) -> Commands {
    PhotosScreen.update(&self, action, &frame)
  }

  func draw(_ frame: Frame, on canvas: inout Canvas) { PhotosScreen.draw(self, frame, on: &canvas) }

  mutating func shown(_ frame: inout Frame) -> Commands { update(.shown, &frame) }

  /// The quit key leads back to the panorama of a door, too.
  var isCovered: Bool { hasView || isAsking || files.renaming != nil || door != nil || giver != nil }

  var takesText: Bool {
    guard let view = views.last, !isViewing else {
      return isTypingLine || files.renaming != nil || files.takesText && !hasView
    }
    return view.takesText
  }

  var places: [KeyCommand.Place] {
    if isTypingLine || isViewing && files.renaming != nil { return [.path] }
    guard let view = views.last else {
      guard !files.takesText else { return files.places(.photos) }
      return [.photos] + (grid == nil ? [] : [.grid]) + [.albums, .moves, .lists]
    }
    return (isViewing && film != nil ? [.film] : []) + view.places
  }

  var nextLook: String? { viewer?.nextLook }

  var footer: [CommandID] {
    if isTypingLine { return [.pathAccept, .pathCancel] }
    if isViewing, files.renaming != nil { return files.footer([]) }
    guard let view = views.last else {
      let own: [CommandID] = files.isInAlbum ? [.albumsLeave, .photosMove] : files.albums.isEmpty ? [] : [.photosMove]
      return files.footer(
        [.listOpen] + own + [
          .photosUpload, .photosDownload, .find, .photosLayout, .photosCaption, .transfers, .help,
        ] + (grid == nil ? [] : [.gridLarger]) + [
          .photosInfo, .photosTrash, .listSort, .refresh, .photosAsk, .quit,
        ])
    }
    guard isViewing, view.problem == nil else { return view.footer }
    let isGazed = viewer.map { $0.look != nil && gazed.contains($0.path) } ?? false
    return (film == nil ? [] : [.filmGoOn]) + (recorder == nil ? [] : [.viewerWalk])
      + (isGazed ? [.viewerFollow] : []) + view.footer
  }

  func reason(against command: CommandID, _ frame: Frame) -> String? {
    if isViewing, let title = walkTitle {
      if command == .pathAccept, title.isEmpty { return "Type a title first." }
      return command == .pathComplete || command == .pathMark ? "Type a title; it has nothing to choose." : nil
    }
    guard let view = views.last, !isViewing || files.renaming == nil else {
      guard giver != nil, !hasView else {
        if !hasView, let reason = gridReason(against: command) { return reason }
        return files.reasonWithAlbums(against: command, frame) ?? files.reason(against: command, frame)
      }
      return command == .pathComplete || command == .pathMark ? "Type a name; it has nothing to choose." : nil
    }
    if command == .viewerNext || command == .viewerPrevious, let viewer, files.table?.row(of: viewer.path) == nil {
      return "The photo is not in the list as it is now, so it has no neighbours."
    }
    return view.reason(against: command, frame)
  }
}

extension FileListWords {
  static let photos = FileListWords(
    one: "photo", many: "photos", reading: "Looking for photos.", making: (.photosUpload, "upload"),
    text: "caption", rename: .photosRename, move: .photosMove, flat: .photosFlat, folders: .album,
    orders: [.name, .taken, .date, .size])
}

/// A panorama that a hot spot led away from.
struct TrailStep: Sendable {
  let path: StorePath
  let view: Tour.View
}

struct DoorStart: Sendable {
  let from: TrailStep
  /// Of the compass; nil if the picture does not give its heading.
  let heading: Double?
  /// The way back from the panorama.
  let trail: [TrailStep]
}

/// A photo in a size that is soon made, shown until the whole has come.
public struct ReadyPhoto: Sendable {
  let pyramid: Pyramid
  let full: PixelSize
  let header: PictureHeader

  public init(_ pyramid: Pyramid, full: PixelSize, header: PictureHeader) {
    (self.pyramid, self.full, self.header) = (pyramid, full, header)
  }
}

/// A file that had a photo's content when it was uploaded or downloaded.
public struct DiskCopy: Sendable, Hashable {
  /// The photo at that time.
  public let entry: FileEntry
  public let file: String
  /// nil before the check.
  var isThere: Bool?

  public init(entry: FileEntry, file: String) {
    self.entry = entry
    self.file = file
  }
}

extension DiskCopy {
  /// After a renaming of the photo.
  func of(_ entry: FileEntry) -> DiskCopy {
    var copy = DiskCopy(entry: entry, file: file)
    copy.isThere = isThere
    return copy
  }

  /// Judged by size and time.
  func isOf(_ table: EntryTable, _ row: Int) -> Bool {
    table.size(at: row) == entry.size && table.modified(at: row) == entry.modified
  }
}

protocol PhotosView: TabView where Tab == PhotosState {
  typealias Commands = PhotosScreen.Commands
}
typealias PhotosListView = PhotosView & ListView
