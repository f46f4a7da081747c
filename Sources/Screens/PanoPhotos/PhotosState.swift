public import FileStores
internal import Imaging
internal import TextUI

/// The photos' tab: a list with thumbnails, the viewer and the questions over it.
public struct PhotosState: Sendable {
  /// What all screens share.
  public var frame: Frame
  var files = FileList(.photos)
  /// Thumbnails as cells, for the present size of the screen.
  var thumbnails: [StorePath: Thumbnail] = [:]
  /// What lies over the list.
  var view: PhotosView?
  /// A photo's facts, over the view that they were asked for in.
  var facts: TextReader?
  var question: Question<PhotosAction>?
  /// Photos that are kept on this machine from an earlier look.
  var kept: Set<StorePath> = []
  /// Questions that wait until nothing lies over the list.
  var questions: [Question<PhotosAction>] = []
  /// Photos that are on this machine, as far as the transfers tell.
  var copies: [StorePath: DiskCopy] = [:]
  /// Where the last download went that could go where it was to go; at first a folder that is there.
  var downloadDirectory: String
  /// Where the last upload came from that went well; empty at first.
  var uploadDirectory: String
  /// Uploads and downloads that were asked for and are still being looked at.
  var preparing = 0

  /// The file of this machine that holds what a photo holds; nil when there is none, or none was found yet.
  func copy(of path: StorePath) -> DiskCopy? {
    guard let copy = copies[path], copy.isThere == true, let table = files.table, let row = table.row(of: path),
      copy.isOf(table, row)
    else { return nil }
    return copy
  }

  /// What is shown in a thumbnail's place.
  enum Thumbnail: Sendable {
    case picture(HalfBlockPicture)
    case broken(StoreError)
  }

  init(frame: Frame, downloadDirectory: String, uploadDirectory: String) {
    self.frame = frame
    (self.downloadDirectory, self.uploadDirectory) = (downloadDirectory, uploadDirectory)
  }

  /// The viewer, when it lies over the list. Nil is not taken: what closes a view says so.
  var viewer: PhotoViewer? {
    get { if case .viewer(let viewer) = view { viewer } else { nil } }
    set { if let newValue { view = .viewer(newValue) } }
  }

  /// The path that is typed, if any. Nil is not taken.
  var prompt: PathPrompt? {
    get { if case .path(let prompt) = view { prompt } else { nil } }
    set { if let newValue { view = .path(newValue) } }
  }

  /// Why the topmost view shows nothing, if it does not.
  var problem: Problem? {
    switch view {
    case _ where facts != nil: nil
    case nil: files.table == nil ? files.problem : nil
    case .viewer(let viewer): viewer.problem
    case .path: nil
    }
  }

  /// Lines of one item of the list: as large a thumbnail as leaves room for some items.
  var itemHeight: Int { frame.size.height >= 30 ? 4 : frame.size.height >= 16 ? 3 : 2 }

  /// The box for a thumbnail: four times as wide as high, as panoramas are.
  var thumbnailBox: Size { Size(min(itemHeight * 8, max(8, frame.size.width / 3)), itemHeight) }
}

extension PhotosState: FileTab {
  var hasView: Bool { view != nil || facts != nil }

  var takesText: Bool {
    switch view {
    case .path: true
    case .viewer: false
    case nil: facts == nil && files.takesText
    }
  }

  var places: [KeyCommand.Place] {
    switch view {
    case _ where facts != nil: [.reader]
    case nil: files.places(.photos)
    case .viewer: [.viewer]
    case .path: [.path]
    }
  }

  var footer: [CommandID] {
    switch view {
    case _ where facts != nil: facts?.fits == false ? [.readerPageDown, .quit] : [.quit]
    case nil:
      files.footer([
        .listOpen, .photosUpload, .photosDownload, .find, .transfers, .help, .photosInfo, .photosTrash, .listSort,
        .refresh, .quit,
      ])
    case .viewer(let viewer) where viewer.problem != nil: [.refresh, .viewerNext, .viewerPrevious, .help, .quit]
    case .viewer: [.viewerIn, .viewerReset, .viewerFill, .viewerNext, .viewerPrevious, .help, .quit]
    case .path(let prompt) where prompt.purpose == .download: [.pathAccept, .pathComplete, .pathCancel]
    case .path: [.pathAccept, .pathComplete, .pathMark, .pathCancel]
    }
  }
}

extension FileListWords {
  static let photos = FileListWords(
    one: "photo", many: "photos", reading: "Looking for photos.", making: (.photosUpload, "upload"),
    haveTexts: false, rename: .photosRename)
}

/// What lies over the list of photos.
enum PhotosView: Sendable {
  case viewer(PhotoViewer)
  case path(PathPrompt)
}

/// A photo that is looked at.
struct PhotoViewer: Sendable {
  let path: StorePath
  var pyramid: Pyramid?
  var view: FlatView?
  var isWhole = false
  /// Why it is not shown.
  var problem: Problem?
  /// The photo that is fetched meanwhile: the neighbour in the direction of the last move.
  var ahead: StorePath?
}

/// A file of this machine that holds what a photo held when it was uploaded from there or downloaded to there.
public struct DiskCopy: Sendable, Hashable {
  /// The photo as it was then.
  public let entry: FileEntry
  /// The file.
  public let file: String
  /// Whether it was seen to be there; nil before it was looked for.
  var isThere: Bool?

  /// A copy that has not been looked for yet.
  public init(entry: FileEntry, file: String) {
    self.entry = entry
    self.file = file
  }
}

extension DiskCopy {
  /// Whether a list's row is the photo that was copied, as far as the list tells.
  func isOf(_ table: EntryTable, _ row: Int) -> Bool {
    table.size(at: row) == entry.size && table.modified(at: row) == entry.modified
  }
}
