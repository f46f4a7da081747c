internal import JSON

/// A walk through panoramas, as a member looked around in them: views with times. Between two views of a photo a player
/// turns steadily, the short way; another photo comes at the time of its first view.
public struct Walk: Sendable, Equatable {
  public struct View: Sendable, Equatable {
    /// Since the walk's beginning.
    public var milliseconds: Int
    /// A place in `photos`.
    public var photo: Int
    public var yawDegrees, pitchDegrees, fieldOfViewDegrees: Double

    public init(_ milliseconds: Int, photo: Int, yaw: Double, pitch: Double, fieldOfView: Double) {
      (self.milliseconds, self.photo) = (milliseconds, photo)
      (yawDegrees, pitchDegrees, fieldOfViewDegrees) = (yaw, pitch, fieldOfView)
    }

    /// In angles that the file keeps.
    fileprivate var rounded: View {
      func tenth(_ value: Double) -> Double { (value * 10).rounded() / 10 }
      return View(
        milliseconds, photo: photo, yaw: tenth(yawDegrees), pitch: tenth(pitchDegrees),
        fieldOfView: tenth(fieldOfViewDegrees))
    }

    /// The largest of the three angles between two views of a photo.
    public func distance(to other: View) -> Double {
      max(
        abs((yawDegrees - other.yawDegrees).remainder(dividingBy: 360)), abs(pitchDegrees - other.pitchDegrees),
        abs(fieldOfViewDegrees - other.fieldOfViewDegrees))
    }

    /// On the way to the next view.
    fileprivate func toward(_ next: View, at time: Int) -> View {
      var view = self
      view.milliseconds = time
      guard next.photo == photo, next.milliseconds > milliseconds else { return view }
      let part = Double(time - milliseconds) / Double(next.milliseconds - milliseconds)
      view.yawDegrees = (yawDegrees + part * (next.yawDegrees - yawDegrees).remainder(dividingBy: 360)).turnedDegrees
      view.pitchDegrees += part * (next.pitchDegrees - pitchDegrees)
      view.fieldOfViewDegrees += part * (next.fieldOfViewDegrees - fieldOfViewDegrees)
      return view
    }
  }

  public let title: String
  /// As the file claims.
  public let member: String
  /// Addresses relative to the walk's file.
  public let photos: [String]
  /// By time, never empty.
  public let views: [View]

  public static let mostBytes = 8 << 10
  public static let mostMilliseconds = 3_600_000
  public static let mostPhotos = 50
  private static let version: Int64 = 1
  /// With the rounding of the angles, a shown view is less than a degree from the recorded one.
  private static let mostDegreesApart = 0.6
  /// Views that one pair may stand for, which bounds the work for each.
  private static let longestSpan = 200
  /// Eyes can follow turns up to this speed. A change of photo counts as a turn by `degreesOfDoor`, so photos never flicker.
  private static let (mostDegreesPerSecond, degreesOfDoor) = (720.0, 240.0)

  public func view(at milliseconds: Int) -> View {
    var (low, high) = (0, views.count)
    while low < high {
      let middle = (low + high) / 2
      if views[middle].milliseconds <= milliseconds { low = middle + 1 } else { high = middle }
    }
    let before = views[max(0, low - 1)]
    return low == 0 || low == views.count ? before : before.toward(views[low], at: milliseconds)
  }

  /// The same views, with more time for turns and changes of photo that are too fast for eyes.
  public var calm: Walk {
    var (slow, delay) = ([View](), 0)
    for var view in views {
      view.milliseconds += delay
      if let before = slow.last {
        let degrees = view.photo == before.photo ? view.distance(to: before) : Walk.degreesOfDoor
        let least = Int((degrees / Walk.mostDegreesPerSecond * 1000).rounded(.up))
        let late = max(0, before.milliseconds + least - view.milliseconds)
        (delay, view.milliseconds) = (delay + late, view.milliseconds + late)
      }
      slow.append(view)
    }
    return Walk(title: title, member: member, photos: photos, views: slow)
  }

  /// The fewest views, from the first on, that a player needs.
  static func thinned(_ views: [View]) -> [View] {
    guard views.count > 2, let first = views.first, let last = views.last else { return views }
    var kept = [first]
    var (start, end) = (0, 1)
    for next in 2..<views.count {
      let isEnough =
        next - start <= longestSpan
        && (start + 1..<next).allSatisfy { place in
          let shown = views[start].toward(views[next], at: views[place].milliseconds)
          return shown.photo == views[place].photo && shown.distance(to: views[place]) <= mostDegreesApart
        }
      if !isEnough {
        kept.append(views[end])
        start = end
      }
      end = next
    }
    return kept + [last]
  }

  // MARK: The file

  public var bytes: [UInt8] {
    let file = JSONValue.members([
      "version": .integer(Walk.version), "title": .string(title), "member": .string(member),
      "photos": .array(photos.map { .string($0) }),
      "views": .array(
        views.map { view in
          .array([
            .number(view.photo), .number(view.milliseconds), .fraction(view.yawDegrees), .fraction(view.pitchDegrees),
            .fraction(view.fieldOfViewDegrees),
          ])
        }),
    ])
    return Array(file.encoded.utf8)
  }

