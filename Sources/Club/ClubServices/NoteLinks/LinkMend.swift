internal import Basics
public import FileStores
internal import Markdown

/// A change of some bytes of a text.
public struct LinkEdit: Sendable, Hashable {
  public let range: Range<Int>
  public let bytes: [UInt8]

  /// A text with edits, which are in their order and do not overlap.
  static func apply(_ edits: [LinkEdit], to text: [UInt8]) -> [UInt8] {
    var new: [UInt8] = []
    var end = 0
    for edit in edits {
      new += text[end..<edit.range.lowerBound]
      new += edit.bytes
      end = edit.range.upperBound
    }
    return new + text[end...]
  }

  /// The edits that bring the first text back.
  static func inverse(of edits: [LinkEdit], in text: [UInt8]) -> [LinkEdit] {
    var growth = 0
    return edits.map { edit in
      let start = edit.range.lowerBound + growth
      growth += edit.bytes.count - edit.range.count
      return LinkEdit(range: start..<(start + edit.bytes.count), bytes: Array(text[edit.range]))
    }
  }

  /// True if the edits fit a text.
  static func fit(_ edits: [LinkEdit], _ text: [UInt8]) -> Bool {
    edits.last.map { $0.range.upperBound <= text.count } ?? true
  }
}

/// Links after files were renamed or moved: each leads to the same file as before. Each keeps its style: with folders or
/// without, from the note's folder or from the top, with or without `.md`, encoded or in angles; heading and words stay.
public struct LinkMend: Sendable {
  private let before: LinkPaths
  private let after: LinkPaths
  private let moves: PathMoves

  /// `paths` are those of now.
  public init(_ moves: [PathMove], among paths: LinkPaths) {
    let moves = PathMoves(moves)
    (self.moves, after) = (moves, paths)
    before = LinkPaths(paths.paths.map(moves.before))
  }

  /// The changes of a note's text, by its path of now. Links without another way to write them stay.
  public func edits(in text: [UInt8], of note: StorePath) -> [LinkEdit] {
    let old = moves.before(note)
    return NoteLinks.all(in: text).compactMap { target, words in
      guard let found = before.found(words, from: old) else { return nil }
      let wanted = moves.now(found.file)
      guard after.file(words, from: note) != wanted else { return nil }
      let range = LinkMend.pathRange(of: target, words, in: text)
      let isRaw = text[range].contains { $0 >= 0x80 } || !text[range].contains(UInt8(ascii: "%"))
      for path in spellings(of: wanted, words, isByFolder: found.place.isWhole, from: note) {
        let new = LinkMend.written(path, target.form, isRaw: isRaw)
        guard let read = LinkMend.read(new, target.form), read.path == path, after.file(read, from: note) == wanted,
          read.isFromFolder || found.place.isWhole && !words.isWiki || after.file(read, from: nil) == wanted
        else { continue }
        return LinkEdit(range: range, bytes: new)
      }
      return nil
    }
  }

  /// The words for a file, those nearest to the old ones first.
  private func spellings(
    of file: StorePath, _ words: LinkWords, isByFolder: Bool, from note: StorePath
  ) -> [String] {
    let whole = String(decoding: file.bytes, as: UTF8.self)
    let parts = whole.split(separator: "/").map(String.init)
    let count = words.path.split(separator: "/").count
    let relative = LinkMend.relative(parts, from: note)
    var all: [String]
    if words.isRooted {
      all = ["/" + whole]
    } else if words.isFromFolder {
      let hasDot = !relative.hasPrefix("../") && (words.isWiki || words.path.hasPrefix("./"))
      all = [hasDot ? "./" + relative : relative, "/" + whole]
    } else if isByFolder, !words.isWiki {
      all = [relative, "/" + whole]
    } else {
      let least = words.isWiki ? 1 : min(count, parts.count)
      all = (least...parts.count).map { parts.suffix($0).joined(separator: "/") } + ["/" + whole]
    }
    guard !words.path.lowercased().hasSuffix(".md"), whole.lowercased().hasSuffix(".md") else { return all }
    return all.map { String($0.dropLast(3)) } + all
  }

