internal import FileStores
internal import Imaging
internal import TextUI

/// The newest photos over the whole screen, one after the other. It keeps the photo in sight and the next one, however
/// many it has shown. Time comes as actions after pauses, so that no change of the machine's clock matters.
struct WallState: Sendable {
  typealias Commands = [Command<WallEffect, Never, WallAction>]

  /// For each photo.
  let seconds: Int
  /// Leaving the wall quits byteclub, which was started for it.
  let endsApp: Bool
  private(set) var order = WallOrder()
  /// The photo in sight.
  private(set) var viewer: PhotoViewer?
  private(set) var words = WallWords()
  /// The next photo, decoded while this one is in sight.
  private(set) var ahead: WallPhoto?
  /// The photo for which `ahead` was read or is being read.
  private var asked: StorePath?
  /// The photo that the member goes to, and the steps back from the newest one of the trail.
  private var chosen: StorePath?
  private var back = 0
  /// The photo in sight has had its time.
  private var isDue = false
  /// The member wants the next photo as soon as it is read.
  private var isSkipping = false
  /// The photo in sight came as an arrival: another one waits for its time to end.
  private var showsArrival = false
  /// Reading waits for the end of a turn, after failures.
  private var isStuck = false
  private var failures = 0
  private(set) var isPaused = false
  private(set) var motion: WallMotion?
  /// A line over the photo for a moment: the keys, or the reason why a photo is left out.
  private(set) var whisper: (text: String, isFault: Bool)?
  /// The page where phones leave photos.
  private(set) var page: ShownDropPage?
  private(set) var showsPage = false
  /// The page is asked for, and its answer has not come.
  var asksForPage = false

  static let moment = Duration.seconds(6)
  /// After so many failures in a row, the next try waits for its turn.
  private static let mostFailures = 3
  /// Candidates to find a photo that is on this machine.
  private static let mostCandidates = 200

  init(seconds: Int, endsApp: Bool) { (self.seconds, self.endsApp) = (seconds, endsApp) }

  // MARK: What happens

  /// Takes the club's whole list of photos.
  mutating func list(_ photos: [WallOrder.Photo], _ frame: Frame) -> Commands {
    order.list(photos)
    return follow(frame)
  }

  mutating func change(_ changes: [ChangeSet.Change], _ frame: Frame) -> Commands {
    var (present, absent) = ([StorePath: WallOrder.Photo](), Set<StorePath>())
    for change in changes {
      switch change {
      case .present(let entry):
        present[entry.path] = WallOrder.Photo(entry.path, time: entry.modified?.nanoseconds)
        absent.remove(entry.path)
      case .absent(let path):
        present[path] = nil
        absent.insert(path)
      }
    }
    if let ahead, present[ahead.path] != nil { (self.ahead, asked) = (nil, nil) }
    order.change(present: Array(present.values), absent: absent)
    return follow(frame)
  }

  /// After a change of the list. A photo that is gone leaves the wall.
  private mutating func follow(_ frame: Frame) -> Commands {
    if let path = ahead?.path, !order.contains(path) { (ahead, asked) = (nil, nil) }
    if let path = asked, !order.contains(path) { asked = nil }
    if let path = chosen, !order.contains(path) { (chosen, back) = (nil, 0) }
    back = min(back, max(0, order.trail.count - 1))
    guard let path = viewer?.path, !order.contains(path) else { return advance(frame) }
    isDue = true
    if order.photos.isEmpty { (viewer, motion, words) = (nil, nil, WallWords()) }
    return advance(frame)
  }

  /// The store answers again, or does not any more: what is being read is asked for anew.
  mutating func reconnect(_ frame: Frame) -> Commands {
    isStuck = false
    if ahead == nil { asked = nil }
    return advance(frame)
  }

  mutating func take(_ page: ShownDropPage, _ frame: Frame) {
    self.page = page
    showPage(true, frame)
  }

  mutating func showPage(_ isShown: Bool, _ frame: Frame) {
    showsPage = isShown
    resize(frame)
  }

  mutating func resize(_ frame: Frame) {
    let (window, isCoarse) = (window(frame), isCoarse(frame))
    viewer?.resize(to: window, isRescaled: true)
    viewer?.isCoarse = isCoarse
  }

  mutating func update(_ action: WallAction, _ frame: Frame) -> Commands {
    switch action {
    case .input: return []
    case .read(let photo):
      guard order.contains(photo.path) else {
        asked = nil
        return advance(frame)
      }
      (ahead, failures) = (photo, 0)
      return advance(frame)
    case .worded(let path, let words):
      if viewer?.path == path { self.words = words }
      if ahead?.path == path { ahead?.words = words }
      return []
    case .turned:
      (isDue, isStuck, failures) = (true, false, 0)
      return advance(frame)
    case .ticked:
      guard !isPaused, var motion, var viewer else { return [] }
      motion.step(&viewer)
      (self.motion, self.viewer) = (motion, viewer)
      return [Self.awaitTick]
    case .hushed:
      whisper = nil
      return []
    case .failed(.read(let paths, _), let error): return leaveOut(paths, error, frame)
    case .failed: return []
    }
  }

