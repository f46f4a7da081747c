import FileStores
import TextUI

@testable import Screens

/// The views of the screen of clubs. `text` comes from others, so tests can make it hostile.
enum ClubsScene: String, CaseIterable {
  case firstStart, list, invitation, form, signIn, password, shownLine, fault

  func robot(_ size: Size = Size(80, 24), text: String? = nil) -> ClubsRobot {
    let refusal = StoreError(.badInput, text ?? "club.example has no club.", remedy: text ?? "Check the address.")
    switch self {
    case .firstStart: return ClubsRobot(size: size)
    case .list:
      var rows = ClubsSamples.rows
      if let text { for row in rows.indices { (rows[row].name, rows[row].place) = (text, text) } }
      return .list(size, rows: rows)
    case .invitation:
      let robot = ClubsRobot(.join(text ?? ClubsSamples.invitation), size: size)
      robot.fail(refusal)
      return robot
    case .form:
      let robot = ClubsRobot.form(size)
      robot.press("Ctrl-S")
      robot.answer(
        .findings([
          FormFinding(field: "url", text ?? "cloud.example answers, and is no WebDAV server.", isError: true),
          FormFinding(text ?? "The certificate is good.", isError: false),
        ]), .check)
      return robot
    case .signIn, .password:
      let robot = ClubsRobot(.signIn(club: text ?? "cloud"), size: size)
      let input: SignInStep.Input = self == .signIn ? .code : .password(text ?? "App password")
      var step = ClubsSamples.step(input)
      if let text { step = SignInStep(club: text, sentence: text, address: text, input: input) }
      robot.answer(.step(step))
      robot.answer(.qr(ClubsSamples.smallQR), .qr)
      robot.type("hunter2")
      if self == .password { robot.press("Enter") }
      return robot
    case .shownLine:
      let robot = ClubsRobot.list(size)
      robot.press("Down", "d")
      robot.answer(.line(text.map { ShownLine(line: $0, sentences: [$0]) } ?? ClubsSamples.line))
      robot.answer(.qr(ClubsSamples.qr), .qr)
      return robot
    case .fault:
      var row = ClubRow(name: "pier", place: "")
      row.state = .broken(text ?? String(repeating: "The file of the club \"pier\" is damaged. ", count: 9))
      let robot = ClubsRobot.list(size, rows: [row])
      robot.press("Enter")
      return robot
    }
  }
}
