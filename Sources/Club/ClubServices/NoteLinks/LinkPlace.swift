public import FileStores

/// A path, or the end of one, that a link looks for among the paths of a club.
///
/// A whole path comes first, then files in or below the note's folder, then others, each the one in the fewest folders.
/// A name in another letter case or Unicode form counts if no other file is as near under it.
public struct LinkPlace: Sendable, Hashable {
  /// The folders before the name, from the outermost.
  let folders: [String]
  /// The name, then the name with `.md`.
  let names: [String]
  /// True for a path from the top; false for the end of one.
  let isWhole: Bool

  /// Nil for a path that leaves the club or has no name.
  init?(_ parts: [String], isWhole: Bool) {
    var folders: [String] = []
    for part in parts {
      switch part {
      case ".", "": break
      case ".." where folders.isEmpty: return nil
      case "..": folders.removeLast()
      default: folders.append(part)
      }
    }
    guard let name = folders.popLast() else { return nil }
    (self.folders, names, self.isWhole) = (folders, [name, name + ".md"], isWhole)
  }

  /// The path as it is written, and with `.md`.
  public var paths: [[UInt8]] { names.map { name in Array((folders + [name]).joined(separator: "/").utf8) } }

  /// The index of the file that is meant; nil if none is, or several are alike. Without a note, the one that every note
  /// means: nil if several have the end of a path, wherever they are.
  public func best(
    of count: Int, from note: StorePath?, path: (Int) -> ArraySlice<UInt8>
  ) -> Int? { best(of: 0..<count, from: note, path: path) }

  func best(of items: some Sequence<Int>, from note: StorePath?, path: (Int) -> ArraySlice<UInt8>) -> Int? {
    let folder = note?.parent.bytes ?? []
    let ends = Set(names.compactMap { $0.utf8.last.map { $0 | 0x20 } })
    let isPlain = ends.allSatisfy { $0 < 0x80 }
    var best: (item: Int, rank: Rank)?
    var hasTwin = false
    var count = 0
    for item in items {
      let bytes = path(item)
      // Most names differ in their last letter.
      if isPlain, let last = bytes.last, last < 0x80, !ends.contains(last | 0x20) { continue }
      guard let rank = rank(of: bytes, from: folder) else { continue }
      count += 1
      guard let known = best else {
        best = (item, rank)
        continue
      }
      let isTwin = rank.isTwin(of: known.rank) && LinkPlace.isAlike(bytes, path(known.item))
      if rank < known.rank {
        (best, hasTwin) = ((item, rank), isTwin)
      } else if isTwin {
        hasTwin = true
      }
    }
    if note == nil, count > 1, best?.rank.place != 0 { return nil }
    return hasTwin ? nil : best?.item
  }

  private static func isAlike(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Bool {
    String(decoding: left, as: UTF8.self).lowercased() == String(decoding: right, as: UTF8.self).lowercased()
  }

  private func rank(of path: ArraySlice<UInt8>, from folder: [UInt8]) -> Rank? {
    // The name alone rules out most files.
    let last = path[(path.lastIndex(of: UInt8(ascii: "/")).map { $0 + 1 } ?? path.startIndex)...]
    var form: (likeness: Int, spelling: Int)?
    for (spelling, name) in names.enumerated() {
      guard let likeness = LinkPlace.likeness(last, name), likeness < form?.likeness ?? .max else { continue }
      form = (likeness, spelling)
    }
    guard var form else { return nil }
    let parts = path.split(separator: UInt8(ascii: "/"))
    guard parts.count > folders.count, !isWhole || parts.count == folders.count + 1 else { return nil }
    for (part, name) in zip(parts.dropLast().suffix(folders.count), folders) {
      guard let likeness = LinkPlace.likeness(part, name) else { return nil }
      form.likeness = max(form.likeness, likeness)
    }
    let isNear =
      folder.isEmpty
      || path.count > folder.count && path.starts(with: folder)
        && path[path.startIndex + folder.count] == UInt8(ascii: "/")
    return Rank(
      likeness: form.likeness, place: parts.count == folders.count + 1 ? 0 : isNear ? 1 : 2, depth: parts.count,
      spelling: form.spelling, path: path)
  }

  /// 0 for the same bytes, 1 for another Unicode form (macOS writes "é" as two characters), 2 for another letter case.
  private static func likeness(_ bytes: ArraySlice<UInt8>, _ name: String) -> Int? {
    if bytes.elementsEqual(name.utf8) { return 0 }
    // Forms and cases of one name that begin with ASCII begin with the same letter.
    if let first = bytes.first, let other = name.utf8.first, first < 0x80, other < 0x80, first | 0x20 != other | 0x20 {
      return nil
    }
    // The lengths of two forms are of the same order.
    guard bytes.count <= 4 * name.utf8.count, let text = String(validating: bytes, as: UTF8.self) else { return nil }
    if text == name { return 1 }
    return text.lowercased() == name.lowercased() ? 2 : nil
  }

  private struct Rank: Comparable {
    let likeness, place, depth, spelling: Int
    let path: ArraySlice<UInt8>

    private var order: (Int, Int, Int, Int, Int) { (likeness, place, depth, spelling, path.count) }

    static func == (left: Rank, right: Rank) -> Bool { left.order == right.order && left.path == right.path }

    static func < (left: Rank, right: Rank) -> Bool {
      left.order != right.order ? left.order < right.order : left.path.lexicographicallyPrecedes(right.path)
    }

    /// True if nothing but letters tells the two apart.
    func isTwin(of other: Rank) -> Bool {
      likeness > 0 && likeness == other.likeness && place == other.place && depth == other.depth
        && spelling == other.spelling
    }
  }
}
