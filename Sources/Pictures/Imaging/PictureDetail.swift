/// A part of a picture to be read at a scale of eighths, in pixels of the picture at that scale, as shown. In a full turn
/// it may begin left of the picture or end right of it.
public struct DetailRequest: Sendable, Equatable {
  public let area: PixelRect
  public let eighths: Int

  public init(area: PixelRect, eighths: Int) { (self.area, self.eighths) = (area, eighths) }

  /// Pixels of this scale in a pixel of the whole picture.
  var scale: Double { Double(eighths) / 8 }

  /// True if the part has all of `visible`, in pixels of the whole picture, and its neighbours for sampling.
  func covers(_ visible: CropRect, in full: PixelSize, period: Double?) -> Bool {
    let size = full.scaled(eighths)
    let top = max(0, (visible.y * scale).rounded(.down) - 1)
    let bottom = min(Double(size.height), ((visible.y + visible.height) * scale).rounded(.up) + 1)
    var left = (visible.x * scale).rounded(.down) - 1
    var right = ((visible.x + visible.width) * scale).rounded(.up) + 1
    if let period {
      // The same place may be a turn away.
      let turns = ((Double(area.x) + Double(area.width) / 2 - (left + right) / 2) / (period * scale)).rounded()
      left += turns * period * scale
      right += turns * period * scale
    } else {
      (left, right) = (max(0, left), min(Double(size.width), right))
    }
    return Double(area.x) <= left && right <= Double(area.x + area.width) && Double(area.y) <= top
      && bottom <= Double(area.y + area.height)
  }
}

/// A part of a picture at a finer scale than its pyramid has.
public struct PictureDetail: Sendable {
  public let request: DetailRequest
  public let pixels: Pixels

  /// nil unless the pixels are those of the part.
  public init?(_ request: DetailRequest, _ pixels: Pixels) {
    guard pixels.width == request.area.width, pixels.height == request.area.height else { return nil }
    (self.request, self.pixels) = (request, pixels)
  }
}

extension PixelSize {
  /// At a scale of eighths; sides are rounded up.
  public func scaled(_ eighths: Int) -> PixelSize { Decoder.scaledSize(self, eighths) }
}

extension Pyramid {
  /// The most pixels of a part: 24 MB.
  private static let mostPixels = 8_000_000
  /// A part is this much larger than the view on each side, so that small moves need no other.
  private static let margin = 0.25

  /// The part to be read for a view.
  /// - Parameter visible: the part in view, in pixels of the whole picture.
  /// - Parameter step: pixels of the whole picture between two samples.
  /// - Parameter period: a full turn in pixels of the whole picture; nil for other pictures.
  /// - Returns: nil if the pyramid suffices, or `asked` or the present part has it.
  func request(
    for visible: CropRect, step: Double, period: Double?, asked: DetailRequest?
  ) -> DetailRequest? {
    guard let full else { return nil }
    for shift in 0...3 where shift == 3 || Double(2 << shift) > step * 1.42 {
      let eighths = 8 >> shift
      guard full.scaled(eighths).width > size.width else { return nil }
      for request in [detail?.request, asked].compactMap({ $0 }) {
        if request.eighths == eighths, request.covers(visible, in: full, period: period) { return nil }
      }
      for margin in [Self.margin, 0.02] {
        let area = Self.area(visible, margin, eighths, full, period)
        if area.width > 0, area.height > 0, area.width * area.height <= Self.mostPixels {
          return DetailRequest(area: area, eighths: eighths)
        }
      }
    }
    return nil
  }

  private static func area(
    _ visible: CropRect, _ margin: Double, _ eighths: Int, _ full: PixelSize, _ period: Double?
  ) -> PixelRect {
    let (scale, size) = (Double(eighths) / 8, full.scaled(eighths))
    let (across, down) = (visible.width * margin + 4 / scale, visible.height * margin + 4 / scale)
    var left = Int(((visible.x - across) * scale).rounded(.down))
    var right = Int(((visible.x + visible.width + across) * scale).rounded(.up))
    let top = max(0, Int(((visible.y - down) * scale).rounded(.down)))
    let bottom = min(size.height, Int(((visible.y + visible.height + down) * scale).rounded(.up)))
    if period == nil {
      (left, right) = (max(0, left), min(size.width, right))
    } else {
      right = min(right, left + size.width)
      let turns = (Double(left + right) / 2 / Double(size.width)).rounded(.down)
      (left, right) = (left - Int(turns) * size.width, right - Int(turns) * size.width)
    }
    return PixelRect(x: left, y: top, width: right - left, height: max(0, bottom - top))
  }
}

