import Basics
import FileStores
import Foundation
import TestKit
import TextUI
import Testing

/// The pictures of the themes in `docs/images`, taken from a small club.
@Suite(.serialized) struct ThemePictureTests {
  private static func bytes(_ path: String) -> [UInt8]? {
    FileManager.default.contents(atPath: "\(ClubPicture.root)/\(path)").map(Array.init)
  }

  private static func picture(_ theme: ThemeGround) -> String { "docs/images/theme-\(theme.theme).svg" }

  /// Names the theme's content, so that a picture of an older one is found.
  private static func mark(_ theme: ThemeGround) throws -> String {
    let file = try #require(bytes("Sources/App/byteclub/Config/Themes/\(theme.theme).json"), "there is no such theme")
    return "the theme \(theme.theme), \(SHA256.hexadecimal(of: file).prefix(16))"
  }

  @Test(.enabled(if: !ClubPicture.isRecording), arguments: ThemeGround.all)
  func `a picture of a theme is as new as the theme, and the documents show it`(_ theme: ThemeGround) throws {
    let document = Self.bytes(Self.picture(theme)).map { String(decoding: $0, as: UTF8.self) }
    #expect(
      document.flatMap { ScreenPicture.mark(of: $0) } == (try Self.mark(theme)),
      "\(Self.picture(theme)) is not there, or older than the theme: run scripts/pictures.")
    let page = try #require(Self.bytes("docs/themes.md").map { String(decoding: $0, as: UTF8.self) })
    #expect(page.contains("](images/theme-\(theme.theme).svg)"))
  }

  private static let notes = [
    "Packing list.md": """
    # Packing list

    - [x] tripod, *the light one*
    - [ ] **batteries**, see [[Walk]]

    > Ray: bring the `24 mm`.

    ```
    f/8, 1/250 s
    ```

    ## On the way

    1. the pier
    2. the [lighthouse](https://example.org)

    """, "Rules.md": "Two rules:\n", "Walk.md": "We walk on Sunday.\n",
  ]

  private func shown(_ theme: ThemeGround) throws -> ScreenSnapshot {
    let home = try MemberHome(notes: Self.notes)
    defer { withExtendedLifetime(home) {} }
    let session = try home.open(
      showing: "Rules.md", size: Size(100, 20), ["COLORTERM": "truecolor", "BYTECLUB_UI_THEME": theme.theme])
    return try session.wait("the preview", timeout: .patient) { $0.contains("On the way") && $0.contains("all saved") }
  }

  @Test(arguments: ThemeGround.all)
  func `a theme that is named gives the app its colours`(_ theme: ThemeGround) throws {
    let screen = try shown(theme)
    let brand = try #require(screen.place(of: "Byte Club"))
    let file = try #require(Self.bytes("Sources/App/byteclub/Config/Themes/\(theme.theme).json"))
    let blue = try #require(screen.grid[brand.x, brand.y].style.foreground.rgbValue)
    let digits = String(blue, radix: 16, uppercase: true)
    let hex = "#" + String(repeating: "0", count: 6 - digits.count) + digits
    #expect(String(decoding: file, as: UTF8.self).contains("\"blue\": \"\(hex)\""))
  }

  /// Not a test of the program: `scripts/pictures` runs it to take the pictures.
  @Test(.enabled(if: ClubPicture.isRecording), arguments: ThemeGround.all)
  func `a picture of a theme is taken`(_ theme: ThemeGround) throws {
    let drawing = ScreenPicture(try shown(theme).grid, title: "byteclub: \(theme.theme)", mark: try Self.mark(theme))
    let document = try #require(drawing.svg(ground: theme.ground, ink: theme.ink))
    try Data(document.utf8).write(
      to: URL(fileURLWithPath: "\(ClubPicture.root)/\(Self.picture(theme))"), options: .atomic)
  }
}
