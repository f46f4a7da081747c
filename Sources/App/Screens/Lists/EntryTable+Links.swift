internal import Basics
internal import ClubServices
internal import FileStores
internal import TextUI

/// The files that links of notes lead to, and those that fit a link while it is typed.
extension EntryTable {
  /// The file, visible or not, that a link of a note leads to; a link is looked for once. Without a note, the link
  /// counts as one of a note at the top.
  func path(of words: LinkWords, from note: StorePath?) -> StorePath? {
    let form = words.isPicture ? "picture" : words.isWiki ? "wiki" : ""
    let place = "\(note.map { "\($0.parent)" } ?? "\n")\n\(form)\n\(words.path)"
    return alike.item(of: place) { item(of: words, from: note) }.map { folder.descending(names[$0]) }
  }

  private func item(of words: LinkWords, from note: StorePath?) -> Int? {
    for place in words.places(from: note ?? .root) {
      for path in place.paths {
        if let item = item(of: StorePath.root.descending(path[...])) { return item }
      }
      let item = place.best(of: names.count, from: note) { item in
        folder.isRoot ? names[item] : folder.descending(names[item]).bytes[...]
      }
      if let item { return item }
    }
    return nil
  }

  /// The picture beside the listed files that a link of a note leads to.
  func picture(of words: LinkWords, from note: StorePath?) -> StorePath? {
    for place in words.places(from: note ?? .root) {
      let item = place.best(of: pictures.count, from: note) { folder.descending(pictures[$0]).bytes[...] }
      if let item { return folder.descending(pictures[item]) }
    }
    return nil
  }

  /// The pictures beside the listed files that fit some words best.
  func pictures(for words: String, most: Int) -> [StorePath] {
    var finder = NameFinder()
    finder.change(to: SearchFold.folded(words), in: pictures, spellings: EntryTable.folded(pictures))
    return (finder.best ?? Array(0..<Int32(pictures.count))).prefix(most).map { folder.descending(pictures[Int($0)]) }
  }

  /// The files that fit some words best, all in their order without words.
  mutating func best(for words: String, most: Int) -> [StorePath] {
    rows(for: words).prefix(most).map { folder.descending(names[Int($0)]) }
  }

  /// All items that match words, the best first, whatever is shown.
  private mutating func rows(for words: String) -> [Int32] {
    guard !words.isEmpty else { return Array(0..<Int32(names.count)) }
    let folded = self.folded ?? foldedNames()
    self.folded = folded
    var finder = NameFinder()
    finder.change(to: SearchFold.folded(words), in: names, spellings: folded)
    return finder.best ?? Array(0..<Int32(names.count))
  }
}
