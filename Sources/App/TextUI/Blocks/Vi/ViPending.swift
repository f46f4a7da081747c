/// The keys of a command that is not complete yet.
struct ViPending: Hashable, Sendable {
  enum Answer: Hashable, Sendable {
    case more
    case done(ViCommand)
    /// The keys mean nothing; a sentence if the member should know.
    case none(String?)
  }

  private enum Prefix: Hashable, Sendable {
    case go, leave, scroll, replace, register
    case find(isForward: Bool, isTill: Bool)
    case object(isWhole: Bool)
  }

  /// As typed, for the screen.
  private(set) var shown = ""
  private var count: Int?
  /// Typed before the operator.
  private var firstCount: Int?
  private var operation: ViOperator?
  private var prefix: Prefix?

  var isEmpty: Bool { shown.isEmpty }

  /// In visual mode, operators act on the selection.
  mutating func take(_ key: Key, isVisual: Bool) -> Answer {
    guard let scalar = Self.scalar(of: key) else {
      return special(key, isVisual: isVisual)
    }
    shown.unicodeScalars.append(scalar)
    if let prefix {
      self.prefix = nil
      return take(scalar, after: prefix, isVisual: isVisual)
    }
    if ("1"..."9").contains(scalar) || scalar == "0" && count != nil {
      count = min((count ?? 0) * 10 + Int(scalar.value - 0x30), 99_999_999)
      return .more
    }
    if let prefix = Self.prefixes[scalar] {
      self.prefix = prefix
      return .more
    }
    if let motion = Self.motions[scalar] { return finish(motion) }
    return isVisual ? visual(scalar) : operation != nil ? operand(scalar) : command(scalar)
  }

  private static func scalar(of key: Key) -> Unicode.Scalar? {
    if case .character(let scalar) = key.code, key.modifiers.isEmpty { scalar } else { nil }
  }

  private static let prefixes: [Unicode.Scalar: Prefix] = [
    "g": .go, "z": .scroll, "Z": .leave, "\"": .register,
    "f": .find(isForward: true, isTill: false), "F": .find(isForward: false, isTill: false),
    "t": .find(isForward: true, isTill: true), "T": .find(isForward: false, isTill: true),
  ]

  private static let motions: [Unicode.Scalar: ViMotion] = [
    "h": .left, "l": .right, "j": .down, "k": .up, " ": .forward, "0": .lineStart, "^": .text, "$": .lineEnd,
    "|": .column, "_": .textHere, "+": .textDown, "-": .textUp, "w": .word(isBig: false), "W": .word(isBig: true),
    "e": .wordEnd(isBig: false), "E": .wordEnd(isBig: true), "b": .wordBack(isBig: false), "B": .wordBack(isBig: true),
    "G": .lastLine, "{": .paragraph(isForward: false), "}": .paragraph(isForward: true),
    "(": .sentence(isForward: false), ")": .sentence(isForward: true), "%": .bracket,
    ";": .findAgain(isReversed: false), ",": .findAgain(isReversed: true), "H": .top, "M": .middle, "L": .bottom,
    "n": .searchAgain(isReversed: false), "N": .searchAgain(isReversed: true),
    "*": .wordUnderCursor(isForward: true), "#": .wordUnderCursor(isForward: false),
    "/": .search(isForward: true), "?": .search(isForward: false),
  ]

  private static let operators: [Unicode.Scalar: ViOperator] = [
    "d": .delete, "c": .change, "y": .yank, ">": .indent, "<": .unindent,
  ]

  private static let caseOperators: [Unicode.Scalar: ViOperator] = ["u": .lower, "U": .upper, "~": .toggle]

  private func finish(_ motion: ViMotion) -> Answer {
    guard let operation else { return done(.move(motion)) }
    return done(.operate(operation, .motion(motion)))
  }

  private func done(_ action: ViAction) -> Answer {
    let count = count.map { $0 * (firstCount ?? 1) } ?? firstCount
    return .done(ViCommand(count: count.map { min($0, 99_999_999) }, action: action))
  }

