/// One key press.
public struct Key: Hashable, Sendable {
  /// Which key, without its modifiers.
  public enum Code: Hashable, Sendable {
    /// A character, as typed (`A` is not `a` with shift).
    case character(Unicode.Scalar)
    case enter, tab, backTab, escape, backspace, delete, insert
    case up, down, left, right, home, end, pageUp, pageDown
    /// F1 is `function(1)`.
    case function(Int)
  }

  /// Keys held down with it.
  public struct Modifiers: OptionSet, Hashable, Sendable {
    /// The bits.
    public let rawValue: UInt8
    /// From bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
    /// Control; the character is then the lower-case letter (or one of `@[\]^_`).
    public static let control = Modifiers(rawValue: 1)
    /// Alt or Meta.
    public static let alt = Modifiers(rawValue: 2)
    /// Shift, told for keys that are no characters.
    public static let shift = Modifiers(rawValue: 4)
  }

  /// Which key.
  public var code: Code
  /// What is held down with it.
  public var modifiers: Modifiers

  /// Makes a key.
  public init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  /// The character that this key types; nil for keys that type none.
  public var typed: Unicode.Scalar? {
    if case .character(let scalar) = code, modifiers.isEmpty { scalar } else { nil }
  }
}
