public import ClubServices
public import FileStores
public import Imaging

/// What happens to the photos' screen.
public enum PhotosAction: Sendable {
  /// The member did something.
  case input(MemberInput)
  /// The body has another size.
  case resized
  /// A question was answered; nil: nothing is to happen.
  indirect case answered(PhotosAction?)
  /// The photos' tab is seen for the first time, or again.
  case shown

  /// To the list.
  case files(FileListAction)
  /// The store has found these photos.
  case found([FileEntry])
  /// A thumbnail is there.
  case thumbnail(StorePath, HalfBlockPicture)
  /// A thumbnail cannot be made.
  case thumbnailFailed(StorePath, StoreError)

  /// A photo is to be looked at, wherever it was asked for.
  case asked(StorePath)
  /// A photo is there, at first coarsely.
  case viewed(StorePath, Pyramid, full: PixelSize, isWhole: Bool)
  /// A photo cannot be shown.
  case viewFailed(StorePath, StoreError)
  /// A photo's facts.
  case informed(PhotoInfo)
  /// Completions of a typed path.
  case completed(String, PathCompletion)

  /// What a typed folder is.
  case folderFound(String, FolderFinding)
  /// The member wants a typed folder to be made, at this path.
  case folderWanted(String, String)
  /// The member does not want it.
  case folderRefused(String)
  /// Files were looked at for an upload; those that did not fail are in the queue.
  case uploadsPrepared([String], failed: [UploadFailure])
  /// An upload or download that was asked for is in the queue, with this ID, or never will be.
  case prepared(String?)
  /// A photo was uploaded to the club.
  case uploaded(FileEntry)
  /// A photo and a file of this machine are the same, as far as is known.
  case copied(DiskCopy)
  /// Of these photos, those are kept on this machine from an earlier look.
  case kept(Set<StorePath>, of: [StorePath])
  /// These files were not uploaded, as the club has what they hold: where.
  case clubHas([String], [StorePath])
  /// These photos were not downloaded, as they are in the folder already.
  case folderHas([StorePath], String)
  /// They are to be uploaded all the same.
  case againUp([String])
  /// They are to be downloaded all the same.
  case againDown([StorePath], String)
  /// Whether copies are where they were.
  case lookedOnDisk([StorePath: Bool])
}

extension PhotosAction: FileTabAction {}

/// A file of this machine that is not uploaded.
public struct UploadFailure: Sendable {
  /// The file as it was asked for.
  public let file: String
  /// Why.
  public let error: StoreError

  /// A failure.
  public init(_ file: String, _ error: StoreError) { (self.file, self.error) = (file, error) }
}