  private func unknown() -> Answer { .none("vi's \(shown) does nothing here. F1 shows the keys.") }

  /// Behind an operator: the operator again, or an object.
  private mutating func operand(_ scalar: Unicode.Scalar) -> Answer {
    if scalar == "i" || scalar == "a" {
      prefix = .object(isWhole: scalar == "a")
      return .more
    }
    if let operation, Self.operators[scalar] == operation || Self.caseOperators[scalar] == operation {
      return done(.operate(operation, .lines))
    }
    return .none(nil)
  }

  private mutating func begin(_ operation: ViOperator) -> Answer {
    if let present = self.operation {
      return present == operation ? done(.operate(operation, .lines)) : .none(nil)
    }
    self.operation = operation
    (firstCount, count) = (count, nil)
    return .more
  }

  private mutating func command(_ scalar: Unicode.Scalar) -> Answer {
    if let operation = Self.operators[scalar] { return begin(operation) }
    switch scalar {
    case "x": return done(.operate(.delete, .motion(.right)))
    case "X": return done(.operate(.delete, .motion(.left)))
    case "D": return done(.operate(.delete, .motion(.lineEnd)))
    case "C": return done(.operate(.change, .motion(.lineEnd)))
    case "s": return done(.operate(.change, .motion(.right)))
    case "S": return done(.operate(.change, .lines))
    case "Y": return done(.operate(.yank, .lines))
    case "i": return done(.insert(.before))
    case "a": return done(.insert(.after))
    case "I": return done(.insert(.lineStart))
    case "A": return done(.insert(.lineEnd))
    case "o": return done(.insert(.below))
    case "O": return done(.insert(.above))
    case "r":
      prefix = .replace
      return .more
    case "~": return done(.toggleCase)
    case "J": return done(.join(withSpace: true))
    case "p": return done(.put(before: false))
    case "P": return done(.put(before: true))
    case "u": return done(.undo)
    case ".": return done(.repeatLast)
    case "v": return done(.select(lines: false))
    case "V": return done(.select(lines: true))
    case ":": return done(.line(.command))
    default: return unknown()
    }
  }

  private mutating func visual(_ scalar: Unicode.Scalar) -> Answer {
    switch scalar {
    case "d", "x", "X", "D": return done(.operate(.delete, isLines(scalar) ? .lines : .selection))
    case "c", "s", "C", "S", "R": return done(.operate(.change, isLines(scalar) ? .lines : .selection))
    case "y", "Y": return done(.operate(.yank, isLines(scalar) ? .lines : .selection))
    case ">": return done(.operate(.indent, .selection))
    case "<": return done(.operate(.unindent, .selection))
    case "~": return done(.operate(.toggle, .selection))
    case "u": return done(.operate(.lower, .selection))
    case "U": return done(.operate(.upper, .selection))
    case "J": return done(.join(withSpace: true))
    case "p": return done(.put(before: false))
    case "P": return done(.put(before: true))
    case "r":
      prefix = .replace
      return .more
    case "o", "O": return done(.swapEnds)
    case "v": return done(.select(lines: false))
    case "V": return done(.select(lines: true))
    case ":": return done(.line(.command))
    case "i", "a":
      prefix = .object(isWhole: scalar == "a")
      return .more
    default: return unknown()
    }
  }

  /// In visual mode a capital letter acts on whole lines.
  private func isLines(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isUppercase }

