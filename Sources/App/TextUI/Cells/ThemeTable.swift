/// A colour at each depth of a terminal, picked by hand: the nearest palette colour is often wrong.
struct Ink: Sendable {
  let rgb: UInt32
  /// xterm's 256 colours, above the 16 that members redefine.
  let palette: UInt8
  /// nil where no basic colour is readable, for the terminal's default.
  let basic: UInt8?

  init(_ rgb: UInt32, _ palette: UInt8, _ basic: UInt8?) {
    (self.rgb, self.palette, self.basic) = (rgb, palette, basic)
  }

  func color(_ colors: TerminalAbilities.Colors) -> Color {
    switch colors {
    case .none: .standard
    case .sixteen: basic.map(Color.palette) ?? .standard
    case .palette: .palette(palette)
    case .trueColor: .rgb(rgb, palette: palette)
    }
  }
}

/// The contrast against every usual background, and against the selection's bar, is at least 4.5 to 1.
public enum Hue: String, CaseIterable, Sendable {
  case grey, blue, cyan, green, yellow, orange, red, magenta, violet

  var dark: Ink {
    switch self {
    case .grey: Ink(0xA5ADC8, 146, nil)
    case .blue: Ink(0x89B4FA, 111, 14)
    case .cyan: Ink(0x7DD5E6, 116, 6)
    case .green: Ink(0xA6DA95, 150, 2)
    case .yellow: Ink(0xF0D399, 222, 3)
    case .orange: Ink(0xF5B283, 216, 3)
    case .red: Ink(0xF7949F, 211, 9)
    case .magenta: Ink(0xF0B3E6, 218, 13)
    case .violet: Ink(0xC9AAFF, 183, 13)
    }
  }

  var light: Ink {
    switch self {
    case .grey: Ink(0x565B73, 59, nil)
    case .blue: Ink(0x1A4FD0, 25, 4)
    case .cyan: Ink(0x006680, 24, 4)
    case .green: Ink(0x2A6B1F, 22, nil)
    case .yellow: Ink(0x7A5200, 58, nil)
    case .orange: Ink(0x9A4300, 88, 1)
    case .red: Ink(0xB3142F, 124, 1)
    case .magenta: Ink(0xA01A86, 90, 5)
    case .violet: Ink(0x6D2ECF, 55, 5)
    }
  }

  var plain: UInt8? {
    switch self {
    case .grey: nil
    case .blue: 4
    case .cyan: 6
    case .green: 2
    case .yellow, .orange: 3
    case .red: 1
    case .magenta, .violet: 5
    }
  }
}

struct Ground: Sendable {
  let dark: Ink
  let light: Ink

  /// With 16 colours the selection is in reverse.
  static let selection = Ground(dark: Ink(0x31405F, 237, nil), light: Ink(0xD3E2FC, 189, nil))
  static let code = Ground(dark: Ink(0x2A2D3D, 236, nil), light: Ink(0xEEF0F5, 255, nil))
}

struct RoleRow {
  var hue: Hue?
  /// Attributes with colour, and without.
  var attributes: Style.Attributes = []
  var bare: Style.Attributes = []
  var ground: Ground?
  /// The text on `ground`, where the terminal's own colour might not be readable.
  var inkOnGround: (dark: Ink, light: Ink)?
  var isBlock = false

  func style(_ base: Theme.Base, _ colors: TerminalAbilities.Colors) -> Style {
    guard colors > .none else { return Style(bare) }
    if base == .plain || colors == .sixteen {
      let color: Color =
        switch base {
        case .plain: hue?.plain.map(Color.palette) ?? .standard
        case .dark: hue?.dark.color(.sixteen) ?? .standard
        case .light: hue?.light.color(.sixteen) ?? .standard
        }
      // Without a colour, attributes replace it.
      if isBlock || color == .standard { return Style(bare) }
      return Style(attributes, foreground: color)
    }
    func ink(_ dark: Ink?, _ light: Ink?) -> Color { (base == .light ? light : dark)?.color(colors) ?? .standard }
    let color = ink(hue?.dark ?? inkOnGround?.dark, hue?.light ?? inkOnGround?.light)
    if isBlock {
      let onto = base == .light ? Ink(0xFFFFFF, 231, 15) : Ink(0x1A1B26, 234, 0)
      return Style(attributes, foreground: onto.color(colors), background: color)
    }
    return Style(attributes, foreground: color, background: ink(ground?.dark, ground?.light))
  }
}

