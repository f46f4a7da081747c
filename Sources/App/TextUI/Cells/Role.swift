/// The role of a text. Screens name roles, never colours; a `Theme` gives each role its style.
public enum Role: UInt8, CaseIterable, Hashable, Sendable {
  /// In the terminal's own colours.
  case text
  /// Facts beside a name, hints, placeholders.
  case dim
  case accent
  case selection
  /// Added or changed by another member.
  case new
  case success, warning, error
  case heading1, heading2, heading3
  case link
  case code
  case codeBlock
  case quote
  case rule
  case added, removed
  /// In the order of their appearance.
  case member1, member2, member3, member4, member5, member6
  case strong, emphasis, strikethrough
  case tag, checkbox
  case bullet
  /// A match of a search, and the current one.
  case match, found
  case title
  case brand
  case tabActive, tabIdle
  /// Also the mark of the scroll position.
  case border
  case columnHead
  case notice
  case question
  /// In the footer, in a question and in the help.
  case key
  case label
  case progress, progressRest
  case marked
  case directory
  case online, offline, waiting

  /// As in the configuration.
  public var name: String { "\(self)" }

  public init?(name: String) {
    guard let role = Role.allCases.first(where: { $0.name == name }) else { return nil }
    self = role
  }
}
