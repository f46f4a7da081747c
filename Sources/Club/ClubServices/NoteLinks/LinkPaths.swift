public import FileStores
internal import Imaging
public import Markdown

/// The paths of a club's files, to find the one that a link leads to.
public struct LinkPaths: Sendable {
  public let paths: [StorePath]
  /// The indices of the files of each name, in small letters and without `.md`.
  private let byName: [String: [Int]]

  public init(_ paths: some Sequence<StorePath>) {
    let paths = paths.sorted()
    self.paths = paths
    var byName: [String: [Int]] = [:]
    for (index, path) in paths.enumerated() {
      byName[LinkPaths.key(String(decoding: path.name, as: UTF8.self)), default: []].append(index)
    }
    self.byName = byName
  }

  /// The file that a link of a note leads to. Without a note, the link counts as one of a note at the top.
  public func file(_ words: LinkWords, from note: StorePath?) -> StorePath? { found(words, from: note)?.file }

  /// The same, and the place that it has.
  func found(_ words: LinkWords, from note: StorePath?) -> (file: StorePath, place: LinkPlace)? {
    for place in words.places(from: note ?? .root) {
      // Nothing is nearer than the path itself, and thousands of files may have its name.
      if place.isWhole, let whole = place.paths.first, let item = index(of: StorePath.root.descending(whole[...])) {
        return (paths[item], place)
      }
      // "a.md" may also be "a.md.md".
      let keys = Set(place.names.map { LinkPaths.key($0) })
      let items = keys.flatMap { byName[$0] ?? [] }.sorted()
      if let item = place.best(of: items, from: note, path: { paths[$0].bytes[...] }) {
        return (paths[item], place)
      }
    }
    return nil
  }

  func contains(_ path: StorePath) -> Bool { index(of: path) != nil }

  /// True for a file, and for a folder of files.
  func holds(_ path: StorePath) -> Bool { contains(path) || paths.contains { $0.relative(to: path) != nil } }

  private func index(of path: StorePath) -> Int? {
    var (low, high) = (0, paths.count)
    while low < high {
      let middle = (low + high) / 2
      if paths[middle] < path { low = middle + 1 } else { high = middle }
    }
    return low < paths.count && paths[low] == path ? low : nil
  }

  /// True if another file has this name, so far as a link without folders tells.
  func hasTwin(of path: StorePath) -> Bool {
    byName[LinkPaths.key(String(decoding: path.name, as: UTF8.self))]?.count ?? 0 > 1
  }

  private static func key(_ name: String) -> String {
    let name = name.lowercased()
    return name.hasSuffix(".md") && name.count > 3 ? String(name.dropLast(3)) : name
  }
}

/// The links of notes to files of their club.
public enum NoteLinks {
  static func isPicture(_ name: String) -> Bool { PictureFormat.named(name) != nil }

  public typealias Link = (target: WrittenTarget, words: LinkWords)

  /// The targets of a note that may lead to files of the club, in their order.
  public static func all(in bytes: [UInt8]) -> [Link] {
    WrittenTarget.all(in: bytes).compactMap { target in LinkWords(target).map { (target, $0) } }
  }
}

/// A file or folder that was renamed or moved.
public struct PathMove: Sendable, Hashable {
  public let from: StorePath
  public let to: StorePath

  public init(_ from: StorePath, to: StorePath) { (self.from, self.to) = (from, to) }
}

/// The new paths of files after moves, and the old ones.
struct PathMoves: Sendable {
  private let to: [StorePath: StorePath]
  private let from: [StorePath: StorePath]

  init(_ moves: [PathMove]) {
    to = Dictionary(moves.map { ($0.from, $0.to) }) { first, _ in first }
    from = Dictionary(moves.map { ($0.to, $0.from) }) { first, _ in first }
  }

  func now(_ path: StorePath) -> StorePath { PathMoves.moved(path, to) }
  func before(_ path: StorePath) -> StorePath { PathMoves.moved(path, from) }

  /// A file goes with its folder.
  private static func moved(_ path: StorePath, _ moves: [StorePath: StorePath]) -> StorePath {
    var folder = path
    while !folder.isRoot {
      if let new = moves[folder] {
        return path.relative(to: folder).map { new.descending($0) } ?? new
      }
      folder = folder.parent
    }
    return path
  }
}
