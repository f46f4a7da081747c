/// The merge of two changed versions of one text: first by lines, then by words where both versions changed the same
/// lines. Nothing is dropped: a place that cannot be merged is a conflict, for a member to decide. Pure.
public struct TextMerge: Sendable, Equatable {
  /// A part of the merge, as ranges of bytes in the three versions. The regions cover each version without gaps.
  public struct Region: Sendable, Equatable {
    public enum Kind: Sendable, Equatable {
      case same, mine, theirs
      /// Both made the same change.
      case both
      /// Both changes together, as this text.
      case joined([UInt8])
      case conflict
    }

    public var kind: Kind
    public var base: Range<Int>
    public var mine: Range<Int>
    public var theirs: Range<Int>
    /// The other version changed the same sentence: the merge lost nothing and may read badly.
    public var isClose = false
  }

  public private(set) var regions: [Region] = []
  private let base: [UInt8]
  private let mine: [UInt8]
  private let theirs: [UInt8]

  public init(base: [UInt8], mine: [UInt8], theirs: [UInt8]) {
    (self.base, self.mine, self.theirs) = (base, mine, theirs)
    let whole = Region(kind: .conflict, base: 0..<base.count, mine: 0..<mine.count, theirs: 0..<theirs.count)
    for region in cut(whole, by: TextUnits.lines) {
      if region.kind == .conflict { add(merged(region)) } else { add([region]) }
    }
  }

  public var hasConflicts: Bool { regions.contains { $0.kind == .conflict } }
  public var isClose: Bool { regions.contains(where: \.isClose) }

  /// The merged text; nil with a conflict.
  public var text: [UInt8]? { TextMerge.text(of: regions, mine: mine, theirs: theirs) }

  static func text(of regions: [Region], mine: [UInt8], theirs: [UInt8]) -> [UInt8]? {
    var text: [UInt8] = []
    for region in regions {
      switch region.kind {
      case .same, .mine, .both: text += mine[region.mine]
      case .theirs: text += theirs[region.theirs]
      case .joined(let both): text += both
      case .conflict: return nil
      }
    }
    return text
  }

  private mutating func add(_ more: [Region]) {
    for region in more {
      if let last = regions.last, last.kind == region.kind, last.isClose == region.isClose, region.kind != .conflict,
        !region.isJoined
      {
        regions[regions.count - 1].base = last.base.lowerBound..<region.base.upperBound
        regions[regions.count - 1].mine = last.mine.lowerBound..<region.mine.upperBound
        regions[regions.count - 1].theirs = last.theirs.lowerBound..<region.theirs.upperBound
      } else {
        regions.append(region)
      }
    }
  }

  /// Lines that both changed, merged by words; as they are if a member must decide.
  private func merged(_ region: Region) -> [Region] {
    if let simple = joined(region) { return [simple] }
    // Words of a deleted or a new line have no counterpart.
    guard !region.base.isEmpty, !region.mine.isEmpty, !region.theirs.isEmpty else { return [region] }
    var parts = cut(region, by: TextUnits.words)
    for index in parts.indices where parts[index].kind == .conflict {
      guard let simple = joined(parts[index]) else { return [region] }
      parts[index] = simple
    }
    markClose(&parts, in: region)
    return parts
  }

