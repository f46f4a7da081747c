import Testing
import TextUI

@testable import Screens

/// The theme follows the terminal's background, whenever that is known.
@Suite struct ThemeChoiceTests {
  private static func start(
    _ theme: ThemeChoice, colors: TerminalAbilities.Colors = .trueColor, background: Theme.Background? = nil
  ) -> (ClubState, ClubScreen.Commands) {
    let frame = Frame(
      size: Size(80, 24), abilities: TerminalAbilities(colors: colors, background: background), keys: .standard,
      club: "home", theme: theme)
    return ClubScreen.start(frame, downloadDirectory: "~", club: "home")
  }

  private static func asks(_ commands: ClubScreen.Commands) -> Bool {
    commands.contains { if case .askBackground = $0 { true } else { false } }
  }

  @Test func `auto asks for the background and follows the answer`() throws {
    var (state, commands) = Self.start(ThemeChoice())
    #expect(Self.asks(commands))
    #expect(state.frame.theme.base == .dark)
    let action = try #require(ClubScreen.action(for: .background(0xFDF6E3), in: state))
    _ = ClubScreen.update(&state, action)
    #expect(state.frame.theme == Theme(.light, colors: .trueColor))
    _ = ClubScreen.update(&state, .background(0x1E1E2E))
    #expect(state.frame.theme == Theme(.dark, colors: .trueColor))
  }

  @Test(
    arguments: [
      (nil, nil, .plain), (nil, .light, .light), (nil, .dark, .dark), (.dark, nil, .dark), (.light, nil, .light),
    ] as [(Theme.Base?, Theme.Background?, Theme.Base)])
  func `what is shown before the terminal has answered is right on any background`(
    chosen: Theme.Base?, background: Theme.Background?, base: Theme.Base
  ) {
    #expect(ThemeChoice(chosen).firstTheme(colors: .trueColor, background: background).base == base)
  }

  @Test func `the environment decides until the terminal answers`() {
    let (state, _) = Self.start(ThemeChoice(), background: .light)
    #expect(state.frame.theme.base == .light)
  }

  @Test(arguments: Theme.Base.allCases)
  func `a chosen theme stays, and the terminal is not asked`(base: Theme.Base) {
    var (state, commands) = Self.start(ThemeChoice(base))
    #expect(!Self.asks(commands))
    _ = ClubScreen.update(&state, .background(0xFDF6E3))
    #expect(state.frame.theme.base == base)
  }

  @Test func `without colours the terminal is not asked`() {
    let (state, commands) = Self.start(ThemeChoice(), colors: .none)
    #expect(!Self.asks(commands))
    #expect(state.frame.theme[.error] == .bold)
  }

  @Test func `an answer does not clear the notice`() {
    var (state, _) = Self.start(ThemeChoice())
    state.frame.complain("No.")
    _ = ClubScreen.update(&state, .background(0xFFFFFF))
    #expect(state.frame.notice?.text == "No.")
  }
}
