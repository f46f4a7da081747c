public import FileStores
public import Imaging

/// A photo to be looked at.
public struct Picture: Sendable {
  /// What the file says about itself; `header.size` is the full size.
  public let header: PictureHeader
  /// The pixels, as they are to be shown; fewer than the full size has when that is very large.
  public let pixels: Pixels
  /// True when the file ended early or is damaged, so that a part of the pixels is made up.
  public let isDamaged: Bool
}

/// What is known of a photo.
public struct PhotoInfo: Sendable {
  /// What the store says.
  public let entry: FileEntry
  /// What the file says about itself.
  public let header: PictureHeader
  /// Its content.
  public let contentHash: ContentHash
}