extension Role {
  /// In the hue of `accent` or in its neighbour, and not to tell one member from another.
  var followsAccent: Bool {
    switch self {
    case .member1, .member2, .member3, .member4, .member5, .member6: false
    default: row.hue == .blue || row.hue == .cyan
    }
  }

  var row: RoleRow {
    switch self {
    case .text, .notice, .tabIdle: RoleRow()
    case .dim, .quote, .columnHead: RoleRow(hue: .grey, bare: .dim)
    case .rule, .border: RoleRow(hue: .grey, bare: .dim)
    case .accent, .title, .label, .brand: RoleRow(hue: .blue, attributes: .bold, bare: .bold)
    case .key: RoleRow(hue: .cyan, attributes: .bold, bare: .bold)
    case .selection:
      RoleRow(bare: .reverse, ground: .selection, inkOnGround: (Ink(0xF2F4FA, 255, nil), Ink(0x1B1D28, 234, nil)))
    case .tabActive: RoleRow(hue: .blue, attributes: .bold, bare: [.reverse, .bold], isBlock: true)
    case .new: RoleRow(hue: .magenta, attributes: .bold, bare: .bold)
    case .success, .online: RoleRow(hue: .green)
    case .warning, .offline, .waiting: RoleRow(hue: .yellow, attributes: .bold, bare: .bold)
    case .error: RoleRow(hue: .red, attributes: .bold, bare: .bold)
    case .question: RoleRow(hue: .yellow, attributes: .bold, bare: .bold)
    case .heading1: RoleRow(hue: .blue, attributes: [.bold, .underline], bare: [.bold, .underline])
    case .heading2: RoleRow(hue: .cyan, attributes: .bold, bare: .bold)
    case .heading3: RoleRow(hue: .violet, attributes: .bold, bare: .bold)
    case .link: RoleRow(hue: .blue, attributes: .underline, bare: .underline)
    case .code: RoleRow(hue: .orange)
    case .codeBlock: RoleRow(ground: .code, inkOnGround: (Ink(0xE4E7F0, 254, nil), Ink(0x24262F, 235, nil)))
    case .added: RoleRow(hue: .green)
    case .removed: RoleRow(hue: .red)
    case .member1: RoleRow(hue: .blue)
    case .member2: RoleRow(hue: .green)
    case .member3: RoleRow(hue: .magenta)
    case .member4: RoleRow(hue: .yellow)
    case .member5: RoleRow(hue: .cyan)
    case .member6: RoleRow(hue: .orange)
    case .strong: RoleRow(attributes: .bold, bare: .bold)
    case .emphasis: RoleRow(attributes: .italic, bare: .italic)
    case .strikethrough: RoleRow(hue: .grey, attributes: .strikethrough, bare: [.dim, .strikethrough])
    case .tag: RoleRow(hue: .violet)
    case .checkbox, .bullet: RoleRow(hue: .cyan)
    case .match: RoleRow(hue: .yellow, attributes: [.bold, .underline], bare: [.bold, .underline])
    case .found: RoleRow(hue: .yellow, attributes: .bold, bare: [.bold, .reverse], isBlock: true)
    case .progress: RoleRow(hue: .green)
    case .progressRest: RoleRow(hue: .grey, bare: .dim)
    case .marked: RoleRow(hue: .yellow, attributes: .bold, bare: .bold)
    case .directory: RoleRow(hue: .blue, attributes: .bold, bare: .bold)
    }
  }
}
