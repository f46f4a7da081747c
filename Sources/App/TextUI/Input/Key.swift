public struct Key: Hashable, Sendable {
  public enum Code: Hashable, Sendable {
    /// As typed: `A` is not `a` with shift.
    case character(Unicode.Scalar)
    case enter, tab, backTab, escape, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    case function(Int)
  }

  public struct Modifiers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// The character is then the lower-case letter (or one of `@[\]^_`).
    public static let control = Modifiers(rawValue: 1)
    /// Alt or Meta.
    public static let alt = Modifiers(rawValue: 2)
    /// Reported only for keys other than characters.
    public static let shift = Modifiers(rawValue: 4)
  }

  public var code: Code
  public var modifiers: Modifiers

  public init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  public var typed: Unicode.Scalar? {
    if case .character(let scalar) = code, modifiers.isEmpty { scalar } else { nil }
  }
}

extension Key: CustomStringConvertible {
  private static let names: [(Code, String)] = [
    (.enter, "Enter"), (.tab, "Tab"), (.backTab, "Shift-Tab"), (.escape, "Esc"), (.backspace, "Backspace"),
    (.delete, "Del"), (.insert, "Ins"), (.up, "Up"), (.down, "Down"), (.left, "Left"), (.right, "Right"),
    (.home, "Home"), (.end, "End"), (.pageUp, "PgUp"), (.pageDown, "PgDn"), (.character(" "), "Space"),
  ]

  private static let otherNames: [String: Code] = [
    "return": .enter, "escape": .escape, "delete": .delete, "insert": .insert, "pageup": .pageUp,
    "pagedown": .pageDown, "backtab": .backTab,
  ]

  /// Parses names of help and configuration: `Ctrl-S`, `Alt-B`, `PgDn`, `F1`, `Shift-Tab`, `Space`, `n`, `+`. Case
  /// matters only for a letter without Ctrl or Alt.
  public init?(_ name: String) {
    var rest = Substring(name)
    var modifiers: Modifiers = []
    let prefixes: [(String, Modifiers)] = [("ctrl-", .control), ("alt-", .alt), ("shift-", .shift)]
    while let (prefix, modifier) = prefixes.first(where: { rest.count > $0.0.count && rest.hasPrefixIgnoringCase($0.0) }
    ) {
      rest = rest.dropFirst(prefix.count)
      modifiers.insert(modifier)
    }
    let lowered = rest.lowercased()
    let scalars = rest.unicodeScalars
    if scalars.count == 1, let scalar = scalars.first {
      guard scalar.value > 0x20, !(0x7F..<0xA0).contains(scalar.value) else { return nil }
      let isCommand = !modifiers.isDisjoint(with: [.control, .alt])
      if modifiers.contains(.shift), !isCommand { return nil }
      let lower = scalar.properties.lowercaseMapping.unicodeScalars
      if isCommand, lower.count == 1, let lower = lower.first {
        // Without Control, Shift is part of the letter.
        let isUpper = modifiers == [.alt, .shift]
        self.init(.character(isUpper ? lower.upper : lower), isUpper ? .alt : modifiers)
      } else {
        self.init(.character(scalar), modifiers)
      }
    } else if lowered == "tab", modifiers.contains(.shift) {
      self.init(.backTab, modifiers.subtracting(.shift))
    } else if let code = Self.names.first(where: { $0.1.lowercased() == lowered })?.0 ?? Self.otherNames[lowered] {
      if code == .character(" "), modifiers == .shift { return nil }
      self.init(code, modifiers)
    } else if lowered.hasPrefix("f"), let number = Int(lowered.dropFirst()), (1...24).contains(number),
      lowered == "f\(number)"
    {
      self.init(.function(number), modifiers)
    } else {
      return nil
    }
  }

  /// `Key(name)` returns an equal key.
  public var name: String {
    var modifiers = modifiers
    var base: String
    switch code {
    case .character(" "): base = "Space"
    case .character(let scalar):
      base = String(scalar)
      if !modifiers.isEmpty {
        if modifiers == .alt, scalar.properties.isUppercase { modifiers.insert(.shift) }
        let upper = scalar.upper
        if upper.lower == scalar.lower { base = String(upper) }
      }
    case .function(let number): base = "F\(number)"
    default: base = Self.names.first { $0.0 == code }?.1 ?? ""
    }
    var prefix = ""
    if modifiers.contains(.control) { prefix += "Ctrl-" }
    if modifiers.contains(.alt) { prefix += "Alt-" }
    if modifiers.contains(.shift) { prefix += "Shift-" }
    return prefix + base
  }

  public var description: String { name }
}

extension Unicode.Scalar {
  fileprivate var upper: Unicode.Scalar {
    let mapped = properties.uppercaseMapping.unicodeScalars
    return mapped.count == 1 ? mapped.first ?? self : self
  }

  fileprivate var lower: Unicode.Scalar {
    let mapped = properties.lowercaseMapping.unicodeScalars
    return mapped.count == 1 ? mapped.first ?? self : self
  }
}

extension Substring {
  fileprivate func hasPrefixIgnoringCase(_ prefix: String) -> Bool {
    self.prefix(prefix.count).lowercased() == prefix
  }
}
