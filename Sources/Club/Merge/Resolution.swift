/// The choice between two versions of a text, part by part. A value: nothing is written, and each choice can be undone.
///
/// The parts are whole lines. Where one side alone changed, or a merge is safe, the part begins with that choice; all
/// others begin without one.
public struct Resolution: Sendable, Equatable {
  public enum Choice: Sendable, Hashable {
    case mine, theirs
    /// Mine, then theirs.
    case both
    /// The changes of both within one text, as `TextMerge` made it.
    case merged
    case edited([UInt8])
  }

  /// A place at which the versions differ.
  public struct Part: Sendable, Equatable {
    public let mine: [UInt8]
    public let theirs: [UInt8]
    /// The text of a safe merge; nil for a part that a member must decide.
    fileprivate let merged: [UInt8]?
    /// That of the whole text.
    fileprivate let lineBreak: [UInt8]
    public fileprivate(set) var choice: Choice?

    public func text(_ choice: Choice) -> [UInt8] {
      switch choice {
      case .mine: return mine
      case .theirs: return theirs
      case .both:
        let isOpen = !mine.isEmpty && mine.last != 0x0A && !theirs.isEmpty
        return mine + (isOpen ? lineBreak : []) + theirs
      case .merged: return merged ?? text(.both)
      case .edited(let text): return text
      }
    }

    /// The chosen text; nil without a choice.
    public var text: [UInt8]? { choice.map(text(_:)) }
  }

  public enum Piece: Sendable, Equatable {
    /// A text that both versions have.
    case same([UInt8])
    /// The part of this number.
    case part(Int)
  }

  public private(set) var parts: [Part] = []
  /// The whole text in order.
  public private(set) var pieces: [Piece] = []
  /// The line end of the whole text, for all that is added to it.
  public let lineBreak: [UInt8]
  private var done: [[Choice?]] = []
  private var undone: [[Choice?]] = []

  /// Without a base, each difference needs a choice.
  public init(base: [UInt8]?, mine: [UInt8], theirs: [UInt8], lineBreak: [UInt8] = [0x0A]) {
    self.lineBreak = lineBreak
    let merge = TextMerge(base: base ?? TextDiff(from: mine, to: theirs).common, mine: mine, theirs: theirs)
    var cutter = ResolutionCutter(mine: mine, theirs: theirs, proposes: base != nil, lineBreak: lineBreak)
    for region in merge.regions { cutter.add(region) }
    cutter.close()
    (parts, pieces) = (cutter.parts, cutter.pieces)
  }

  /// Versions that are no texts are one part.
  public init(undivided mine: [UInt8], _ theirs: [UInt8], lineBreak: [UInt8] = [0x0A]) {
    self.lineBreak = lineBreak
    guard mine != theirs else {
      pieces = [.same(mine)]
      return
    }
    parts = [Part(mine: mine, theirs: theirs, merged: nil, lineBreak: lineBreak)]
    pieces = [.part(0)]
  }

  /// The chosen text; nil while a part has no choice.
  public var text: [UInt8]? { openCount == 0 ? textWithBoth : nil }

  /// The chosen text, with both versions of the parts that have no choice.
  public var textWithBoth: [UInt8] { pieces.flatMap(text(of:)) }

  /// The place of a part in `textWithBoth`, in bytes.
  public func offset(of part: Int) -> Int {
    pieces.prefix { $0 != .part(part) }.reduce(0) { $0 + text(of: $1).count }
  }

  /// The number of parts without a choice.
  public var openCount: Int { parts.count { $0.choice == nil } }

  /// The next part without a choice, from this one on and then from the first.
  public func nextOpen(from part: Int) -> Int? {
    let open = parts.indices.filter { parts[$0].choice == nil }
    return open.first { $0 >= part } ?? open.first
  }

  private func text(of piece: Piece) -> [UInt8] {
    switch piece {
    case .same(let text): text
    case .part(let number): parts[number].text ?? parts[number].text(.both)
    }
  }
}

// MARK: Choosing

extension Resolution {
  public mutating func choose(_ choice: Choice, at part: Int) {
    guard parts.indices.contains(part) else { return }
    var choices = parts.map(\.choice)
    choices[part] = whole(choice, at: part)
    change(to: choices)
  }

  /// One side for all parts.
  public mutating func chooseAll(_ choice: Choice) { change(to: parts.map { _ in choice }) }

  /// - Returns: the first part that changed; nil if there is nothing to undo.
  public mutating func undo() -> Int? {
    guard let choices = done.popLast() else { return nil }
    undone.append(parts.map(\.choice))
    return set(choices)
  }

