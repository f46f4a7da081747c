/// A decoded picture.
public struct DecodedPicture: Sendable {
  /// The picture as it is to be shown: turned, and over the background where it is see-through.
  public let pixels: Pixels
  /// What the file says about itself; `header.size` is the full size.
  public let header: PictureHeader
  /// True when the data ended early or was damaged, so that a part of the pixels is made up.
  public let isDamaged: Bool
}
