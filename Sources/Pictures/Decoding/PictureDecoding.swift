public import Imaging

/// Carries out work on pictures, in this process or in others. Any task may call.
public protocol PictureDecoding: Sendable {
  /// The number of pictures that are decoded at the same time.
  var atOnce: Int { get }

  /// Cancelling the calling task ends the call with `cancelled`.
  /// - Parameter orientation: of the picture, from its header.
  /// - Parameter isUrgent: goes before work that is not.
  /// - Throws: every kind of `ImageError`.
  func perform(
    _ work: PictureWork, on content: PictureContent, orientation: Orientation, limits: PictureLimits, isUrgent: Bool
  ) async throws(ImageError) -> PictureResult
}

extension PictureDecoding {
  /// As `perform`, for work that gives pixels.
  public func pixels(
    _ work: PictureWork, of content: PictureContent, orientation: Orientation, limits: PictureLimits = PictureLimits(),
    isUrgent: Bool = false
  ) async throws(ImageError) -> (pixels: Pixels, isDamaged: Bool) {
    let result = try await perform(work, on: content, orientation: orientation, limits: limits, isUrgent: isUrgent)
    guard case .pixels(let pixels, let isDamaged) = result else { throw .nonsense }
    return (pixels, isDamaged)
  }

  /// As `perform`, for work that gives a file.
  public func file(
    _ work: PictureWork, of content: PictureContent, orientation: Orientation, limits: PictureLimits = PictureLimits()
  ) async throws(ImageError) -> (bytes: [UInt8], size: PixelSize) {
    let result = try await perform(work, on: content, orientation: orientation, limits: limits, isUrgent: false)
    guard case .file(let bytes, let size) = result else { throw .nonsense }
    return (bytes, size)
  }

  /// The header of a picture that is whole. Its metadata are those before the picture's data.
  /// - Throws: as `perform`; `corrupt` if a part is missing or damaged.
  public func check(
    _ content: PictureContent, limits: PictureLimits = PictureLimits()
  ) async throws(ImageError) -> PictureHeader {
    let header = try content.beginning()
    _ = try await perform(.check, on: content, orientation: header.orientation, limits: limits, isUrgent: false)
    return header
  }
}

extension ImageError {
  static let nonsense = ImageError(
    .crashed, "The picture made byteclub's decoder answer nonsense.",
    remedy: "Copy it again from the camera or the original.")
}
