import Testing
import TextUI

@testable import Screens

@Suite struct ClubsKeyTests {
  private static let commands = KeyCommand.all.filter {
    [.clubs, .clubPlaces, .clubForm, .clubLine].contains($0.place)
  }

  @Test(arguments: commands)
  func `each key does something, and so does one from the config in its place`(command: KeyCommand) throws {
    for table in [KeyTable.standard, KeyTable(changes: [command.id: [Key(.function(9))]])] {
      for key in table.keys(for: command.id) {
        let robot = place(of: command, table)
        let before = robot.grid
        robot.press(key.name)
        #expect(robot.grid != before || !robot.take().isEmpty, "\(key)")
      }
    }
    let robot = place(of: command, KeyTable(changes: [command.id: [Key(.function(9))]]))
    let before = robot.grid
    robot.press(command.keys[0].name)
    // An arrow that nothing else has would scroll, and letters are typed.
    if command.place != .clubForm { #expect(robot.grid.text(ofRow: 2) == before.text(ofRow: 2)) }
    #expect(robot.take().isEmpty)
  }

  @Test func `the footer shows the keys of the config`() {
    let table = KeyTable(changes: [.clubsAdd: [Key(.function(7))], .clubFormSend: [Key(.function(8))]])
    let robot = ClubsRobot(.list, current: "home", keys: table)
    #expect(robot.footer.contains("F7 add"))
    robot.press("F7", "2", "Enter")
    #expect(robot.footer.contains("F8 send") && robot.footer.contains("F1 help") && robot.footer.contains("Esc back"))
  }

  /// A view in which the command has an effect.
  private func place(of command: KeyCommand, _ keys: KeyTable) -> ClubsRobot {
    let robot: ClubsRobot
    switch (command.place, command.id) {
    case (.clubForm, .clubFormCopy):
      robot = ClubsRobot(.signIn(club: "cloud"), current: "home", keys: keys)
      robot.answer(.step(ClubsSamples.step(.code)))
    case (.clubForm, _):
      robot = ClubsRobot(.add, current: "home", keys: keys)
      robot.happen(.input(.typed(Key(.character("3")))))
      robot.happen(.input(.command(.clubPlacesTake)))
      robot.happen(.input(.command(.clubFormNext)))
    case (.clubPlaces, _): robot = ClubsRobot(.add, current: "home", keys: keys)
    default:
      robot = ClubsRobot(.list, current: "pier", keys: keys)
      robot.answer(.rows(ClubsSamples.rows), .list)
      guard command.place == .clubLine else { break }
      robot.happen(.input(.command(.clubsLine)))
      robot.answer(.line(ClubsSamples.line))
    }
    robot.take()
    return robot
  }
}
