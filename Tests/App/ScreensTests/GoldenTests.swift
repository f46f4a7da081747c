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
    arguments: [Scene.preview, .find, .reader, .rendered, .help, .transferList, .error, .grid, .hotSpotChosen],
    Look.allCases)
  func `the main views look as they did in every theme`(scene: Scene, look: Look) {
    let robot = scene.robot(Size(120, 40))
    robot.wear(look.theme, isASCII: look == .ascii)
    let name = scene.rawValue.map { $0.isUppercase ? "-" + $0.lowercased() : "\($0)" }.joined()
    expectGolden(robot.grid, named: "\(name)-\(look.rawValue)-120x40")
    guard look == .ascii, scene != .reader, scene != .rendered else { return }
    // Names and texts stay as they are.
    #expect(!robot.screen.unicodeScalars.contains { "│▲▼●○↑━─▌·█▁…".unicodeScalars.contains($0) })
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
