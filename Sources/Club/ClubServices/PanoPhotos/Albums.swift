public import FileStores

/// A folder below the photos folder that has photos, at any depth.
public struct Album: Sendable, Hashable {
  /// Below the photos folder, without a slash at its end. Two that differ in case or Unicode form are two albums.
  public let path: [UInt8]
  /// Of its photos, with those of the albums in it.
  public fileprivate(set) var count = 0
  /// The date of its newest photo; nil if no photo has one.
  public fileprivate(set) var newest: Timestamp?
  /// The path of its newest photo, else of its first one, below the photos folder.
  public fileprivate(set) var cover: [UInt8]

  public var name: ArraySlice<UInt8> { path[((path.lastIndex(of: slash) ?? -1) + 1)...] }

  /// nil for one at the top.
  public var parent: [UInt8]? { path.lastIndex(of: slash).map { Array(path[..<$0]) } }
}

/// An album with the albums and photos directly in it.
public struct Albums: Sendable, Hashable {
  /// An album this far down shows all that is below it as its own photos, by their paths.
  public static let mostDepth = 64

  /// The album; empty for the photos folder itself.
  public let folder: [UInt8]
  /// In the order of their first photos.
  public private(set) var albums: [Album] = []
  /// The numbers of the photos directly in it, in their order.
  public private(set) var photos: [Int32] = []
  /// By the album's name.
  private var numbers: [[UInt8]: Int] = [:]

  /// True if no album is shown in it, whatever is there.
  public var isDeepest: Bool { Albums.depth(of: folder) >= Albums.mostDepth }

  /// Nothing is in it.
  public init() { folder = [] }

  /// `name` is the path of a photo below the photos folder, `modified` its date. Photos outside `range` are elsewhere. With
  /// `isGrouped` the photos of each folder follow each other, and few of those in albums are asked for their names. Ends
  /// once `most` albums and photos are there.
  public init(
    in folder: [UInt8] = [], of count: Int, within range: Range<Int>? = nil, isGrouped: Bool = false,
    most: Int = .max, name: (Int) -> ArraySlice<UInt8>, modified: (Int) -> Timestamp? = { _ in nil }
  ) {
    self.folder = folder
    let (isDeepest, range) = (isDeepest, range ?? 0..<count)
    var item = range.lowerBound
    while item < range.upperBound, albums.count + photos.count < most {
      let path = name(item)
      guard let rest = Albums.rest(of: path, in: folder), !isDeepest, let cut = rest.firstIndex(of: slash) else {
        if Albums.rest(of: path, in: folder) != nil { photos.append(Int32(clamping: item)) }
        item += 1
        continue
      }
      let end = isGrouped ? Albums.end(of: path[...cut], item..<range.upperBound, name) : item + 1
      add(item..<end, album: path[..<cut], named: rest[..<cut], name, modified)
      item = end
    }
  }

  /// The end of the photos that are in the first one's folder: steps that double, then halve.
  private static func end(
    of prefix: ArraySlice<UInt8>, _ items: Range<Int>, _ name: (Int) -> ArraySlice<UInt8>
  ) -> Int {
    var (inside, step) = (items.lowerBound, 1)
    while inside + step < items.upperBound, name(inside + step).starts(with: prefix) {
      inside += step
      step *= 2
    }
    var outside = min(items.upperBound, inside + step)
    while inside + 1 < outside {
      let middle = (inside + outside) / 2
      if name(middle).starts(with: prefix) { inside = middle } else { outside = middle }
    }
    return outside
  }

  private mutating func add(
    _ items: Range<Int>, album: ArraySlice<UInt8>, named: ArraySlice<UInt8>, _ name: (Int) -> ArraySlice<UInt8>,
    _ modified: (Int) -> Timestamp?
  ) {
    var newest: (item: Int, date: Timestamp)?
    for item in items {
      if let date = modified(item), newest.map({ date > $0.date }) ?? true { newest = (item, date) }
    }
    // Photos of one album follow each other in a sorted list.
    guard let number = albums.last?.path.elementsEqual(album) == true ? albums.count - 1 : numbers[Array(named)] else {
      numbers[Array(named)] = albums.count
      let cover = Array(name(newest?.item ?? items.lowerBound))
      albums.append(Album(path: Array(album), count: items.count, newest: newest?.date, cover: cover))
      return
    }
    albums[number].count += items.count
    guard let newest, albums[number].newest.map({ newest.date > $0 }) ?? true else { return }
    (albums[number].newest, albums[number].cover) = (newest.date, Array(name(newest.item)))
  }

