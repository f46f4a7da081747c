import TestKit
import Testing
import TextUI

@testable import Screens

/// Snapshots of the wall. `RECORD_SNAPSHOTS=1` records; review the changes before you keep them.
@Suite struct WallGoldenTests {
  @Test(arguments: WallScene.allCases, [Size(80, 24), Size(120, 40), Size(40, 12), Size(200, 60)])
  func `the wall looks as it did`(scene: WallScene, size: Size) {
    let name = scene.rawValue.map { $0.isUppercase ? "-" + $0.lowercased() : "\($0)" }.joined()
    expectGolden(scene.robot(size).grid, named: "wall-\(name)-\(size.width)x\(size.height)")
  }

  @Test(arguments: [WallScene.words, .sphere, .code])
  func `the wall looks as it did on a terminal that draws pixels`(scene: WallScene) {
    let grid = scene.robot(Size(120, 40), .kitty).grid
    #expect(grid.pictures.count == 1)
    expectGolden(grid, named: "wall-\(scene.rawValue)-kitty-120x40")
  }

  @Test(arguments: WallScene.allCases)
  func `no cell of the wall holds what drives a terminal or hides`(scene: WallScene) {
    for payload in HostileTests.payloads where !payload.bytes.contains(UInt8(ascii: "/")) {
      let text = String(decoding: payload.bytes, as: UTF8.self)
      var words = WallWords()
      (words.member, words.caption, words.remarks) = (text, text, ["\(text): \(text)", text])
      for size in [Size(80, 24), Size(40, 12)] {
        let robot = scene.robot(size, name: text + ".jpg", words: words)
        #expect(robot.grid.fault == nil, "\(payload.name)")
        for key in ["x", "Space", "Right", "U"] {
          robot.press(key)
          #expect(robot.grid.fault == nil, "\(payload.name), then \(key)")
        }
      }
    }
  }
}