  public mutating func redo() -> Int? {
    guard let choices = undone.popLast() else { return nil }
    done.append(parts.map(\.choice))
    return set(choices)
  }

  /// Takes over the choices of an earlier resolution for parts that have stayed the same.
  public mutating func take(choicesOf earlier: Resolution) {
    var old = earlier.parts[...]
    for index in parts.indices {
      guard let place = old.firstIndex(where: { $0.mine == parts[index].mine && $0.theirs == parts[index].theirs })
      else { continue }
      if let choice = old[place].choice, choice != .merged || parts[index].merged != nil {
        parts[index].choice = choice
      }
      old = old[(place + 1)...]
    }
  }

  private mutating func change(to choices: [Choice?]) {
    let before = parts.map(\.choice)
    guard choices != before else { return }
    done.append(before)
    undone = []
    _ = set(choices)
  }

  private mutating func set(_ choices: [Choice?]) -> Int? {
    let changed = parts.indices.first { parts[$0].choice != choices[$0] }
    for (index, choice) in choices.enumerated() { parts[index].choice = choice }
    return changed
  }

  /// An edited part before other text ends its line.
  private func whole(_ choice: Choice, at part: Int) -> Choice {
    guard case .edited(let text) = choice, let last = text.last, last != 0x0A, pieces.last != .part(part) else {
      return choice
    }
    return .edited(text + lineBreak)
  }
}

/// Cuts the regions of a merge into whole lines.
private struct ResolutionCutter {
  let mine: [UInt8]
  let theirs: [UInt8]
  let proposes: Bool
  let lineBreak: [UInt8]
  private(set) var parts: [Resolution.Part] = []
  private(set) var pieces: [Resolution.Piece] = []
  private var group: [TextMerge.Region] = []

  init(mine: [UInt8], theirs: [UInt8], proposes: Bool, lineBreak: [UInt8]) {
    (self.mine, self.theirs, self.proposes, self.lineBreak) = (mine, theirs, proposes, lineBreak)
  }

  mutating func add(_ region: TextMerge.Region) {
    var rest = region
    // Whole lines without a difference stay outside the parts.
    if isSame(rest) {
      if !group.isEmpty, let end = mine[rest.mine].firstIndex(of: 0x0A) {
        group.append(rest.cutFirst(end + 1 - rest.mine.lowerBound))
        close()
      }
      if group.isEmpty, let end = mine[rest.mine].lastIndex(of: 0x0A) {
        addSame(mine[rest.cutFirst(end + 1 - rest.mine.lowerBound).mine])
      }
      if rest.mine.isEmpty { return }
    }
    group.append(rest)
    if beginsLine(mine, rest.mine.upperBound), beginsLine(theirs, rest.theirs.upperBound) { close() }
  }

  mutating func close() {
    guard let first = group.first, let last = group.last else { return }
    defer { group = [] }
    let ours = mine[first.mine.lowerBound..<last.mine.upperBound]
    let others = theirs[first.theirs.lowerBound..<last.theirs.upperBound]
    if ours == others { return addSame(ours) }
    let merged = proposes ? TextMerge.text(of: group, mine: mine, theirs: theirs) : nil
    let proposal: Resolution.Choice? = merged.map { $0[...] == ours ? .mine : $0[...] == others ? .theirs : .merged }
    pieces.append(.part(parts.count))
    parts.append(
      Resolution.Part(
        mine: Array(ours), theirs: Array(others), merged: merged, lineBreak: lineBreak, choice: proposal))
  }

  private mutating func addSame(_ text: ArraySlice<UInt8>) {
    guard !text.isEmpty else { return }
    if case .same(let before) = pieces.last {
      pieces[pieces.count - 1] = .same(before + text)
    } else {
      pieces.append(.same(Array(text)))
    }
  }

  private func isSame(_ region: TextMerge.Region) -> Bool { region.kind == .same || region.kind == .both }

  private func beginsLine(_ text: [UInt8], _ offset: Int) -> Bool { offset == 0 || text[offset - 1] == 0x0A }
}

extension TextMerge.Region {
  /// Cuts off the first bytes of a region in which both sides are equal. The base range stays with the rest.
  fileprivate mutating func cutFirst(_ count: Int) -> Self {
    var first = self
    first.mine = mine.lowerBound..<(mine.lowerBound + count)
    first.theirs = theirs.lowerBound..<(theirs.lowerBound + count)
    mine = first.mine.upperBound..<mine.upperBound
    theirs = first.theirs.upperBound..<theirs.upperBound
    return first
  }
}
