internal import ClubServices
internal import FileStores
internal import Imaging
internal import TextUI

/// A photo that fills the body: flat, or looked around in from its middle.
struct PhotoViewer: Sendable {
  var path: StorePath
  private(set) var pyramid: Pyramid?
  /// nil until the photo has come. Stays below a look-around.
  var flat: FlatView?
  /// nil while the photo is shown flat.
  var look: LookAround?
  /// The picture's kind and the directions that it covers; nil while unknown.
  private(set) var geometry: PictureGeometry?
  private var header: PictureHeader?
  private(set) var isWhole = false
  /// The part of a large photo that is being read, or could not be read.
  var askedDetail: DetailRequest?
  var problem: Problem?
  /// Shown until the first version is there.
  var loading = "loading"
  /// On one line; empty if there is none.
  var caption = ""
  /// The photos to prefetch; the one in the direction of the last move comes first.
  let neighbours: [StorePath]
  /// Of the tour, on one line; empty if there is none.
  private(set) var title = ""
  var showsMap = true
  var motion = ViewerMotion()
  /// Counts how often the member has pointed.
  var points: UInt8 = 0
  /// The member who was followed last.
  var followed: String?
  /// The photo was opened to follow that member, and is on its way.
  var followsOn = false
  /// The panoramas that hot spots led away from, each with its view; the way back.
  var trail: [TrailStep] = []
  /// By yaw, from left to right.
  private(set) var marks: [PhotoMark] = []
  /// The chosen one of `marks`.
  var chosenMark: Int?
  /// The view with which a look-around begins: of the tour, or of the hot spot that led here.
  private var beginning = Tour.View()
  /// The cell under the pressed mouse button.
  private var dragged: Point?
  /// The cell of a press that did not move since.
  private(set) var pressed: Point?

  /// `arrival` overrides the view of the photo's tour.
  init(path: StorePath, neighbours: [StorePath] = [], arrival: Tour.View? = nil) {
    (self.path, self.neighbours) = (path, neighbours)
    if let arrival { (beginning, hasArrived) = (arrival, true) }
  }
  /// True while the view moves on a terminal that draws pixels.
  var isCoarse = false
  /// Stands for the pixels of the pyramid.
  private(set) var source = PictureSource()
  /// Then a coarse view becomes fine.
  static let rest = Duration.milliseconds(150)

  private var hasArrived = false

  /// The hot spots come before the photo.
  mutating func take(_ tour: PhotoTour) {
    let places = marks.map { [$0.yawDegrees, $0.pitchDegrees] }
    marks = tour.marks.sorted { ($0.yawDegrees, -$0.pitchDegrees) < ($1.yawDegrees, -$1.pitchDegrees) }
    title = tour.title
    // A name that was compared leaves the choice.
    if places != marks.map({ [$0.yawDegrees, $0.pitchDegrees] }) { chosenMark = nil }
    if !hasArrived { beginning = tour.view }
  }

  mutating func take(_ ready: ReadyPhoto, kind: PictureKind?, window: PixelSize) {
    take(ready.pyramid, full: ready.full, header: ready.header, isWhole: false, kind: kind, window: window)
  }

  /// Takes a version of the photo, which may be coarse. A sphere and a full turn open inside, a sweep fills the height;
  /// `kind` is the member's earlier choice.
  mutating func take(
    _ pyramid: Pyramid, full: PixelSize, header: PictureHeader?, isWhole: Bool, kind: PictureKind?, window: PixelSize
  ) {
    (self.pyramid, self.isWhole, problem) = (pyramid, isWhole, nil)
    askedDetail = nil
    source = PictureSource()
    if flat?.picture != full {
      var flat = FlatView(picture: full, window: window)
      if let old = self.flat, !old.isFit { flat.look(as: old) }
      self.flat = flat
    }
    // A better version has the same data; a photo that was replaced has others.
    guard let header, header != self.header else { return }
    self.header = header
    become(kind.map { PictureGeometry(header, as: $0) } ?? PictureGeometry(header), window)
  }

  mutating func take(_ detail: PictureDetail) {
    pyramid?.detail = detail
    source = PictureSource()
  }

  /// The part of a large photo that the window needs and that is not asked for yet.
  func wantedDetail(_ window: PixelSize) -> DetailRequest? {
    guard let pyramid, pyramid.full != nil, isWhole else { return nil }
    if var look {
      look.resize(to: window)
      return LookAroundRenderer.wanted(pyramid, look, asked: askedDetail)
    }
    guard var flat else { return nil }
    flat.resize(to: window)
    return FlatRenderer.wanted(pyramid, flat, asked: askedDetail)
  }

  private mutating func become(_ geometry: PictureGeometry, _ window: PixelSize) {
    self.geometry = geometry
    motion.rest()
    switch geometry.kind {
    case .sphere, .cylinder:
      look = LookAround(geometry, window: window)
      look?.begin(beginning)
      if followsOn, let followed { motion.startFollowing(followed) }
    case .sweep:
      look = nil
      flat?.fillHeight()
    case .flat: look = nil
    }
  }

  /// Shows the picture as the next kind: a wrong guess is one key away from the right one. Returns the kind; nil if its
  /// data are unknown.
  mutating func switchKind(_ window: PixelSize) -> PictureKind? {
    guard let header, let geometry else { return nil }
    // A sweep opens flat, as high as the window, and is then looked around in.
    if geometry.kind == .sweep, look == nil {
      look = LookAround(geometry, window: window)
      look?.begin(beginning)
      return .sweep
    }
    let next = PictureGeometry(header, as: geometry.next)
    become(next, window)
    if next.kind == .sweep {
      look = LookAround(next, window: window)
      look?.begin(beginning)
    }
    return next.kind
  }