  /// The target of a new link of a note to a file: the shortest `[[name]]` that leads there from this note and from one at
  /// the top, or the path from the note's folder as an address. `found` returns the file that words lead to from a note;
  /// nil is one at the top.
  public static func link(
    to file: StorePath, isAddress: Bool, isPicture: Bool, from note: StorePath,
    _ found: (LinkWords, StorePath?) -> StorePath?
  ) -> String {
    let whole = String(decoding: file.bytes, as: UTF8.self)
    let parts = whole.split(separator: "/").map(String.init)
    guard !isAddress else {
      return String(decoding: written(relative(parts, from: note), .address, isRaw: true), as: UTF8.self)
    }
    let ends = (1...max(1, parts.count)).map { parts.suffix($0).joined(separator: "/") } + ["/" + whole]
    let all = ends.map { $0.lowercased().hasSuffix(".md") ? String($0.dropLast(3)) : $0 } + ends
    return all.first { name in
      guard let words = read(Array(name.utf8), isPicture ? .wikiPicture : .wiki) else { return false }
      return found(words, nil) == file && found(words, note) == file
    } ?? "/" + whole
  }

  private static func relative(_ parts: [String], from note: StorePath) -> String {
    let folder = note.parent.components.map { String(decoding: $0, as: UTF8.self) }
    var common = 0
    while common < folder.count, common < parts.count - 1, folder[common] == parts[common] { common += 1 }
    return (folder[common...].map { _ in ".." } + parts[common...]).joined(separator: "/")
  }

  // MARK: - Bytes

  /// The bytes of the path, without heading and the blanks before it.
  private static func pathRange(of target: WrittenTarget, _ words: LinkWords, in text: [UInt8]) -> Range<Int> {
    guard words.heading != nil else { return target.range }
    var end = target.range.lowerBound
    for index in target.range where "#\\&".utf8.contains(text[index]) {
      end = index
      // "&#35;" and "\#" are number signs, too.
      let isPlain = target.form == .wiki || target.form == .wikiPicture
      let rest = text[index..<target.range.upperBound]
      if isPlain ? text[index] == UInt8(ascii: "#") : MarkdownText.decoded(rest).hasPrefix("#") { break }
    }
    while end > target.range.lowerBound, text[end - 1] == 0x20 || text[end - 1] == 0x09 { end -= 1 }
    return target.range.lowerBound..<end
  }

  /// A path as a link of this form writes it. `isRaw` keeps letters beyond ASCII as they are.
  private static func written(_ path: String, _ form: WrittenTarget.Form, isRaw: Bool) -> [UInt8] {
    guard form == .address || form == .angled else { return Array(path.utf8) }
    let marks = form == .angled ? "%#:\\&<>|[]`" : "%#:\\&<>|[]`()\"' "
    return path.utf8.flatMap { byte -> [UInt8] in
      let isPlain = byte >= 0x80 ? isRaw : byte > 0x1F && byte != 0x7F && !marks.utf8.contains(byte)
      return isPlain ? [byte] : Array(PercentEncoding.escape(byte).utf8)
    }
  }

  /// The words of written bytes; nil where they would not be a link.
  private static func read(_ bytes: [UInt8], _ form: WrittenTarget.Form) -> LinkWords? {
    let text = String(decoding: bytes, as: UTF8.self)
    switch form {
    case .address, .angled: return LinkWords(address: text)
    case .wiki, .wikiPicture:
      guard !bytes.contains(where: { "[]|".utf8.contains($0) || $0 < 0x20 }) else { return nil }
      return LinkWords(wiki: text, isPicture: form == .wikiPicture)
    }
  }
}
