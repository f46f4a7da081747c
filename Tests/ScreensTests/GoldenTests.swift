import TestKit
import Testing
import TextUI

@testable import Screens

/// Every view, as a member sees it. `RECORD_SNAPSHOTS=1` records; look at what changed before it is kept.
@Suite struct GoldenTests {
  @Test(arguments: Scene.allCases, [Size(80, 24), Size(120, 40), Size(40, 12)])
  func `each view looks as it did`(scene: Scene, size: Size) {
    let name = scene.rawValue.map { $0.isUppercase ? "-" + $0.lowercased() : "\($0)" }.joined()
    expectGolden(scene.robot(size).grid, named: "\(name)-\(size.width)x\(size.height)")
  }
}
