/// The style of each role. Equal themes draw equal screens.
public struct Theme: Hashable, Sendable {
  public enum Base: String, CaseIterable, Hashable, Sendable {
    case dark, light
    /// The terminal's own sixteen colours, right on any background.
    case plain
  }

  /// As reported by a terminal or set up.
  public enum Background: Hashable, Sendable {
    case dark, light

    /// 0xRRGGBB; light from half of the brightness on.
    public init(rgb: UInt32) {
      let (red, green, blue) = (Int(rgb >> 16 & 0xFF), Int(rgb >> 8 & 0xFF), Int(rgb & 0xFF))
      self = red * 299 + green * 587 + blue * 114 < 128_000 ? .dark : .light
    }
  }

  public let base: Base
  public let colors: TerminalAbilities.Colors
  private let styles: [Style]

  /// Attributes alone: the look under `NO_COLOR`.
  public static let colourless = Theme(.plain, colors: .none)

  /// `overrides` replace colours of roles, 0xRRGGBB: the background of `selection`, `codeBlock`, `tabActive` and `found`,
  /// the foreground of all others. `accent` counts for all roles that look like it. They have no effect without colours.
  /// `hues` replace the colours of all roles in a hue, above 16 colours.
  public init(
    _ base: Base, colors: TerminalAbilities.Colors, overrides: [Role: UInt32] = [:], hues: [Hue: UInt32] = [:]
  ) {
    self.base = base
    self.colors = colors
    styles = Role.allCases.map { role in
      var style = role.row.style(base, colors)
      let accent = role.followsAccent ? overrides[.accent] : nil
      let hue = colors > .sixteen ? role.row.hue.flatMap { hues[$0] } : nil
      guard colors > .none, let rgb = overrides[role] ?? accent ?? hue else { return style }
      if role.row.ground != nil {
        style.background = .rgb(rgb)
      } else if role.row.isBlock, !style.attributes.contains(.reverse) {
        style.background = .rgb(rgb)
        style.foreground = .rgb(Background(rgb: rgb) == .light ? 0x1A1B26 : 0xFFFFFF)
      } else {
        style.foreground = .rgb(rgb)
      }
      return style
    }
  }

  public subscript(role: Role) -> Style { styles[Int(role.rawValue)] }
}

public struct ThemeChoice: Hashable, Sendable {
  /// nil follows the terminal's background.
  public var base: Theme.Base?
  public var overrides: [Role: UInt32]
  public var hues: [Hue: UInt32]

  public init(_ base: Theme.Base? = nil, overrides: [Role: UInt32] = [:], hues: [Hue: UInt32] = [:]) {
    (self.base, self.overrides, self.hues) = (base, overrides, hues)
  }

  /// An unknown background counts as dark.
  public func theme(colors: TerminalAbilities.Colors, background: Theme.Background?) -> Theme {
    Theme(
      base ?? (background == .light ? .light : .dark), colors: colors, overrides: overrides,
      hues: hues)
  }

  /// As `theme`, for a moment in which the terminal may not have named its background yet: right on any.
  public func firstTheme(colors: TerminalAbilities.Colors, background: Theme.Background?) -> Theme {
    base == nil && background == nil ? Theme(.plain, colors: colors) : theme(colors: colors, background: background)
  }
}

extension Canvas {
  public subscript(role: Role) -> Style { theme[role] }

  public func bar(_ role: Role) -> Style {
    let bar = theme[.selection]
    var style = theme[role].with(bar.attributes)
    style.background = bar.background
    if style.foreground == .standard { style.foreground = bar.foreground }
    return style
  }
}