  private mutating func take(_ scalar: Unicode.Scalar, after prefix: Prefix, isVisual: Bool) -> Answer {
    switch prefix {
    case .find(let isForward, let isTill):
      return finish(.find(ViFind(scalar: scalar, isForward: isForward, isTill: isTill)))
    case .replace: return done(.replace(scalar))
    case .object(let isWhole):
      guard let kind = Self.object(scalar) else { return .none(nil) }
      let object = ViObject(kind: kind, isWhole: isWhole)
      guard let operation else { return done(.extend(object)) }
      return done(.operate(operation, .object(object)))
    case .register:
      guard "\"+*".unicodeScalars.contains(scalar) else {
        return .none("byteclub has one register, which is also the clipboard.")
      }
      return .more
    case .leave:
      switch scalar {
      case "Z": return done(.ask(.done))
      case "Q": return done(.ask(.discard))
      default: return unknown()
      }
    case .scroll:
      switch scalar {
      case "t": return done(.scroll(.cursorToTop))
      case "z": return done(.scroll(.cursorToMiddle))
      case "b": return done(.scroll(.cursorToBottom))
      default: return unknown()
      }
    case .go: return go(scalar, isVisual: isVisual)
    }
  }

  private mutating func go(_ scalar: Unicode.Scalar, isVisual: Bool) -> Answer {
    if let operation = Self.caseOperators[scalar] {
      return isVisual ? done(.operate(operation, .selection)) : begin(operation)
    }
    switch scalar {
    case "g": return finish(.firstLine)
    case "j": return finish(.rowDown)
    case "k": return finish(.rowUp)
    case "e": return finish(.wordEndBack(isBig: false))
    case "E": return finish(.wordEndBack(isBig: true))
    case "_": return finish(.lastText)
    case "J" where operation == nil: return done(.join(withSpace: false))
    case "v" where operation == nil: return done(.reselect)
    default: return unknown()
    }
  }

  private static func object(_ scalar: Unicode.Scalar) -> ViObject.Kind? {
    switch scalar {
    case "w": .word(isBig: false)
    case "W": .word(isBig: true)
    case "p": .paragraph
    case "\"", "'", "`": .quotes(UInt8(scalar.value))
    case "(", ")", "b": .brackets(0x28)
    case "[", "]": .brackets(0x5B)
    case "{", "}", "B": .brackets(0x7B)
    case "<", ">": .brackets(0x3C)
    default: nil
    }
  }

  /// Keys that are no characters, or with Control.
  private mutating func special(_ key: Key, isVisual: Bool) -> Answer {
    shown += key.name
    guard prefix == nil else {
      if prefix == .replace, key == Key(.enter) { return done(.replace("\n")) }
      if prefix == .replace, key == Key(.tab) { return done(.replace("\t")) }
      return .none(nil)
    }
    let isPlain = key.modifiers.subtracting(.shift).isEmpty
    switch (key.code, key.modifiers.subtracting(.shift)) {
    case (.left, []): return finish(.left)
    case (.right, []): return finish(.right)
    case (.up, []): return finish(.up)
    case (.down, []), (.character("j"), .control), (.character("n"), .control): return finish(.down)
    case (.character("p"), .control): return finish(.up)
    case (.left, _): return finish(.wordBack(isBig: true))
    case (.right, _): return finish(.word(isBig: true))
    case (.home, _): return finish(isPlain ? .lineStart : .firstLine)
    case (.end, _): return finish(isPlain ? .lineEnd : .lastLine)
    case (.enter, []), (.character("m"), .control): return finish(.textDown)
    case (.backspace, []), (.character("h"), .control): return finish(.back)
    case (.pageDown, _), (.character("f"), .control): return finish(.pageDown)
    case (.pageUp, _), (.character("b"), .control): return finish(.pageUp)
    case (.character("d"), .control): return finish(.halfDown)
    case (.character("u"), .control): return finish(.halfUp)
    case (.character("e"), .control) where operation == nil: return done(.scroll(.rowDown))
    case (.character("y"), .control) where operation == nil: return done(.scroll(.rowUp))
    case (.character("r"), .control) where operation == nil && !isVisual: return done(.redo)
    case (.delete, []) where operation == nil:
      return done(.operate(.delete, isVisual ? .selection : .motion(.right)))
    case (.insert, []) where operation == nil && !isVisual: return done(.insert(.before))
    default: return unknown()
    }
  }
}