  /// A photo that cannot be read is left out, with its reason, which names it. While the store does not answer, the wall
  /// waits instead.
  private mutating func leaveOut(_ paths: [StorePath], _ error: StoreError, _ frame: Frame) -> Commands {
    guard let path = paths.first, asked == path, ahead == nil, error.kind != .cancelled else { return [] }
    asked = nil
    guard !error.isTemporary || !frame.isAway else {
      isStuck = true
      return rest
    }
    if chosen == path { chosen = nil }
    order.take(path)
    failures += 1
    isStuck = failures >= Self.mostFailures
    let said = error.kind == .notFound ? [] : say(error.message, isFault: true)
    return said + (isStuck ? rest : prepare(frame))
  }

  /// A turn's time before the next try, unless it is running anyway.
  private var rest: Commands { viewer == nil || isDue ? [awaitTurn] : [] }

  // MARK: What is in sight

  /// Shows the next photo if it is ready and its time has come, and has the one behind it read.
  private mutating func advance(_ frame: Frame) -> Commands {
    guard let ahead else { return prepare(frame) }
    let hasItsTurn = !isPaused && (isDue || order.isArrival(ahead.path) && !showsArrival)
    let isWanted = chosen.map { $0 == ahead.path } ?? (viewer == nil || isSkipping || hasItsTurn)
    return isWanted ? show(ahead, frame) : prepare(frame)
  }

  /// Asks for the photo that comes next, unless it is there or on its way.
  private mutating func prepare(_ frame: Frame) -> Commands {
    if chosen == nil, let path = viewer?.path, path == order.next, !order.isArrival(path) {
      guard order.photos.count > 1 else { return [] }
      // A new turn begins behind the photo in sight.
      order.take(path)
    }
    guard let target = chosen ?? order.next, target != asked, !isStuck else { return [] }
    (asked, ahead) = (target, nil)
    var candidates = [target]
    if chosen == nil, frame.isAway {
      // Those that were shown are in the cache, the longest ago first.
      let shown = order.trail.filter { $0 != viewer?.path }
      candidates = order.upcoming(Self.mostCandidates) + shown
    }
    return [.run(.read(candidates, isFine: frame.abilities.graphics.hasPixels), key: "wall.read")]
  }

  private mutating func show(_ photo: WallPhoto, _ frame: Frame) -> Commands {
    showsArrival = order.isArrival(photo.path)
    if chosen == nil {
      order.take(photo.path)
      order.remember(photo.path)
      back = 0
    }
    (chosen, ahead, asked, isDue, isSkipping, words) = (nil, nil, nil, false, false, photo.words)
    var viewer = PhotoViewer(path: photo.path)
    // The lines of a photo in sight are not part of its window.
    self.viewer = viewer
    viewer.take(photo.photo, kind: photo.kind, window: window(frame))
    motion = frame.reducedMotion ? nil : WallMotion(&viewer)
    viewer.isCoarse = isCoarse(frame, viewer)
    self.viewer = viewer
    return timers + prepare(frame)
  }

  private var timers: Commands {
    guard !isPaused else { return [] }
    return [awaitTurn, motion == nil ? .cancel(key: "wall.tick") : Self.awaitTick]
  }

  private var awaitTurn: Commands.Element { .run(.wait(.seconds(seconds), .turned), key: "wall.turn") }
  private static let awaitTick = Commands.Element.run(.wait(WallMotion.tick, .ticked), key: "wall.tick")

  private func isCoarse(_ frame: Frame, _ viewer: PhotoViewer? = nil) -> Bool {
    guard let viewer = viewer ?? self.viewer, motion != nil, !isPaused else { return false }
    return frame.abilities.graphics.hasPixels && (viewer.look != nil || !frame.abilities.graphics.movesParts)
  }

  // MARK: Keys

  /// The keys, in a line that goes away.
  mutating func explain(_ frame: Frame) -> Commands {
    let keys: [(CommandID, String)] = [
      (.wallPause, isPaused ? "goes on" : "pauses"), (.wallNext, "next"), (.wallPrevious, "back"),
      (.wallAsk, "asks for photos"), (.close, "leaves"),
    ]
    return say(keys.map { "\(frame.keys.name(of: $0)) \($1)" }.joined(separator: "  "), isFault: false)
  }

  mutating func say(_ text: String, isFault: Bool) -> Commands {
    whisper = (text, isFault)
    return [.run(.wait(Self.moment, .hushed), key: "wall.hush")]
  }

  mutating func pause(_ frame: Frame) -> Commands {
    isPaused.toggle()
    let isCoarse = isCoarse(frame)
    viewer?.isCoarse = isCoarse
    guard !isPaused else { return [.cancel(key: "wall.turn"), .cancel(key: "wall.tick")] }
    isStuck = false
    return timers + advance(frame)
  }

  /// Forward is the next photo of the trail, and at its end the next photo of the turn.
  mutating func step(isBack: Bool, _ frame: Frame) -> Commands {
    let trail = order.trail
    if isBack {
      guard back + 1 < trail.count else { return say("This is the first photo that was shown.", isFault: false) }
      back += 1
    } else if back > 0 {
      back -= 1
    } else {
      (chosen, isSkipping, isStuck) = (nil, order.photos.count > 1, false)
      return advance(frame)
    }
    chosen = trail[trail.count - 1 - back]
    isStuck = false
    return advance(frame)
  }
}
