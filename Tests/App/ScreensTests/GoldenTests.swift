import TestKit
import Testing
import TextUI

@testable import Screens

/// Snapshots of every view. `RECORD_SNAPSHOTS=1` records; review the changes before you keep them.
@Suite struct GoldenTests {
  @Test(arguments: Scene.allCases, [Size(80, 24), Size(120, 40), Size(40, 12), Size(200, 60)])
  func `each view looks as it did`(scene: Scene, size: Size) {
    let name = scene.rawValue.map { $0.isUppercase ? "-" + $0.lowercased() : "\($0)" }.joined()
    expectGolden(scene.robot(size).grid, named: "\(name)-\(size.width)x\(size.height)")
  }

  /// The looks of a screen.
  enum Look: String, CaseIterable {
    case dark, light, sixteen, colourless, ascii

    var theme: Theme {
      switch self {
      case .dark: Theme(.dark, colors: .trueColor)
      case .light: Theme(.light, colors: .palette)
      case .sixteen: Theme(.dark, colors: .sixteen)
      case .colourless, .ascii: .colourless
      }
    }
  }

  @Test(
    arguments: [Scene.preview, .find, .reader, .rendered, .help, .transferList, .error, .grid, .hotSpotChosen, .gazes],
    Look.allCases)
  func `the main views look as they did in every theme`(scene: Scene, look: Look) {
    let robot = scene.robot(Size(120, 40))
    robot.wear(look.theme, isASCII: look == .ascii)
    let name = scene.rawValue.map { $0.isUppercase ? "-" + $0.lowercased() : "\($0)" }.joined()
    expectGolden(robot.grid, named: "\(name)-\(look.rawValue)-120x40")
    guard look == .ascii, scene != .reader, scene != .rendered else { return }
    // Names and texts stay as they are.
    #expect(!robot.screen.unicodeScalars.contains { "│▲▼●○↑━─▌·█▁…◎◂▸".unicodeScalars.contains($0) })
  }

  @Test(
    arguments: ["list", "reader", "rendered", "editor"], [Size(80, 24), Size(120, 40), Size(40, 12), Size(200, 60)])
  func `names and texts of grapheme clusters look as they did, whole and in parts`(view: String, size: Size) {
    for isWhole in [true, false] {
      Graphemes.$assumed.withValue(isWhole) {
        let robot = Self.clusters(view, size)
        expectGolden(
          robot.grid, named: "clusters-\(view)-\(isWhole ? "whole" : "parts")-\(size.width)x\(size.height)")
      }
    }
  }

  private static func clusters(_ view: String, _ size: Size) -> Robot {
    let names = ["👨‍👩‍👧‍👦 family.md", "🇩🇪🇫🇷 trip.md", "1️⃣ first.txt", "क्षितिज.md", "👍🏽 yes.md", "กำแพง.md"]
    let text =
      "# 👩🏽‍🚀 Day 1️⃣\n\n🇩🇪 Berlin, 🇫🇷 Paris ❤️ " + String(repeating: "👨‍👩‍👧‍👦", count: 30) + "\n\n"
      + String(repeating: "क्षितिज ", count: 20) + "\n\n| 🏳️‍🌈 | x |\n|---|---|\n| का | y |\n"
    let robot = Robot(notes: names, size: size)
    guard view != "list" else { return robot }
    let name = view == "reader" ? "1️⃣ first.txt" : "👍🏽 yes.md"
    robot.happen(.asked(Samples.path(name)))
    robot.happen(.opened(Samples.note(name, text), .read))
    if view == "editor" { robot.press("i", "Down", "Down", "Right") }
    return robot
  }

  @Test(arguments: ["normal", "insert", "visual", "search", "form"], [Size(80, 24), Size(40, 12)])
  func `the editor with vi's keys looks as it did`(mode: String, size: Size) {
    let robot = ViScreenTests.editing("# Paint\n\none two three\nfour five\n", size: size)
    switch mode {
    case "insert": robot.type("jjwcwnew")
    case "visual": robot.type("jjwvj")
    case "search": robot.type("/fi")
    case "form":
      robot.type(":q\n")
      robot.press("Esc", "n", "Tab")
      robot.type("iabc")
    default: robot.type("jj2d")
    }
    expectGolden(robot.grid, named: "vi-\(mode)-\(size.width)x\(size.height)")
  }
}
