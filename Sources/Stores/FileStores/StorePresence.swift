/// Tells members where others are in the club at this moment. Nothing of it is kept.
public protocol StorePresence: Sendable {
  /// Shows the others where this member is, in place of the sight before; nil for nowhere. The others see it while this
  /// member watches and for some seconds longer. The store adds the member's name.
  func show(_ sight: Sight?) async throws(StoreError)

  /// Hands out the other members who are there, by name, now and after each change, until the task is cancelled. A receiver
  /// that is slow gets the newest only. While a line is broken, and until it is mended, nobody is there.
  /// - Throws: `unsupported` if the store turns out not to have this, or if nothing comes through to here.
  func watch(_ receive: ([PresentMember]) async -> Void) async throws(StoreError)
}

public struct PresentMember: Sendable, Hashable {
  /// Foreign text.
  public let name: String
  public var sight: Sight

  public init(_ name: String, _ sight: Sight) { (self.name, self.sight) = (name, sight) }
}

/// The thing before a member's eyes.
public struct Sight: Sendable, Hashable {
  /// The longest path and the longest revision that are shown.
  package static let mostBytes = (path: 1024, revision: 64)

  /// nil for the lists.
  public var path: StorePath?
  /// Of a panorama that is looked around in.
  public var gaze: Gaze?
  /// Changes each time that the member points at the middle of the gaze.
  public var points: UInt8
  /// True while the member edits the note.
  public var edits: Bool
  /// The first line in view or the line that is edited, counted from 1, and the revision that it counts in.
  public var line: Line?
  /// True while the member's view goes where another member looks. It then has no gaze, so that nobody follows it: two
  /// views that followed each other would swing.
  public var follows: Bool

  public struct Line: Sendable, Hashable {
    public let number: Int
    public let revision: Revision

    public init(_ number: Int, of revision: Revision) { (self.number, self.revision) = (number, revision) }
  }

  public init(
    _ path: StorePath? = nil, gaze: Gaze? = nil, points: UInt8 = 0, edits: Bool = false, line: Line? = nil,
    follows: Bool = false
  ) {
    (self.path, self.gaze, self.points, self.edits, self.line) = (path, gaze, points, edits, line)
    self.follows = follows
  }
}

/// A view into a panorama, in hundredths of a degree, so that the smallest movements send nothing.
public struct Gaze: Sendable, Hashable {
  /// From -18000 to below 18000; right is positive.
  public let yaw: Int
  /// From -9000 to 9000; up is positive.
  public let pitch: Int
  /// The horizontal field of view, from 1 to 18000.
  public let width: Int

  /// The nearest view: yaw goes round, the others end at their limits. Nil for numbers that are not finite.
  public init?(yaw: Double, pitch: Double, width: Double) {
    guard yaw.isFinite, pitch.isFinite, width.isFinite else { return nil }
    let turned = Int(yaw.remainder(dividingBy: 36_000).rounded())
    self.yaw = turned >= 18_000 ? turned - 36_000 : turned
    self.pitch = Int(max(-9_000, min(9_000, pitch)).rounded())
    self.width = Int(max(1, min(18_000, width)).rounded())
  }

  public init?(yawDegrees: Double, pitchDegrees: Double, widthDegrees: Double) {
    self.init(yaw: yawDegrees * 100, pitch: pitchDegrees * 100, width: widthDegrees * 100)
  }

  public var yawDegrees: Double { Double(yaw) / 100 }
  public var pitchDegrees: Double { Double(pitch) / 100 }
}
