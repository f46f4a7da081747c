import TestKit
import Testing

@testable import TextUI

@Suite struct ThemeTests {
  /// Backgrounds of widespread colour schemes: black, VS Code, Catppuccin, One Dark; white, Solarized Light.
  private static let backgrounds: [Theme.Base: [UInt32]] = [
    .dark: [0x000000, 0x1E1E1E, 0x1E1E2E, 0x282C34], .light: [0xFFFFFF, 0xFDF6E3],
  ]
  /// xterm's defaults of the 16 basic colours.
  private static let basic: [UInt32] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5,
    0x7F7F7F, 0xFF0000, 0x00FF00, 0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
  ]

  @Test(arguments: Role.allCases, [Theme.Base.dark, .light])
  func `every role is readable on every usual background, and under the selection's bar`(
    role: Role, base: Theme.Base
  ) throws {
    for colors in [TerminalAbilities.Colors.palette, .trueColor] {
      let theme = Theme(base, colors: colors)
      let style = theme[role]
      let bar = try #require(Self.rgb(theme[.selection].background))
      for background in try #require(Self.backgrounds[base]) + [bar] {
        let ground = Self.rgb(style.background) ?? background
        let ink = Self.rgb(style.foreground) ?? (base == .light ? 0x1E1E1E : 0xE0E0E0)
        let contrast = Contrast.ratio(ink, ground)
        #expect(contrast >= 4.5, "\(role) in \(base), \(colors), on \(String(ground, radix: 16)): \(contrast)")
      }
    }
  }

  @Test(arguments: Role.allCases, [Theme.Base.dark, .light])
  func `every role is readable in 16 colours on black or white`(role: Role, base: Theme.Base) {
    let style = Theme(base, colors: .sixteen)[role]
    #expect(style.background == .standard)
    guard let ink = Self.rgb(style.foreground) else { return }
    #expect(Contrast.ratio(ink, base == .dark ? 0x000000 : 0xFFFFFF) >= 4.5, "\(role) in \(base)")
  }

  @Test(arguments: Role.allCases)
  func `without colours, a role has attributes alone`(role: Role) {
    for base in Theme.Base.allCases {
      let style = Theme(base, colors: .none, overrides: [role: 0xFF0000])[role]
      #expect(style.foreground == .standard && style.background == .standard)
    }
  }

  @Test(arguments: [TerminalAbilities.Colors.none, .sixteen, .palette, .trueColor], Theme.Base.allCases)
  func `what matters differs from running text at every depth`(colors: TerminalAbilities.Colors, base: Theme.Base) {
    let theme = Theme(base, colors: colors)
    let roles: [Role] = [.selection, .new, .warning, .error, .title, .tabActive, .key, .link, .match, .found, .marked]
    for role in roles { #expect(theme[role] != theme[.text], "\(role)") }
    #expect(theme[.match] != theme[.found])
  }

  @Test func `the plain theme uses the terminal's own colours at every depth`() {
    for colors in [TerminalAbilities.Colors.sixteen, .palette, .trueColor] {
      let theme = Theme(.plain, colors: colors)
      for role in Role.allCases {
        #expect(theme[role].background == .standard)
        #expect(theme[role].foreground.paletteIndex.map { $0 < 16 } ?? (theme[role].foreground == .standard))
      }
    }
  }

  @Test func `an override replaces the colour of a role, and the background of a bar`() {
    let theme = Theme(.dark, colors: .trueColor, overrides: [.accent: 0x123456, .selection: 0x654321])
    #expect(theme[.accent].foreground.rgbValue == 0x123456)
    #expect(theme[.accent].attributes == Theme(.dark, colors: .trueColor)[.accent].attributes)
    #expect(theme[.selection].background.rgbValue == 0x654321)
  }

  @Test(arguments: [TerminalAbilities.Colors.sixteen, .palette, .trueColor])
  func `an accent counts for all roles that look like it and have no colour of their own`(
    colors: TerminalAbilities.Colors
  ) {
    let theme = Theme(.dark, colors: colors, overrides: [.accent: 0xFF8800, .key: 0x00FF00])
    for role in [Role.accent, .title, .brand, .label, .heading1, .heading2, .link, .checkbox, .directory] {
      #expect(theme[role].foreground.rgbValue == 0xFF8800, "\(role)")
    }
    #expect(theme[.key].foreground.rgbValue == 0x00FF00)
    let tab = theme[.tabActive]
    #expect((colors == .sixteen ? tab.foreground : tab.background).rgbValue == 0xFF8800)
    for role in [Role.text, .dim, .error, .warning, .new, .success, .member1, .member5, .match] {
      #expect(theme[role] == Theme(.dark, colors: colors)[role], "\(role)")
    }
  }

  @Test func `auto follows the terminal's background, and is dark without one`() {
    func base(_ choice: ThemeChoice, _ background: Theme.Background?) -> Theme.Base {
      choice.theme(colors: .palette, background: background).base
    }
    #expect(base(ThemeChoice(), nil) == .dark)
    #expect(base(ThemeChoice(), .light) == .light)
    #expect(base(ThemeChoice(), .dark) == .dark)
    #expect(base(ThemeChoice(.dark), .light) == .dark)
    #expect(base(ThemeChoice(.plain), .light) == .plain)
  }

  @Test(
    arguments: [(0x000000, Theme.Background.dark), (0x002B36, .dark), (0x282C34, .dark), (0xFDF6E3, .light)]
      as [(UInt32, Theme.Background)])
  func `a background is dark or light`(rgb: UInt32, background: Theme.Background) {
    #expect(Theme.Background(rgb: rgb) == background)
  }

  @Test func `a role is found by its name`() {
    for role in Role.allCases { #expect(Role(name: role.name) == role) }
    #expect(Role(name: "purple") == nil)
  }

  @Test func `the bar of the selection comes and goes without a trace`() {
    for theme in [Theme.colourless, Theme(.dark, colors: .trueColor), Theme(.light, colors: .sixteen)] {
      var canvas = Canvas(Size(10, 2))
      canvas.theme = theme
      func frame(_ selected: Int) -> Grid {
        canvas.begin(Size(10, 2))
        for y in 0..<2 {
          canvas.inside(Rect(0, y, 10, 1)) {
            $0.line(of: y, selected: y == selected ? 10 : 0) { $0.text("a", x: 3, y: 0, style: $0[.dim]) }
          }
        }
        canvas.end()
        return canvas.grid
      }
      let first = frame(0)
      #expect(frame(1) != first)
      #expect(frame(0) == first)
      let bar = (0..<10).map { first[$0, 0].style.shown }
      #expect(bar.allSatisfy { $0.background == bar[0].background && $0.attributes == bar[0].attributes })
    }
  }

  @Test func `a new theme draws kept lines anew`() {
    var canvas = Canvas(Size(4, 1))
    for theme in [Theme.colourless, Theme(.dark, colors: .palette)] {
      canvas.theme = theme
      canvas.begin(Size(4, 1))
      canvas.line(of: 1) { $0.text("x", x: 0, y: 0, style: $0[.error]) }
      canvas.end()
    }
    #expect(canvas.grid[0, 0].style == Theme(.dark, colors: .palette)[.error])
  }

  private static func rgb(_ color: Color) -> UInt32? {
    if let entry = color.paletteIndex {
      if entry < 16 { return basic[Int(entry)] }
      if entry >= 232 { return (UInt32(entry - 232) * 10 + 8) * 0x01_0101 }
      func level(_ step: UInt32) -> UInt32 { step == 0 ? 0 : 55 + 40 * step }
      let place = UInt32(entry - 16)
      return level(place / 36) << 16 | level(place / 6 % 6) << 8 | level(place % 6)
    }
    return color.rgbValue
  }
}
