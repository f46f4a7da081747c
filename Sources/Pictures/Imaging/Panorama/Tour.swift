public import JSON

/// Panoramas and the hot spots in them, as the viewer Pannellum describes them (its manual, "JSON Configuration
/// Parameters"). Degrees count from the picture's middle; right and up are positive.
public struct Tour: Sendable, Hashable {
  /// By id. A file about a single panorama has one scene with an empty id.
  public let scenes: [String: Scene]

  /// nil keeps the picture's own direction or width.
  public struct View: Sendable, Hashable {
    public var yawDegrees: Double?
    public var pitchDegrees: Double?
    public var fieldOfViewDegrees: Double?

    public init(yawDegrees: Double? = nil, pitchDegrees: Double? = nil, fieldOfViewDegrees: Double? = nil) {
      (self.yawDegrees, self.pitchDegrees) = (yawDegrees, pitchDegrees)
      self.fieldOfViewDegrees = fieldOfViewDegrees
    }
  }

  public struct Scene: Sendable, Hashable {
    /// On one line; empty if the file gives none.
    public var title: String
    /// An address relative to the JSON file, as written; nil if the file gives none.
    public var panorama: String?
    public var view: View
    public var hotSpots: [HotSpot]
    /// Clauses about values that were left out: `hot spot 2 of scene "hut" has no yaw`.
    public var faults: [String] = []

    public init(title: String = "", panorama: String? = nil, view: View = View(), hotSpots: [HotSpot] = []) {
      (self.title, self.panorama, self.view, self.hotSpots) = (title, panorama, view, hotSpots)
    }
  }

  public struct HotSpot: Sendable, Hashable {
    public var yawDegrees: Double
    public var pitchDegrees: Double
    /// On one line; may be empty.
    public var text: String
    public var target: Target

    public init(yawDegrees: Double, pitchDegrees: Double, text: String = "", target: Target = .none) {
      (self.yawDegrees, self.pitchDegrees, self.text, self.target) = (yawDegrees, pitchDegrees, text, target)
    }
  }

  public enum Target: Sendable, Hashable {
    case none
    /// A scene by its id, and the view there.
    case scene(String, Arrival)
    /// A note or an address, as written.
    case link(String)
  }

  /// The view at the other end of a hot spot.
  public struct Arrival: Sendable, Hashable {
    public enum Angle: Sendable, Hashable {
      /// As the scene says.
      case own
      /// As before.
      case same
      case degrees(Double)
    }

    public var yaw: Angle
    public var pitch: Angle
    public var fieldOfView: Angle

    public init(yaw: Angle = .own, pitch: Angle = .own, fieldOfView: Angle = .own) {
      (self.yaw, self.pitch, self.fieldOfView) = (yaw, pitch, fieldOfView)
    }

    /// `before` is the view of the panorama that is left, `own` that of the scene.
    public func view(before: View, own: View) -> View {
      func degrees(_ angle: Angle, _ before: Double?, _ own: Double?) -> Double? {
        switch angle {
        case .own: own
        case .same: before
        case .degrees(let degrees): degrees
        }
      }
      return View(
        yawDegrees: degrees(yaw, before.yawDegrees, own.yawDegrees),
        pitchDegrees: degrees(pitch, before.pitchDegrees, own.pitchDegrees),
        fieldOfViewDegrees: degrees(fieldOfView, before.fieldOfViewDegrees, own.fieldOfViewDegrees))
    }
  }

  public init(scenes: [String: Scene]) { self.scenes = scenes }
}

extension Tour {
  /// Pannellum's JSON, as `TourReader` reads it; the viewer begins with the scene `first`. Links are left out.
  public func pannellum(first: String) -> JSONValue {
    let scenes = scenes.sorted { $0.key < $1.key }.map { id, scene in
      JSONMember(
        id,
        .members([
          "title": scene.title.isEmpty ? nil : .string(scene.title),
          "type": "equirectangular",
          "panorama": scene.panorama.map { .string($0) },
          "yaw": scene.view.yawDegrees.map { .fraction($0) },
          "pitch": scene.view.pitchDegrees.map { .fraction($0) },
          "hfov": scene.view.fieldOfViewDegrees.map { .fraction($0) },
          "hotSpots": .array(scene.hotSpots.map(\.pannellum)),
        ]))
    }
    return .members(["default": .members(["firstScene": .string(first)]), "scenes": .object(scenes)])
  }
}

extension Tour.HotSpot {
  fileprivate var pannellum: JSONValue {
    var scene: String?
    if case .scene(let id, _) = target { scene = id }
    return .members([
      "type": scene == nil ? "info" : "scene", "yaw": .fraction(yawDegrees), "pitch": .fraction(pitchDegrees),
      "text": .string(text), "sceneId": scene.map { .string($0) },
    ])
  }
}

extension LookAround {
  /// The view as a hot spot's arrival needs it.
  public var view: Tour.View {
    Tour.View(yawDegrees: yawDegrees, pitchDegrees: pitchDegrees, fieldOfViewDegrees: fieldOfViewDegrees)
  }

  /// Begins as `view` says and, where it says nothing, with the picture's initial view.
  public mutating func begin(_ view: Tour.View) {
    look(
      yaw: view.yawDegrees ?? geometry.initialYawDegrees, pitch: view.pitchDegrees ?? geometry.initialPitchDegrees,
      fieldOfView: view.fieldOfViewDegrees ?? geometry.initialFieldOfViewDegrees)
  }
}
