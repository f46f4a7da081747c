public import TextUI

public struct CursesOptions: Sendable {
  /// Selecting text in the terminal then requires Shift.
  public var mouse: Bool
  /// nil reads the environment and the terminal's description.
  public var colors: TerminalAbilities.Colors?
  public var asciiOnly: Bool
  public var graphics: GraphicsSetting

  /// For a program that gets the terminal; nil for the limit of this process.
  public var descriptorsOfPrograms: UInt?

  public init(
    mouse: Bool = true, colors: TerminalAbilities.Colors? = nil, asciiOnly: Bool = false,
    graphics: GraphicsSetting = .auto, descriptorsOfPrograms: UInt? = nil
  ) {
    self.graphics = graphics
    self.mouse = mouse
    self.colors = colors
    self.asciiOnly = asciiOnly
    self.descriptorsOfPrograms = descriptorsOfPrograms
  }
}
