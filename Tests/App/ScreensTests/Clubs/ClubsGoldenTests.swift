import TestKit
import Testing
import TextUI

@testable import Screens

/// Snapshots of the screen of clubs. `RECORD_SNAPSHOTS=1` records; review the changes before you keep them.
@Suite struct ClubsGoldenTests {
  @Test(arguments: ClubsScene.allCases, [Size(80, 24), Size(120, 40), Size(40, 12), Size(200, 60)])
  func `each view of clubs looks as it did`(scene: ClubsScene, size: Size) {
    expectGolden(scene.robot(size).grid, named: "clubs-\(name(scene))-\(size.width)x\(size.height)")
  }

  @Test(arguments: [ClubsScene.firstStart, .list, .form, .signIn], ["colourless", "ascii"])
  func `views of clubs look as they did without colours and in ASCII`(scene: ClubsScene, look: String) {
    let robot = scene.robot(Size(120, 40))
    robot.happen(.abilities(TerminalAbilities(colors: .none, asciiOnly: look == "ascii")))
    robot.wear(.colourless)
    expectGolden(robot.grid, named: "clubs-\(name(scene))-\(look)-120x40")
    if look == "ascii" { #expect(robot.screen.unicodeScalars.allSatisfy { $0.isASCII }) }
  }

  private func name(_ scene: ClubsScene) -> String {
    scene.rawValue.map { $0.isUppercase ? "-" + $0.lowercased() : "\($0)" }.joined()
  }
}