  /// The view to which `switchKind` leads; nil while unknown.
  var nextLook: String? {
    guard let geometry else { return nil }
    guard geometry.kind != .sweep || look != nil else { return "around" }
    return switch geometry.next {
    case .flat: "flat"
    case .sweep: "around"
    case .cylinder: "full turn"
    case .sphere: "sphere"
    }
  }

  /// `isRescaled` says that the pixels of the window have another size.
  mutating func resize(to window: PixelSize, isRescaled: Bool = false) {
    if isRescaled, let old = flat, !old.isFit {
      var new = FlatView(picture: old.picture, window: window)
      new.look(as: old)
      flat = new
    }
    flat?.resize(to: window)
    look?.resize(to: window)
  }

  /// Moves by fractions of the window, to the right and up. False if nothing moved.
  @discardableResult
  mutating func move(right: Double, up: Double) -> Bool {
    if look != nil { return look?.turn(right: right, up: up) == true }
    return flat?.pan(x: right, y: -up) == true
  }

  /// For a press of an arrow.
  mutating func step(right: Double, up: Double) {
    let size = look == nil ? FlatView.panStep : LookAround.turnStep
    if move(right: right * size, up: up * size) { motion.push(right: right * size, up: up * size) }
  }

  struct Camera: Equatable {
    let flat: FlatView?
    let look: LookAround?
  }

  var camera: Camera { Camera(flat: flat, look: look) }

  mutating func zoom(by factor: Double) {
    if look != nil { look?.zoom(by: factor) } else { flat?.zoom(by: factor) }
  }

  /// The whole photo, or the panorama's initial view.
  mutating func reset() {
    if look != nil { look?.begin(beginning) } else { flat?.fit() }
  }

  /// The height of the window or, inside a panorama, the widest view.
  mutating func fill() {
    if look != nil { look?.zoom(by: 0.01) } else { flat?.fillHeight() }
  }

  /// The place under the mouse follows it, and the view swings on when the button is let go.
  mutating func drag(_ mouse: InputEvent.Mouse, _ size: Size) {
    switch mouse.kind {
    case .press:
      (dragged, pressed) = (mouse.point, mouse.point)
      motion.hold()
    case .drag:
      guard let from = dragged else { return }
      dragged = mouse.point
      if mouse.point != pressed { pressed = nil }
      let right = Double(from.x - mouse.point.x) / Double(max(1, size.width))
      let up = Double(mouse.point.y - from.y) / Double(max(1, size.height))
      if move(right: right, up: up) { motion.push(right: right, up: up) }
    default:
      (dragged, pressed) = (nil, nil)
      motion.release()
    }
  }

  /// The part of the picture's width in view, as fractions.
  var seen: [ClosedRange<Double>] {
    guard let look, let geometry else {
      guard let flat else { return [] }
      let start = flat.crop.x / Double(flat.picture.width)
      return [start...start + flat.crop.width / Double(flat.picture.width)]
    }
    let middle = look.yawDegrees / geometry.horizontalDegrees + 0.5
    let half = min(0.5, look.fieldOfViewDegrees / geometry.horizontalDegrees / 2)
    let (start, end) = (middle - half, middle + half)
    guard geometry.isFullTurn else { return [start...end] }
    return [start...end, (start + 1)...(end + 1), (start - 1)...(end - 1)]
  }

  /// Size, kind and direction.
  var facts: String {
    guard let flat else { return problem == nil ? loading : "" }
    var parts = isWhole ? [] : ["loading"]
    parts.append("\(flat.picture.width) x \(flat.picture.height)")
    if isWhole, let pyramid, pyramid.full == nil, pyramid.size.width < flat.picture.width {
      let share = Double(flat.picture.width) / Double(pyramid.size.width)
      parts.append("shown at 1/\((share * 10).rounded() / 10)".replacing(".0", with: ""))
    }
    if let look {
      parts.append(look.geometry.kind.word)
      if let heading = look.headingDegrees {
        parts.append("\(Compass.name(of: heading)) \(Int(heading.rounded()) % 360)\u{B0}")
      } else {
        parts.append("\(Int(look.yawDegrees.rounded()))\u{B0}")
      }
      parts.append("up \(Int(look.pitchDegrees.rounded()))\u{B0}")
      parts.append("\(Int(look.fieldOfViewDegrees.rounded()))\u{B0} wide")
    } else {
      parts.append("\(Int((flat.magnification * 100).rounded())) %")
    }
    return parts.joined(separator: "  ")
  }
}

extension PictureKind {
  /// For lists and titles.
  var word: String {
    switch self {
    case .flat: "flat"
    case .sweep: "sweep"
    case .cylinder, .sphere: "360\u{B0}"
    }
  }
}

extension FlatView {
  /// Shows the same region of the same picture, perhaps of another size.
  mutating func look(as old: FlatView) {
    zoom(by: old.magnification / magnification)
    let x = (old.crop.x + old.crop.width / 2) / Double(old.picture.width)
    let y = (old.crop.y + old.crop.height / 2) / Double(old.picture.height)
    _ = pan(
      x: (x * Double(picture.width) - crop.x - crop.width / 2) / crop.width,
      y: (y * Double(picture.height) - crop.y - crop.height / 2) / crop.height)
  }
}
