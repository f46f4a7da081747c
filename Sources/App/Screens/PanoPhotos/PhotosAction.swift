public import ClubServices
public import FileStores
public import Imaging
public import TextUI

public indirect enum PhotosAction: Sendable {
  case input(MemberInput)
  case resized
  /// nil has no effect.
  case answered(PhotosAction?)
  case shown

  case files(FileListAction)
  case failed(PhotosEffect, StoreError)
  /// By the store's index.
  case found([FileEntry])
  /// As the photo's data say, or as the member chose.
  case kindFound(StorePath, PictureKind)
  case thumbnail(StorePath, Result<ShownPicture, StoreError>)
  /// When photos were taken.
  case capturesFound([StorePath: Timestamp])
  /// Widths divided by heights, of these photos.
  case shaped([StorePath: Float])

  /// Opens in the viewer.
  case asked(StorePath)
  /// The first version may be coarse. `kind` is the one that the member chose in an earlier run.
  case viewed(
    StorePath, Pyramid, full: PixelSize, header: PictureHeader? = nil, isWhole: Bool, kind: PictureKind? = nil)
  /// A neighbour of the viewed photo.
  case ready(StorePath, ReadyPhoto)
  /// The hot spots of a viewed photo.
  case toured(StorePath, Result<PhotoTour, StoreError>)
  /// `waiting` is the reason why the door is not in the club yet.
  case doorMade(from: StorePath, to: StorePath, waiting: StoreError?)
  /// `waiting` is as in `doorMade`.
  case doorWithdrawn(in: StorePath, waiting: StoreError?)
  /// A walk to play.
  case walkRead(OpenWalk)
  /// `waiting` is the reason why the walk is not in the club yet.
  case walkKept(StorePath, waiting: StoreError?)
  /// A page for photos from phones.
  case dropPageMade(ShownDropPage)
  /// The member has confirmed it.
  case walkDropped
  /// A part of a large photo.
  case detailed(StorePath, PictureDetail)
  /// Time for the next movement of a view that moves by itself.
  case turned
  /// Members have come, gone, or look elsewhere.
  case othersMoved
  /// The view has not moved for a moment.
  case settled
  /// So many bytes of a viewed photo have come.
  case loaded(StorePath, bytes: Int)
  /// The caption of a viewed photo on one line, or the reason why it could not be read; empty if there is none.
  case captioned(StorePath, String)
  case informed(PhotoInfo, offset: Int = 0)
  case completed(String, PathCompletion)

  case folderFound(String, FolderFinding)
  /// The typed text, and the folder to make.
  case folderWanted(String, String)
  case folderRefused(String)
  /// Files without a failure are in the queue.
  case uploadsPrepared([String], failed: [UploadFailure])
  /// In the queue with this id; nil if it was not queued.
  case prepared(String?)
  case uploaded(FileEntry)
  /// The file of this machine has the same content, as far as known.
  case copied(DiskCopy)
  /// The cached photos among the given ones.
  case kept(Set<StorePath>, of: [StorePath])
  /// Files that were not uploaded into an album, and the club's photos with the same content.
  case clubHas([String], [StorePath], into: StorePath? = nil)
  /// Not downloaded, because the folder has them already.
  case folderHas([StorePath], String)
  case againUp([String], to: StorePath?)
  case againDown([StorePath], String)
  case lookedOnDisk([StorePath: Bool])
  /// The member has confirmed that a door of a photo goes.
  case confirmedWithdrawal(String, in: StorePath)
  /// The member has confirmed the address of a hot spot.
  case confirmedAddress(String)
}

extension PhotosAction: FileTabAction {
  var memberInput: MemberInput? { if case .input(let input) = self { input } else { nil } }
}

public struct UploadFailure: Sendable {
  public let file: String
  public let error: StoreError

  public init(_ file: String, _ error: StoreError) { (self.file, self.error) = (file, error) }
}

public enum PhotosEffect: Sendable {
  case files(FileListEffect)
  /// In this order, to fit into a box of cells, or into its own of `boxes`. After a pause, retry those in `failed`, and
  /// others with temporary errors, until all are made.
  case thumbnails(
    [StorePath], failed: [StorePath] = [], columns: Int, rows: Int, boxes: [StorePath: Size] = [:],
    in: PictureResolution = PictureResolution())
  /// Read the shapes of these photos from their first bytes.
  case shapes([StorePath])
  /// Read the copy on this machine, if there is one.
  case view(StorePath, onDisk: String?)
  /// Send `turned` after a pause.
  case awaitTurn(Duration)
  /// Find out the kinds of these photos from their first bytes.
  case kinds([StorePath])
  /// Find out when the photos were taken, as far as that takes no network.
  case captures
  /// Remember the layout of the tab, for the next start.
  case keepLayout(PhotosLayout)
  /// Remember the size and the heads of the grid, for the next start.
  case keepGrid(GridChoice)
  /// Remember the kind that the member chose, for the next start.
  case keepKind(PictureKind, of: StorePath)
  /// Read a part of a large photo, once the view rests.
  case detail(StorePath, DetailRequest)
  /// After a moment without another move, report it.
  case awaitRest
  /// Read the hot spots of a viewed photo again.
  case tour(StorePath)
  /// Make a door in this direction, and the way back. A picture with a compass gives its heading.
  case door(from: StorePath, yaw: Double, pitch: Double, heading: Double?, to: StorePath)
  /// Withdraw a door by its id, and the way back.
  case withdrawDoor(String, in: StorePath)
  case readWalk(StorePath)
  case keepWalk(WalkRecorder, title: String)
  /// Make a page where a phone leaves photos; an empty name stands for any giver.
  case askForPhotos(giver: String)
  /// Read the caption of a viewed photo again.
  case caption(StorePath)
  /// Fetch photos that may be viewed next, and make previews of them.
  case prefetch([StorePath])
  /// Check whether these copies still exist.
  case lookOnDisk([DiskCopy])
  case openOnDisk(String)
  /// Open a cached photo with the desktop's program.
  case openKept(StorePath)
  case seek(String)
  case info(StorePath)
  /// Into an album, or without one into the photos folder. `again` includes files that the club has already.
  case upload([String], to: StorePath? = nil, again: Bool = false)
  /// `again` includes photos that are there already.
  case download([StorePath], to: String, again: Bool = false)
  /// Stop checking files for requested uploads and downloads.
  case stopPreparing
  case findFolder(String)
  /// The typed text, and the folder to make.
  case makeFolder(String, String)
  case remember(String, for: PathPurpose)
  case complete(String, purpose: PathPurpose)
}

extension PhotosEffect: FileTabEffect {}