extension FlatRenderer {
  /// The part that the view needs beyond the pyramid; see `Pyramid.request`.
  public static func wanted(_ pyramid: Pyramid, _ view: FlatView, asked: DetailRequest?) -> DetailRequest? {
    let (crop, place) = (view.crop, view.placement)
    let step = max(crop.width / Double(place.width), crop.height / Double(place.height))
    return pyramid.request(for: crop, step: step, period: nil, asked: asked)
  }

  /// The view by the part at a finer scale; nil if that part does not have it.
  static func detailed(_ pyramid: Pyramid, _ view: FlatView, _ size: PixelSize) -> Pixels? {
    let crop = view.crop
    guard let detail = pyramid.detail, let full = pyramid.full, full == view.picture,
      detail.request.covers(crop, in: full, period: nil)
    else { return nil }
    let (scale, area) = (detail.request.scale, detail.request.area)
    // A part from a closer view is too fine for single samples.
    guard crop.width * scale / Double(size.width) < 2.84 else { return nil }
    return Resampler.sample(
      detail.pixels,
      crop: CropRect(
        x: crop.x * scale - Double(area.x), y: crop.y * scale - Double(area.y), width: crop.width * scale,
        height: crop.height * scale),
      size: size, filter: view.scale > 4 ? .nearest : .bilinear)
  }
}

extension LookAroundRenderer {
  /// The part that the view needs beyond the pyramid; see `Pyramid.request`.
  public static func wanted(_ pyramid: Pyramid, _ view: LookAround, asked: DetailRequest?) -> DetailRequest? {
    guard pyramid.full == view.geometry.size, let visible = visible(view) else { return nil }
    return pyramid.request(for: visible, step: step(view), period: turn(view), asked: asked)
  }

  /// The part at a finer scale, if it has all that the view shows of the picture.
  static func detail(_ pyramid: Pyramid, _ view: LookAround) -> PictureDetail? {
    guard let detail = pyramid.detail, pyramid.full == view.geometry.size, let visible = visible(view),
      detail.request.covers(visible, in: view.geometry.size, period: turn(view)),
      step(view) * detail.request.scale < 2.84
    else { return nil }
    return detail
  }

  /// Pixels of the whole picture between two samples in the middle of the window.
  private static func step(_ view: LookAround) -> Double {
    2 * view.slope / Double(view.window.width) * Double(view.geometry.size.width)
      / view.geometry.horizontalDegrees.radians
  }

  private static func turn(_ view: LookAround) -> Double? {
    view.geometry.isFullTurn ? Double(view.geometry.size.width) : nil
  }

  /// The part of the whole picture in view; nil if there is none, or next to a pole, where a view goes all around.
  private static func visible(_ view: LookAround) -> CropRect? {
    let (geometry, window) = (view.geometry, view.window)
    let (width, height) = (Double(geometry.size.width), Double(geometry.size.height))
    let period = width * 360 / geometry.coverage.horizontalDegrees
    let toPicture = geometry.coverage.fromLevel * view.toLevel
    func place(_ x: Double, _ y: Double) -> SIMD2<Double> {
      let place = geometry.coverage.place(toPicture.apply(view.ray(x, y)), geometry.size)
      return SIMD2(place.x, place.y)
    }
    let steps = 24
    let middle = place(Double(window.width) / 2, Double(window.height) / 2)
    var (low, high) = (middle, middle)
    for row in 0...steps {
      for column in 0...steps {
        var point = place(
          Double(window.width) * Double(column) / Double(steps), Double(window.height) * Double(row) / Double(steps))
        point.x -= period * ((point.x - middle.x) / period).rounded()
        low = pointwiseMin(low, point)
        high = pointwiseMax(high, point)
      }
    }
    guard high.x - low.x < period * 0.45 else { return nil }
    // Between the points, the edge of the view may bend a little further.
    let bend = (high - low) / Double(steps)
    (low, high) = (low - bend, high + bend)
    (low.y, high.y) = (max(0, low.y), min(height, high.y))
    if !geometry.isFullTurn { (low.x, high.x) = (max(0, low.x), min(width, high.x)) }
    guard low.x < high.x, low.y < high.y else { return nil }
    return CropRect(x: low.x, y: low.y, width: high.x - low.x, height: high.y - low.y)
  }
}
