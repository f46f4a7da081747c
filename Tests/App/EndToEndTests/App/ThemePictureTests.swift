import Basics
import FileStores
import Foundation
import TestKit
import TextUI
import Testing

/// The pictures of the themes in `docs/images`, taken from the demo.
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

  /// Not a test of the program: `scripts/pictures` runs it to take the pictures.
  @Test(.enabled(if: ClubPicture.isRecording), arguments: ThemeGround.all)
  func `a picture of a theme is taken`(_ theme: ThemeGround) throws {
    let demo = try RunningDemo(
      size: Size(100, 20), ["COLORTERM": "truecolor", "BYTECLUB_UI_THEME": theme.theme])
    try demo.session.see("Guestbook.md")
    let place = try demo.place()
    try demo.wait("Robin's line") { demo.text(place + "/club/Guestbook.md").contains("Robin: Hello!") }
    demo.session.press("G")
    let screen = try demo.session.wait("the preview", timeout: .patient) { $0.contains("Welcome to the demo") }
    let drawing = ScreenPicture(screen.grid, title: "byteclub: \(theme.theme)", mark: try Self.mark(theme))
    let document = try #require(drawing.svg(ground: theme.ground, ink: theme.ink))
    try Data(document.utf8).write(
      to: URL(fileURLWithPath: "\(ClubPicture.root)/\(Self.picture(theme))"), options: .atomic)
  }
}