  /// Cuts a region where all versions agree, and classifies the rest.
  private func cut(_ region: Region, by split: ([UInt8], Range<Int>) -> TextUnits) -> [Region] {
    let units = (split(base, region.base), split(mine, region.mine), split(theirs, region.theirs))
    var numbers = UnitNumbers()
    let alignment = Alignment(
      base: numbers.of(units.0, in: base), mine: numbers.of(units.1, in: mine),
      theirs: numbers.of(units.2, in: theirs))
    return alignment.stretches.flatMap { stretch in
      let part = classified(
        base: units.0.bytes(of: stretch.base), mine: units.1.bytes(of: stretch.mine),
        theirs: units.2.bytes(of: stretch.theirs))
      guard stretch.isStable, part.kind != .same else { return [part] }
      // Boxes differ in a stretch of equal units: each is a part.
      return stretch.base.indices.map { index in
        let unit = index..<(index + 1)
        let (toMine, toTheirs) = (
          stretch.mine.lowerBound - stretch.base.lowerBound, stretch.theirs.lowerBound - stretch.base.lowerBound
        )
        return classified(
          base: units.0.bytes(of: unit), mine: units.1.bytes(of: index + toMine..<index + toMine + 1),
          theirs: units.2.bytes(of: index + toTheirs..<index + toTheirs + 1))
      }
    }
  }

  private func classified(base: Range<Int>, mine: Range<Int>, theirs: Range<Int>) -> Region {
    let part = Region(kind: .conflict, base: base, mine: mine, theirs: theirs)
    let (base, mine, theirs) = (self.base[base], self.mine[mine], self.theirs[theirs])
    if mine == theirs { return part.with(mine == base ? .same : .both) }
    if theirs == base { return part.with(.mine) }
    return mine == base ? part.with(.theirs) : part
  }

  /// New text of both at one place that goes together: items of a list, and texts that differ in their ticks alone.
  private func joined(_ region: Region) -> Region? {
    let (mine, theirs) = (mine[region.mine], theirs[region.theirs])
    guard region.base.isEmpty, let both = TickBox.ticked(mine, theirs) ?? ListMerge.joined(mine, theirs) else {
      return nil
    }
    return region.with(.joined(both))
  }

  private func markClose(_ parts: inout [Region], in region: Region) {
    let sentences = Sentences(base[region.base], from: region.base.lowerBound)
    func touched(_ kind: Region.Kind) -> Set<Int> {
      Set(parts.filter { $0.kind == kind && !isTick($0) }.flatMap { sentences.touched(by: $0.base) })
    }
    let shared = touched(.mine).intersection(touched(.theirs))
    for index in parts.indices where parts[index].kind == .mine || parts[index].kind == .theirs {
      parts[index].isClose = !isTick(parts[index]) && !shared.isDisjoint(with: sentences.touched(by: parts[index].base))
    }
  }

  /// A box says the same whatever its sentence says.
  private func isTick(_ part: Region) -> Bool {
    func isBox(_ bytes: ArraySlice<UInt8>) -> Bool { TickBox.isBox(bytes.prefix(3)) && bytes.count <= 4 }
    return isBox(mine[part.mine]) && isBox(theirs[part.theirs])
  }
}

extension TextMerge.Region {
  fileprivate func with(_ kind: Kind) -> Self {
    var region = self
    region.kind = kind
    return region
  }

  fileprivate var isJoined: Bool { if case .joined = kind { true } else { false } }
}

/// The sentences of a stretch of text, by the bytes at which they end.
private struct Sentences {
  private var ends: [Int] = []

  init(_ text: ArraySlice<UInt8>, from start: Int) {
    var place = text.startIndex
    while place < text.endIndex {
      let next = place + 1
      let isMark = [UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?")].contains(text[place])
      if text[place] == 0x0A || isMark && next < text.endIndex && text[next] == 0x20 {
        ends.append(isMark ? next + 1 : next)
      } else if text[place...].starts(with: "。".utf8) {
        ends.append(place + 3)
      }
      place = next
    }
    if ends.last != text.endIndex { ends.append(text.endIndex) }
  }

  /// The numbers of the sentences that a change of these bytes touches. An insertion touches the sentence around it,
  /// and between two sentences the one behind it.
  func touched(by bytes: Range<Int>) -> Range<Int> {
    let first = ends.firstIndex { $0 > bytes.lowerBound } ?? ends.count - 1
    let last = bytes.isEmpty ? first : ends.firstIndex { $0 >= bytes.upperBound } ?? ends.count - 1
    return first..<(max(first, last) + 1)
  }
}
