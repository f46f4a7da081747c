import Foundation
import TestKit
import Testing
import TextUI

@testable import byteclub

/// Themes by name: those of byteclub, and a member's own.
struct ThemeFileTests {
  private static let folder = String(
    #filePath.prefix(upTo: #filePath.range(of: "/Tests/", options: .backwards)?.lowerBound ?? #filePath.endIndex)
  ).appending("/Sources/App/byteclub/Config/Themes")

  private func report(_ json: String, own: [String: String] = [:]) -> ConfigReport {
    ConfigReader.read(
      ConfigReaderTests.table, file: Array(json.utf8), place: "config.json", environment: Environment([:]),
      theme: { name in own[name].map { Array($0.utf8) } })
  }

  @Test func `every file of the folder is a theme with a name`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder)
    #expect(Set(files) == Set(ThemeFile.builtIn.keys.map { "\($0).json" }))
    #expect(Set(ThemeGround.all.map(\.theme)) == Set(ThemeFile.builtIn.keys))
    for name in ThemeFile.builtIn.keys {
      let file = FileManager.default.contents(atPath: "\(Self.folder)/\(name).json").map(Array.init)
      #expect(ThemeFile.builtIn[name] == file)
    }
  }

  @Test(arguments: ThemeGround.all)
  func `a theme gives each hue a colour that is readable on its ground and its selection`(_ theme: ThemeGround) throws {
    let report = report(#"{"ui":{"theme":"\#(theme.theme)"}}"#)
    #expect(report.faults.isEmpty && report.warnings.isEmpty)
    let choice = report.config.theme
    #expect(choice.base == (Theme.Background(rgb: theme.ground) == .dark ? .dark : .light))
    let bar = try #require(choice.overrides[.selection])
    for hue in Hue.allCases {
      let colour = try #require(choice.hues[hue], "\(hue)")
      #expect(Contrast.ratio(colour, theme.ground) >= 4, "\(hue) on the ground")
      #expect(Contrast.ratio(colour, bar) >= 3, "\(hue) on the selection")
    }
  }

  @Test func `a theme of the member's own goes before one of that name`() {
    let own = ["nord": ##"{"base":"light","blue":"#0000AA","heading1":"#123456"}"##]
    #expect(
      report(#"{"ui":{"theme":"nord"}}"#, own: own).config.theme
        == ThemeChoice(.light, overrides: [.heading1: 0x123456], hues: [.blue: 0x0000AA]))
  }

  @Test func `an object changes colours of the theme that is its base`() {
    let own = ["mine": ##"{"base":"dark","blue":"#0000FF"}"##]
    let theme = report(##"{"ui":{"theme":{"base":"mine","red":"#FF0000"}}}"##, own: own).config.theme
    #expect(theme == ThemeChoice(.dark, hues: [.blue: 0x0000FF, .red: 0xFF0000]))
  }

  @Test(arguments: [
    (
      ##"{"base":"dark","blu":"#0000FF"}"##,
      ##"themes/mine.json, line 1: "blu" is "#0000FF"; it must be the colour of a hue or a role, such as "blue"; "man byteclub" lists them."##
    ),
    (
      ##"{"base":"dark","blue":"blue"}"##,
      ##"themes/mine.json, line 1: "blue" is "blue"; it must be a colour such as "#7AA2F7"."##
    ),
    (
      "{\"base\":\"dark\",\n\"blue\":7}",
      ##"themes/mine.json, line 2: "blue" is 7; it must be a colour such as "#7AA2F7"."##
    ),
    (#"{"base":"nord"}"#, #"themes/mine.json: "base" must be "dark", "light" or "plain"."#),
    ("{}", #"themes/mine.json: "base" must be "dark", "light" or "plain"."#),
    ("[]", "themes/mine.json: the config must be an object in braces."),
    ("{", "themes/mine.json, line 1: not valid JSON"),
  ])
  func `a fault in a theme names its place`(_ row: (theme: String, fault: String)) {
    let report = report(#"{"ui":{"theme":"mine"}}"#, own: ["mine": row.theme])
    #expect(report.faults.count == 1 && report.faults[0].hasPrefix(row.fault), "\(report.faults)")
  }

  @Test(arguments: ["../nord", "a/b", "Nord", "", "-x", "a.json"])
  func `a theme's name is no path`(_ name: String) {
    let report = report(#"{"ui":{"theme":"\#(name)"}}"#, own: [name: #"{"base":"dark"}"#])
    #expect(report.faults.count == 1)
  }
}
