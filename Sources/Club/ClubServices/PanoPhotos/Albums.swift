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
  public private(set) var photos: [Int] = []
  /// By the album's name.
  private var numbers: [[UInt8]: Int] = [:]

  /// True if no album is shown in it, whatever is there.
  public var isDeepest: Bool { Albums.depth(of: folder) >= Albums.mostDepth }

  /// Nothing is in it.
  public init() { folder = [] }

  /// `name` is the path of a photo below the photos folder, `modified` its date.
  public init(
    in folder: [UInt8] = [], of count: Int, name: (Int) -> ArraySlice<UInt8>,
    modified: (Int) -> Timestamp? = { _ in nil }
  ) {
    self.folder = folder
    let isDeepest = isDeepest
    for item in 0..<count {
      let name = name(item)
      guard let rest = Albums.rest(of: name, in: folder) else { continue }
      guard !isDeepest, let cut = rest.firstIndex(of: slash) else {
        photos.append(item)
        continue
      }
      add(name, album: name[..<cut], named: rest[..<cut], modified(item))
    }
  }

  private mutating func add(
    _ photo: ArraySlice<UInt8>, album: ArraySlice<UInt8>, named name: ArraySlice<UInt8>, _ date: Timestamp?
  ) {
    // Photos of one album follow each other in a sorted list.
    guard let number = albums.last?.path.elementsEqual(album) == true ? albums.count - 1 : numbers[Array(name)] else {
      numbers[Array(name)] = albums.count
      albums.append(Album(path: Array(album), count: 1, newest: date, cover: Array(photo)))
      return
    }
    albums[number].count += 1
    guard let date, albums[number].newest.map({ date > $0 }) ?? true else { return }
    (albums[number].newest, albums[number].cover) = (date, Array(photo))
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
    for item in 0..<count {
      var album = album(of: name(item))
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
