internal import Synchronization

/// Characters as readers see them, by Unicode's rules for grapheme clusters. Cursors, deletion and cells all ask here.
public enum Graphemes {
  private static let isWholeInTerminal = Atomic(false)
  /// For tests, which run side by side; nil leaves it to the terminal.
  @TaskLocal public static var assumed: Bool?

  /// True if the terminal draws a cluster as one glyph, and counts its columns as mode 2027 says. Like its locale, a
  /// process has one terminal.
  public static var areWhole: Bool {
    get { assumed ?? isWholeInTerminal.load(ordering: .relaxed) }
    set { isWholeInTerminal.store(newValue, ordering: .relaxed) }
  }

  /// Longer clusters are drawn in parts.
  static let mostScalars = 24
  private static let mostMarks = 12
  /// More would be drawn over the rows above and below.
  private static let mostStacked = 4
  private static let (joiner, emojiStyle, cancelTag): (UInt32, UInt32, UInt32) = (0x200D, 0xFE0F, 0xE007F)

  /// Where clusters begin; an invalid byte is one.
  static func starts(in bytes: [UInt8]) -> [Int] {
    var starts: [Int] = []
    var (run, start) = ("", 0)
    func flush() {
      for character in run {
        starts.append(start)
        start += character.utf8.count
      }
      run = ""
    }
    var parser = Unicode.UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    while true {
      switch parser.parseScalar(from: &rest) {
      case .valid(let encoded): run.unicodeScalars.append(Unicode.UTF8.decode(encoded))
      case .error(let length):
        flush()
        for _ in 0..<length {
          starts.append(start)
          start += 1
        }
      case .emptyInput:
        flush()
        return starts
      }
    }
  }

  /// False for most pairs of scalars, which no cluster joins beyond what a cell holds.
  @inline(__always)
  static func mayJoin(_ base: Unicode.Scalar, _ next: Unicode.Scalar) -> Bool {
    switch next.value {
    case joiner, emojiStyle, 0x1F3FB...0x1F3FF, 0xE0030...cancelTag: true
    case 0x1F1E6...0x1F1FF: base.isRegionalIndicator
    default:
      // Of letters, only the Thai and the Lao AM join the one before.
      base.hasMarksOfItsOwn && next.hasMarksOfItsOwn
        && (next.properties.generalCategory != .otherLetter || next.value & ~0x80 == 0xE33)
    }
  }

  /// Two for emoji, flags and keycaps, else the columns of the parts, at most two: no terminal with mode 2027 takes more.
  /// nil for a cluster that could hide text, that terminals may not join, or that is a base with marks in one cell.
  static func columns(of cluster: [Unicode.Scalar]) -> Int? {
    guard cluster.count > 1, cluster.count <= mostScalars, let base = cluster.first else { return nil }
    if base.isRegionalIndicator { return cluster.count == 2 && cluster[1].isRegionalIndicator ? 2 : nil }
    if base.value < 0x80 {
      return base.properties.isEmoji && cluster.dropFirst().map(\.value) == [emojiStyle, 0x20E3] ? 2 : nil
    }
    if base.isPictograph {
      let parts = cluster.split(omittingEmptySubsequences: false) { $0.value == joiner }
      return parts.allSatisfy(isPart) ? 2 : nil
    }
    return columns(ofMarked: cluster)
  }

  /// A pictograph, in the style of emoji or with a tone of skin or, for the flags of regions, tags.
  private static func isPart(_ part: ArraySlice<Unicode.Scalar>) -> Bool {
    guard let base = part.first, base.isPictograph, GlyphWidth.columns(of: base) > 0 else { return false }
    var rest = part.dropFirst()
    if base.value == 0x1F3F4, rest.last?.value == cancelTag {
      // Longer ones would hide a text.
      return (4...7).contains(rest.count) && rest.dropLast().allSatisfy(\.isTagOfRegion)
    }
    if base.properties.isEmojiModifierBase, rest.first?.properties.isEmojiModifier == true { rest.removeFirst() }
    if rest.first?.value == emojiStyle { rest.removeFirst() }
    return rest.isEmpty
  }

  private static func columns(ofMarked cluster: [Unicode.Scalar]) -> Int? {
    guard cluster.count <= mostMarks,
      cluster.count(where: { $0.properties.generalCategory == .nonspacingMark }) <= mostStacked
    else { return nil }
    var columns = 0
    var fitsCell = cluster.count <= 3
    for (place, scalar) in cluster.enumerated() {
      if scalar.value & 0xFFFF_FFFE == 0x200C {
        guard place > 0, place + 1 < cluster.count,
          cluster[place - 1].properties.canonicalCombiningClass == .virama
        else { return nil }
        fitsCell = false
        continue
      }
      let width = GlyphWidth.columns(of: scalar)
      guard scalar.hasMarksOfItsOwn, width >= 0, !GlyphWidth.isHidden(scalar) else { return nil }
      if place > 0, !GlyphWidth.isCombining(scalar) { fitsCell = false }
      columns += width
    }
    return fitsCell || columns == 0 ? nil : min(2, columns)
  }
}

extension Unicode.Scalar {
  var isRegionalIndicator: Bool { (0x1F1E6...0x1F1FF).contains(value) }

  /// A tag for a digit or a letter.
  fileprivate var isTagOfRegion: Bool { (0xE0030...0xE0039).contains(value) || (0xE0061...0xE007A).contains(value) }

  /// An emoji that begins one of a joined sequence.
  fileprivate var isPictograph: Bool {
    value > 0x7F && properties.isEmoji && !properties.isEmojiModifier && !isRegionalIndicator
  }
}
