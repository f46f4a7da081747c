/// The visible part of a flat picture in a window of square pixels (with half-blocks, two of them make a terminal
/// cell). The picture is never smaller than "fit", and a pan stops at its edges.
public struct FlatView: Sendable, Equatable {
  /// For a press of `+`; `-` is its inverse.
  public static let zoomStep = 1.25
  /// For a press of an arrow, as a fraction of the window.
  public static let panStep = 0.125
  /// Unless "fit" is larger.
  public static let maxScale = 16.0

  private enum Mode: Sendable, Equatable {
    case fit, fillHeight, free
  }

  public let picture: PixelSize
  /// In the window's own pixels.
  public private(set) var window: PixelSize
  /// Window pixels per picture pixel.
  public private(set) var scale: Double
  private var centreX: Double
  private var centreY: Double
  private var mode = Mode.fit
  /// Fills the window in any shape.
  private var stretched: CropRect?

  public init(picture: PixelSize, window: PixelSize) {
    self.picture = PixelSize(width: max(1, picture.width), height: max(1, picture.height))
    self.window = PixelSize(width: max(1, window.width), height: max(1, window.height))
    scale = 1
    centreX = Double(self.picture.width) / 2
    centreY = Double(self.picture.height) / 2
    fit()
  }

  /// Shows the whole picture, centred (key `0`).
  public mutating func fit() {
    mode = .fit
    scale = fitScale
    centreX = Double(picture.width) / 2
    centreY = Double(picture.height) / 2
  }

  /// Makes the picture as high as the window (key `f`); never smaller than "fit".
  public mutating func fillHeight() {
    mode = .fillHeight
    scale = clampedScale(Double(window.height) / Double(picture.height))
    clamp()
  }

  /// Magnifies about the window's centre; factors below 1 reduce, down to "fit".
  public mutating func zoom(by factor: Double) {
    guard factor.isFinite, factor > 0 else { return }
    scale = clampedScale(scale * factor)
    mode = scale <= fitScale ? .fit : .free
    clamp()
  }

  /// Moves by fractions of the window, to the right or down, at most to the picture's edges. False if nothing moved.
  @discardableResult
  public mutating func pan(x: Double, y: Double) -> Bool {
    guard x.isFinite, y.isFinite else { return false }
    let before = self
    centreX += x * Double(window.width) / scale
    centreY += y * Double(window.height) / scale
    clamp()
    return self != before
  }

  /// "Fit" and "fill height" are computed anew; otherwise scale and centre stay.
  public mutating func resize(to window: PixelSize) {
    self.window = PixelSize(width: max(1, window.width), height: max(1, window.height))
    switch mode {
    case .fit: fit()
    case .fillHeight: fillHeight()
    case .free: zoom(by: 1)
    }
  }

  public var isFit: Bool { scale <= fitScale }

  /// Relative to "fit": 1 and up.
  public var magnification: Double { scale / fitScale }

  /// Always within the picture.
  public var crop: CropRect {
    if let stretched { return stretched }
    let width = min(Double(picture.width), Double(window.width) / scale)
    let height = min(Double(picture.height), Double(window.height) / scale)
    return CropRect(x: centreX - width / 2, y: centreY - height / 2, width: width, height: height)
  }

  /// Centred if the picture is smaller than the window.
  public var placement: PixelRect {
    if stretched != nil { return PixelRect(x: 0, y: 0, width: window.width, height: window.height) }
    let width = min(window.width, max(1, Int((Double(picture.width) * scale).rounded())))
    let height = min(window.height, max(1, Int((Double(picture.height) * scale).rounded())))
    return PixelRect(x: (window.width - width) / 2, y: (window.height - height) / 2, width: width, height: height)
  }

  private var fitScale: Double {
    min(Double(window.width) / Double(picture.width), Double(window.height) / Double(picture.height))
  }

  private func clampedScale(_ wanted: Double) -> Double {
    min(max(wanted, fitScale), max(Self.maxScale, fitScale))
  }

  private mutating func clamp() {
    centreX = Self.clamp(centreX, Double(window.width) / scale, Double(picture.width))
    centreY = Self.clamp(centreY, Double(window.height) / scale, Double(picture.height))
  }

  /// Shows the same part of the picture in a window of another shape, which stretches it a little.
  public mutating func shape(as window: PixelSize) {
    let crop = crop
    self = FlatView(picture: picture, window: window)
    scale = Double(self.window.width) / crop.width
    stretched = crop
  }

  private static func clamp(_ centre: Double, _ seen: Double, _ length: Double) -> Double {
    seen >= length ? length / 2 : min(max(centre, seen / 2), length - seen / 2)
  }
}

public enum FlatRenderer {
  /// The level that suits the view, and the pixels of the level that the view shows.
  public static func part(of pyramid: Pyramid, _ view: FlatView) -> (level: Int, crop: PixelRect) {
    let (crop, place) = (view.crop, view.placement)
    let across = Double(pyramid.size.width) / Double(view.picture.width)
    let down = Double(pyramid.size.height) / Double(view.picture.height)
    let step = max(crop.width * across / Double(place.width), crop.height * down / Double(place.height))
    let level = pyramid.level(forStep: step * 1.42)
    let size = pyramid.levels[level].size
    let scale = 1 / Double(1 << level)
    let width = min(size.width, max(1, Int((crop.width * across * scale).rounded())))
    let height = min(size.height, max(1, Int((crop.height * down * scale).rounded())))
    return (
      level,
      PixelRect(
        x: max(0, min(size.width - width, Int((crop.x * across * scale).rounded()))),
        y: max(0, min(size.height - height, Int((crop.y * down * scale).rounded()))), width: width, height: height)
    )
  }

  /// Outside the picture `background` (0xRRGGBB) is shown. The pyramid may hold a smaller copy of the view's picture,
  /// which shows the same part more coarsely.
  public static func render(_ pyramid: Pyramid, _ view: FlatView, background: UInt32 = 0) -> Pixels {
    let crop = view.crop
    let place = view.placement
    let (acrossFull, downFull) = (
      Double(pyramid.size.width) / Double(view.picture.width),
      Double(pyramid.size.height) / Double(view.picture.height)
    )
    // The factor picks the level with about one level pixel a sample: 0.7 to 1.4 level pixels lie between samples, and
    // bilinear sampling reads them all.
    let step = max(crop.width * acrossFull / Double(place.width), crop.height * downFull / Double(place.height))
    let level = pyramid.level(forStep: step * 1.42)
    let pixels = pyramid.levels[level]
    let (across, down) = (acrossFull / Double(1 << level), downFull / Double(1 << level))
    let size = PixelSize(width: place.width, height: place.height)
    let detailed = step < 1 / 1.42 ? detailed(pyramid, view, size) : nil
    let part =
      detailed
      ?? Resampler.sample(
        pixels,
        crop: CropRect(x: crop.x * across, y: crop.y * down, width: crop.width * across, height: crop.height * down),
        size: size, filter: view.scale > 4 ? .nearest : .bilinear)
    if part.size == view.window { return part }
    var whole = Pixels(width: view.window.width, height: view.window.height, colour: background)
    whole.paste(part, x: place.x, y: place.y)
    return whole
  }
}