  /// Adds folders that may have no files, and the folders above them. `sorted` is the order of names.
  public mutating func add(_ folders: some Sequence<[UInt8]>, sorted: ([ArraySlice<UInt8>]) -> [Int32]) {
    guard !isDeepest else { return }
    let known = albums.count
    for path in folders {
      guard let rest = Albums.rest(of: path[...], in: folder), !rest.isEmpty else { continue }
      let name = rest.prefix { $0 != slash }
      guard albums.last?.name.elementsEqual(name) != true, numbers[Array(name)] == nil else { continue }
      numbers[Array(name)] = albums.count
      albums.append(Album(path: Array(path[..<name.endIndex]), newest: nil, cover: []))
    }
    guard albums.count > known else { return }
    let all = albums
    albums = sorted(all.map(\.name)).map { all[Int($0)] }
    for (number, album) in albums.enumerated() { numbers[Array(album.name)] = number }
  }

  /// The newest first, or in the order that they have; albums without a date are the oldest.
  public func sorted(byDate: Bool, isReversed: Bool) -> Albums {
    var sorted = self
    if byDate {
      sorted.albums = albums.enumerated().sorted { left, right in
        let (first, second) = (left.element.newest, right.element.newest)
        guard first != second else { return left.offset < right.offset }
        guard let first, let second else { return first != nil }
        return first > second
      }.map(\.element)
    }
    if isReversed { sorted.albums.reverse() }
    for (number, album) in sorted.albums.enumerated() { sorted.numbers[Array(album.name)] = number }
    return sorted
  }

  /// The number of these photos in each album, such as the new ones; `names` are their paths below the photos folder.
  public func counts(of names: some Sequence<ArraySlice<UInt8>>) -> [Int] {
    var counts = [Int](repeating: 0, count: albums.count)
    guard !albums.isEmpty else { return counts }
    for name in names {
      guard let rest = Albums.rest(of: name, in: folder), let cut = rest.firstIndex(of: slash),
        let number = numbers[Array(rest[..<cut])]
      else { continue }
      counts[number] += 1
    }
    return counts
  }

  /// The album that shows a photo; empty for the photos folder itself.
  public static func album(of photo: ArraySlice<UInt8>) -> [UInt8] {
    let folders = photo.split(separator: slash).dropLast().prefix(mostDepth)
    return Array(folders.joined(separator: [slash]))
  }

  /// All albums of these photos, parents included, in the order of their bytes.
  public static func all(of count: Int, name: (Int) -> ArraySlice<UInt8>) -> [[UInt8]] {
    var all: Set<[UInt8]> = []
    var before: ArraySlice<UInt8>?
    for item in 0..<count {
      let path = name(item)
      // Files of one folder follow each other in a sorted list.
      guard let end = path.lastIndex(of: slash), before?.elementsEqual(path[..<end]) != true else { continue }
      before = path[..<end]
      var album = album(of: path)
      while !album.isEmpty, all.insert(album).inserted {
        album = album.lastIndex(of: slash).map { Array(album[..<$0]) } ?? []
      }
    }
    return all.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The path of a typed album, part by part: a part is the album of that name, else the only one that differs from it in
  /// letter case or Unicode form alone, else a new one.
  public static func meant(by typed: [UInt8], among albums: [[UInt8]]) -> [UInt8] {
    var path: [UInt8] = []
    for part in typed.split(separator: slash) {
      let next = path.isEmpty ? Array(part) : path + [slash] + part
      path = next
      guard !albums.contains(next), let text = String(validating: next, as: UTF8.self)?.lowercased() else { continue }
      let alike = albums.filter { String(validating: $0, as: UTF8.self)?.lowercased() == text }
      if alike.count == 1 { path = alike[0] }
    }
    return path
  }

  private static func depth(of folder: [UInt8]) -> Int {
    folder.isEmpty ? 0 : folder.reduce(1) { $0 + ($1 == slash ? 1 : 0) }
  }

  /// Below the folder; nil for a photo elsewhere.
  private static func rest(of name: ArraySlice<UInt8>, in folder: [UInt8]) -> ArraySlice<UInt8>? {
    if folder.isEmpty { return name }
    guard name.count > folder.count + 1, name[name.startIndex + folder.count] == slash, name.starts(with: folder)
    else { return nil }
    return name.dropFirst(folder.count + 1)
  }
}

private let slash = UInt8(ascii: "/")
