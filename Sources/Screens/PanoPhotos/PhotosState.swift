internal import FileStores
internal import Imaging
internal import TextUI

/// The photos' tab: a list with thumbnails, the viewer and the questions over it, and the transfers under way.
public struct PhotosState: Sendable {
  /// What all screens share.
  public var frame: Frame
  /// The photos; nil until they have been listed.
  var table: EntryTable?
  /// Which row is chosen; its height counts items, not lines.
  var list = ListState()
  var find = FindField()
  var marks: Set<StorePath> = []
  var listError: StoreError?
  /// Whether the list was ever asked for: the first look at the tab does.
  var isAsked = false
  /// Whether changes by others are told: from the first listing on.
  var isWatching = false
  /// Thumbnails as cells, for the present size of the screen.
  var thumbnails: [StorePath: Thumbnail] = [:]
  var view: PhotosView?
  var question: Question<PhotosAction>?
  /// All transfers that are not over, in the order in which they were begun.
  public internal(set) var transfers: [TransferLine] = []
  /// Where the last download went.
  var downloadDirectory: String
  var wanted: StorePath?

  /// What is shown in a thumbnail's place.
  enum Thumbnail: Sendable {
    case picture(HalfBlockPicture)
    case broken(String)
  }

  init(frame: Frame, downloadDirectory: String) {
    self.frame = frame
    self.downloadDirectory = downloadDirectory
  }

  /// The chosen photo.
  var selected: StorePath? {
    guard let table, let row = list.selected, row < table.count else { return nil }
    return table.path(at: row)
  }

  /// The marked photos, or else the chosen one.
  var targets: [StorePath] { marks.isEmpty ? selected.map { [$0] } ?? [] : marks.sorted() }

  /// Lines of one item of the list: as large a thumbnail as leaves room for some items.
  var itemHeight: Int { frame.size.height >= 30 ? 4 : frame.size.height >= 16 ? 3 : 2 }

  /// The box for a thumbnail: four times as wide as high, as panoramas are.
  var thumbnailBox: Size { Size(min(itemHeight * 8, max(8, frame.size.width / 3)), itemHeight) }
}

/// What lies over the list of photos.
enum PhotosView: Sendable {
  case viewer(PhotoViewer)
  case info([String])
  case path(PathPrompt)
  case rename(StorePath, TextField)
}

/// A photo that is looked at.
struct PhotoViewer: Sendable {
  let path: StorePath
  var pyramid: Pyramid?
  var view: FlatView?
  var isWhole = false
  var problem: String?
}

/// A path being typed, with what it could become.
struct PathPrompt: Sendable {
  let purpose: PathPurpose
  var field: TextField
  var completion = PathCompletion(choices: [], common: "")
  /// The text that `completion` is of; while it is another than the field's, the newest is on its way.
  var completedText: String?
  /// Tab was pressed before the newest completion came.
  var completesWhenThere = false
  var list = ListState()
  /// Files marked for upload.
  var marks: [String] = []
  /// The photos to download.
  var photos: [StorePath] = []

  /// The chosen possibility; nil while the possibilities are of another text.
  var chosen: PathCompletion.Choice? {
    guard completedText == field.string, let row = list.selected, row < completion.choices.count else { return nil }
    return completion.choices[row]
  }
}
