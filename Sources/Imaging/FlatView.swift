/// What of a flat picture is seen in a window, as a value: a scale and a centre. Pixels of the window are square (two
/// of them make a terminal cell with half-blocks). Every member keeps the picture as large as "fit" at least, and its
/// edges at the window's edges or beyond, so a pan stops there.
public struct FlatView: Sendable, Equatable {
  /// One press of `+`; `-` is its inverse.
  public static let zoomStep = 1.25
  /// One press of an arrow: this part of the window.
  public static let panStep = 0.125
  /// How large one pixel of the picture may get, unless "fit" makes it larger.
  public static let maxScale = 16.0

  private enum Mode: Sendable, Equatable {
    case fit, fillHeight, free
  }

  /// The picture's full size.
  public let picture: PixelSize
  /// The window's size in its own pixels.
  public private(set) var window: PixelSize
  /// Pixels of the window for one pixel of the picture.
  public private(set) var scale: Double
  private var centreX: Double
  private var centreY: Double
  private var mode = Mode.fit

  /// The whole picture in the window.
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

  /// Makes the picture as high as the window (key `f`), where it was looked at; never smaller than "fit".
  public mutating func fillHeight() {
    mode = .fillHeight
    scale = clampedScale(Double(window.height) / Double(picture.height))
    clamp()
  }

  /// Magnifies about the window's centre; factors below 1 go back, down to "fit".
  public mutating func zoom(by factor: Double) {
    guard factor.isFinite, factor > 0 else { return }
    scale = clampedScale(scale * factor)
    mode = scale <= fitScale ? .fit : .free
    clamp()
  }

  /// Moves by parts of the window: 1 is a whole window to the right or down. Stops at the picture's edges.
  /// - Returns: false when nothing moved.
  @discardableResult
  public mutating func pan(x: Double, y: Double) -> Bool {
    guard x.isFinite, y.isFinite else { return false }
    let before = self
    centreX += x * Double(window.width) / scale
    centreY += y * Double(window.height) / scale
    clamp()
    return self != before
  }

  /// Takes another window size; "fit" and "fill height" stay what they are, else scale and centre stay.
  public mutating func resize(to window: PixelSize) {
    self.window = PixelSize(width: max(1, window.width), height: max(1, window.height))
    switch mode {
    case .fit: fit()
    case .fillHeight: fillHeight()
    case .free: zoom(by: 1)
    }
  }

  /// True when the whole picture is seen.
  public var isFit: Bool { scale <= fitScale }

  /// How much larger than "fit": 1 and up.
  public var magnification: Double { scale / fitScale }

  /// The part of the picture that is seen; it lies within the picture.
  public var crop: CropRect {
    let width = min(Double(picture.width), Double(window.width) / scale)
    let height = min(Double(picture.height), Double(window.height) / scale)
    return CropRect(x: centreX - width / 2, y: centreY - height / 2, width: width, height: height)
  }

  /// Where in the window that part lies: centred where the picture is smaller than the window.
  public var placement: PixelRect {
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

  private static func clamp(_ centre: Double, _ seen: Double, _ length: Double) -> Double {
    seen >= length ? length / 2 : min(max(centre, seen / 2), length - seen / 2)
  }
}
