public import TextUI

/// What the configuration says about the terminal.
public struct CursesOptions: Sendable {
  /// Whether the mouse is used. The terminal then needs Shift to select text.
  public var mouse: Bool
  /// How many colours to use, whatever the terminal says; nil asks the environment and the terminal's description.
  public var colors: TerminalAbilities.Colors?
  /// Whether only ASCII should be drawn for bars and borders.
  public var asciiOnly: Bool

  /// Makes options.
  public init(mouse: Bool = true, colors: TerminalAbilities.Colors? = nil, asciiOnly: Bool = false) {
    self.mouse = mouse
    self.colors = colors
    self.asciiOnly = asciiOnly
  }
}
