internal import FileStores

/// The order in which the wall shows photos: arrivals first, the newest of them before the others, then the turn through
/// all photos from the newest to the oldest. An arrival does not move the turn. Each photo is shown once before any is
/// shown again.
struct WallOrder: Sendable {
  struct Photo: Hashable, Comparable, Sendable {
    let path: StorePath
    /// In nanoseconds since 1970; `.min` if unknown.
    let time: Int64

    init(_ path: StorePath, time: Int64?) { (self.path, self.time) = (path, time ?? .min) }

    /// The newest comes first.
    static func < (left: Photo, right: Photo) -> Bool {
      left.time == right.time ? left.path < right.path : left.time > right.time
    }
  }

  /// Steps back that are remembered.
  static let longestTrail = 100

  /// The newest first.
  private(set) var photos: [Photo] = []
  /// Photos that have come since the first listing and were not shown; the last one is next.
  private(set) var arrivals: [StorePath] = []
  /// The place that the turn has reached; nil at its beginning. It stays right when photos come and go.
  private var reached: Photo?
  /// Photos of this turn that were shown before the turn reached them.
  private(set) var early: Set<StorePath> = []
  /// The shown photos, the last one last.
  private(set) var trail: [StorePath] = []
  private(set) var isListed = false

  func contains(_ path: StorePath) -> Bool { photos.contains { $0.path == path } }

  func isArrival(_ path: StorePath) -> Bool { arrivals.contains(path) }

  /// nil without photos.
  var next: StorePath? { upcoming(1).first }

  /// The photos that are shown next, at most those that are left of the turn. At its end, those of the next turn.
  func upcoming(_ most: Int) -> [StorePath] {
    let found = Array(arrivals.suffix(most).reversed())
    let all = found + ofTurn(from: place, most - found.count)
    return all.isEmpty ? photos.prefix(most).map(\.path) : all
  }

  /// The first photo behind the place that the turn has reached.
  private var place: Int { reached.map { firstPlace(notBefore: $0, orAt: false) } ?? 0 }

  private func ofTurn(from place: Int, _ most: Int) -> [StorePath] {
    guard most > 0 else { return [] }
    let waiting = Set(arrivals)
    return photos[place...].lazy.map(\.path).filter { !early.contains($0) && !waiting.contains($0) }.prefix(most)
      .map { $0 }
  }

  /// `orAt` includes an equal photo.
  private func firstPlace(notBefore photo: Photo, orAt: Bool) -> Int {
    var (low, high) = (0, photos.count)
    while low < high {
      let middle = (low + high) / 2
      if photos[middle] < photo || !orAt && photos[middle] == photo { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: Showing

  /// The photo was shown by its turn, or cannot be shown.
  mutating func take(_ path: StorePath) {
    if let arrival = arrivals.lastIndex(of: path) {
      arrivals.remove(at: arrival)
      early.insert(path)
      return
    }
    if ofTurn(from: place, 1).isEmpty { (reached, early) = (nil, []) }
    if ofTurn(from: place, 1).first == path {
      reached = photos[place...].first { $0.path == path }
    } else if contains(path) {
      early.insert(path)
    }
  }

  mutating func remember(_ path: StorePath) {
    trail.removeAll { $0 == path }
    trail.append(path)
    if trail.count > Self.longestTrail { trail.removeFirst() }
  }

  // MARK: The club's photos

  /// Takes a whole list. Unknown photos of any list but the first are arrivals.
  mutating func list(_ all: [Photo]) {
    let known = Set(photos.map(\.path))
    photos = all.sorted()
    if isListed {
      let now = Set(photos.map(\.path))
      forget { !now.contains($0) }
      arrivals += photos.reversed().map(\.path).filter { !known.contains($0) }
    }
    isListed = true
  }

  /// Takes changes. A known photo with another time was replaced, and arrives anew.
  mutating func change(present: [Photo], absent: Set<StorePath>) {
    guard isListed else { return }
    let changed = Set(present.map(\.path))
    let known = Set(photos.lazy.filter { changed.contains($0.path) })
    let gone = photos.filter { absent.contains($0.path) }
    photos.removeAll { absent.contains($0.path) || changed.contains($0.path) }
    forget { absent.contains($0) }
    for photo in present.sorted(by: >) where !absent.contains(photo.path) {
      photos.insert(photo, at: firstPlace(notBefore: photo, orAt: true))
      // A photo that only moved is no arrival.
      let hasMoved = gone.contains { $0.time == photo.time && $0.path.name.elementsEqual(photo.path.name) }
      guard !known.contains(photo), !hasMoved else { continue }
      arrivals.removeAll { $0 == photo.path }
      arrivals.append(photo.path)
    }
  }

  private mutating func forget(_ isGone: (StorePath) -> Bool) {
    arrivals.removeAll(where: isGone)
    trail.removeAll(where: isGone)
    early = early.filter { !isGone($0) }
  }
}