  /// The recorded walk; views beyond the file's size are cut off at its end. nil if nothing fits.
  init?(recorded views: [View], photos: [String], title: String, member: String) {
    let kept = Walk.thinned(views).map(\.rounded)
    func walk(_ count: Int) -> Walk {
      Walk(
        title: TourReader.line(title), member: TourReader.line(member), photos: photos, views: Array(kept.prefix(count))
      )
    }
    func fits(_ count: Int) -> Bool { walk(count).bytes.count <= Walk.mostBytes }
    guard !kept.isEmpty, fits(1) else { return nil }
    var (low, high) = (1, kept.count)
    while low < high {
      let middle = (low + high + 1) / 2
      if fits(middle) { low = middle } else { high = middle - 1 }
    }
    self = walk(low)
  }

  private init(title: String, member: String, photos: [String], views: [View]) {
    (self.title, self.member, self.photos, self.views) = (title, member, photos, views)
  }

  /// Any bytes end with a walk or a fault.
  public init(reading bytes: [UInt8]) throws(TourReader.Fault) {
    let file = try TourReader.value(bytes, most: Walk.mostBytes)
    guard let version = file["version"]?.integer else { throw TourReader.Fault(reason: "it is no walk") }
    guard version == Walk.version else {
      throw TourReader.Fault(reason: "it is of version \(version), and this byteclub reads version \(Walk.version)")
    }
    let photos = (file["photos"]?.elements ?? []).map { $0.text ?? "" }
    guard (1...Walk.mostPhotos).contains(photos.count) else {
      throw TourReader.Fault(reason: "it has no photos, or more than \(Walk.mostPhotos)")
    }
    var views: [View] = []
    for (index, value) in (file["views"]?.elements ?? []).enumerated() {
      guard let view = View(value, photos: photos.count), view.milliseconds > views.last?.milliseconds ?? -1 else {
        throw TourReader.Fault(reason: "view \(index + 1) is damaged, or not later than the one before")
      }
      views.append(view)
    }
    guard !views.isEmpty else { throw TourReader.Fault(reason: "it has no views") }
    self.init(
      title: TourReader.line(file["title"]?.text ?? ""), member: TourReader.line(file["member"]?.text ?? ""),
      photos: photos, views: views)
  }
}

extension Walk.View {
  fileprivate init?(_ value: JSONValue, photos: Int) {
    guard let parts = value.elements, parts.count == 5, let photo = parts[0].integer,
      (0..<Int64(photos)).contains(photo),
      let time = parts[1].integer, (0...Int64(Walk.mostMilliseconds)).contains(time), let yaw = parts[2].number,
      abs(yaw) <= 360, let pitch = parts[3].number, abs(pitch) <= 90, let field = parts[4].number, field > 0,
      field < 180
    else { return nil }
    self.init(Int(time), photo: Int(photo), yaw: yaw, pitch: pitch, fieldOfView: field)
  }
}

/// Records a walk from views as they come.
public struct WalkRecorder: Sendable {
  private var photos: [String] = []
  private var views: [Walk.View] = []
  /// Of the member's clock, at the last view.
  private var last: Int64?
  /// Nothing more is recorded.
  public private(set) var isFull = false

  private static let mostViews = 20_000
  /// A longer rest of the member is shortened.
  private static let longestRest: Int64 = 10_000
  /// A view that comes after a rest is reached in this time.
  private static let turn = 100

  public init() {}

  public var isEmpty: Bool { views.isEmpty }

  /// Takes the view at a time of any clock. The same view again is no other one.
  public mutating func add(_ photo: String, _ look: LookAround, atMilliseconds time: Int64) {
    guard !isFull else { return }
    if !photos.contains(photo) {
      guard photos.count < Walk.mostPhotos else { return isFull = true }
      photos.append(photo)
    }
    var view = Walk.View(
      0, photo: photos.firstIndex(of: photo) ?? 0, yaw: look.yawDegrees, pitch: look.pitchDegrees,
      fieldOfView: look.fieldOfViewDegrees)
    guard let before = views.last, let last else {
      (views, self.last) = ([view], time)
      return
    }
    guard view.photo != before.photo || view.distance(to: before) > 0 else { return }
    let (rest, overflow) = time.subtractingReportingOverflow(last)
    let pause = overflow ? 0 : Int(min(max(rest, 0), WalkRecorder.longestRest))
    view.milliseconds = before.milliseconds + pause
    guard views.count < WalkRecorder.mostViews, view.milliseconds <= Walk.mostMilliseconds else { return isFull = true }
    self.last = time
    if pause == 0 {
      // Of several views at one time the last one was seen.
      views[views.count - 1] = view
      return
    }
    if pause > WalkRecorder.turn {
      var rested = before
      rested.milliseconds = view.milliseconds - WalkRecorder.turn
      views.append(rested)
    }
    views.append(view)
  }

  /// nil if nothing was recorded.
  public func walk(title: String, member: String) -> Walk? {
    Walk(recorded: views, photos: photos, title: title, member: member)
  }
}
