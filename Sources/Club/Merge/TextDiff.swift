/// The difference of two texts by lines, and inside changed lines by words. Pure.
public struct TextDiff: Sendable {
  /// Lines that both texts have, or lines that one of them has in place of the other's.
  public struct Block: Sendable, Equatable {
    public let isSame: Bool
    /// Numbers of lines, from 0.
    public let old: Range<Int>
    public let new: Range<Int>
  }

  /// Neighbouring changes with the lines around them.
  public struct Hunk: Sendable, Equatable {
    public let blocks: [Block]

    public var old: Range<Int> { (blocks.first?.old.lowerBound ?? 0)..<(blocks.last?.old.upperBound ?? 0) }
    public var new: Range<Int> { (blocks.first?.new.lowerBound ?? 0)..<(blocks.last?.new.upperBound ?? 0) }
  }

  public let old: [UInt8]
  public let new: [UInt8]
  public private(set) var blocks: [Block] = []
  private let oldLines: TextUnits
  private let newLines: TextUnits

  public init(from old: [UInt8], to new: [UInt8]) {
    (self.old, self.new) = (old, new)
    (oldLines, newLines) = (TextUnits.lines(old, 0..<old.count), TextUnits.lines(new, 0..<new.count))
    var numbers = UnitNumbers()
    let (left, right) = (numbers.of(exactly: oldLines, in: old), numbers.of(exactly: newLines, in: new))
    var (line, other) = (0, 0)
    var start = (0, 0)
    func add(_ isSame: Bool, _ end: (Int, Int)) {
      guard start != end else { return }
      blocks.append(Block(isSame: isSame, old: start.0..<end.0, new: start.1..<end.1))
      start = end
    }
    for (place, partner) in SequenceDiff.partners(left, right).enumerated() {
      guard let partner else { continue }
      if (place, partner) != (line, other) {
        add(true, (line, other))
        add(false, (place, partner))
      }
      (line, other) = (place + 1, partner + 1)
    }
    add(true, (line, other))
    add(false, (left.count, right.count))
  }

  public var isEmpty: Bool { !blocks.contains { !$0.isSame } }
  public var addedLines: Int { blocks.reduce(0) { $0 + ($1.isSame ? 0 : $1.new.count) } }
  public var removedLines: Int { blocks.reduce(0) { $0 + ($1.isSame ? 0 : $1.old.count) } }

  /// The lines with their line feeds.
  public func oldText(of lines: Range<Int>) -> ArraySlice<UInt8> { old[oldLines.bytes(of: lines)] }
  public func newText(of lines: Range<Int>) -> ArraySlice<UInt8> { new[newLines.bytes(of: lines)] }

  /// The lines of both texts.
  var common: [UInt8] { blocks.filter(\.isSame).flatMap { oldText(of: $0.old) } }

  /// The changes, each with at most `context` unchanged lines before and after it.
  public func hunks(context: Int) -> [Hunk] {
    var hunks: [[Block]] = []
    var before: Block?
    for (index, block) in blocks.enumerated() {
      guard block.isSame else {
        if before == nil, !hunks.isEmpty {
          hunks[hunks.count - 1].append(block)
        } else {
          hunks.append([before, block].compactMap { $0 })
        }
        before = nil
        continue
      }
      let isLast = index == blocks.count - 1
      if !hunks.isEmpty, !isLast, block.old.count <= 2 * context {
        hunks[hunks.count - 1].append(block)
        before = nil
        continue
      }
      if !hunks.isEmpty { hunks[hunks.count - 1].append(block.prefix(context)) }
      before = isLast ? nil : block.suffix(context)
    }
    return hunks.map { Hunk(blocks: $0.filter { !$0.old.isEmpty || !$0.new.isEmpty }) }
  }

  /// The words of two texts that the other one lacks, as ranges of bytes from the beginning of each.
  public static func words(
    from old: ArraySlice<UInt8>, to new: ArraySlice<UInt8>
  ) -> (removed: [Range<Int>], added: [Range<Int>]) {
    // In bytes; longer texts are compared by lines alone.
    guard max(old.count, new.count) <= 64 << 10 else { return ([], []) }
    let (left, right) = (Array(old), Array(new))
    let units = (TextUnits.words(left, 0..<left.count), TextUnits.words(right, 0..<right.count))
    var numbers = UnitNumbers()
    let sequences = (numbers.of(exactly: units.0, in: left), numbers.of(exactly: units.1, in: right))
    var isKept = Array(repeating: false, count: sequences.1.count)
    var removed: [Range<Int>] = []
    for (unit, partner) in SequenceDiff.partners(sequences.0, sequences.1).enumerated() {
      if let partner { isKept[partner] = true } else { removed.join(units.0.bytes(of: unit..<(unit + 1))) }
    }
    var added: [Range<Int>] = []
    for unit in isKept.indices where !isKept[unit] { added.join(units.1.bytes(of: unit..<(unit + 1))) }
    return (removed, added)
  }
}

extension TextDiff.Block {
  fileprivate func prefix(_ count: Int) -> Self {
    Self(
      isSame: isSame, old: old.lowerBound..<min(old.upperBound, old.lowerBound + count),
      new: new.lowerBound..<min(new.upperBound, new.lowerBound + count))
  }

  fileprivate func suffix(_ count: Int) -> Self {
    Self(
      isSame: isSame, old: max(old.lowerBound, old.upperBound - count)..<old.upperBound,
      new: max(new.lowerBound, new.upperBound - count)..<new.upperBound)
  }
}

extension [Range<Int>] {
  /// Adds a range, as one with the last if they touch.
  fileprivate mutating func join(_ range: Range<Int>) {
    if let last, last.upperBound == range.lowerBound {
      self[count - 1] = last.lowerBound..<range.upperBound
    } else {
      append(range)
    }
  }
}
