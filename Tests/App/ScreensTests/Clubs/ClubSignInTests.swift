import FileStores
import Testing
import TextUI

@testable import Screens

@Suite struct ClubSignInTests {
  @Test func `the address stands alone on its line, and the browser and the code are waited for`() {
    let robot = ClubsRobot(.signIn(club: "cloud"), current: "home")
    #expect(robot.screen.contains("Asking the server ..."))
    robot.take()
    robot.answer(.step(ClubsSamples.step(.code)))
    #expect(robot.take() == ["run await cloud", "run qr \(ClubsSamples.address)"])
    #expect(robot.screen.contains("\n\(ClubsSamples.address)"))
    robot.press("Alt-W")
    #expect(robot.take() == ["copy \(ClubsSamples.address)"])
  }

  @Test func `the code is sent, and the club opens with a sentence`() {
    let robot = ClubsRobot.signIn(.code)
    robot.press("Enter")
    #expect(robot.take().isEmpty, "an empty code is not sent")
    robot.type("qcy?1")
    robot.press("Enter", "Enter")
    #expect(robot.take() == ["run finish cloud qcy?1"] && robot.screen.contains("Asking the server ..."))
    robot.answer(.signedIn("Signed in to Dropbox as Ann."))
    #expect(robot.outcome == .open(club: "cloud", said: "Signed in to Dropbox as Ann.") && robot.take() == ["quit"])
  }

  @Test func `a wrong code stays to be corrected`() {
    let robot = ClubsRobot.signIn(.code)
    robot.type("wrong")
    robot.press("Enter")
    robot.fail(StoreError(.notSignedIn, "The code is wrong."))
    #expect(robot.screen.contains("! The code is wrong.") && robot.screen.contains("wrong") && robot.outcome == nil)
    robot.type("1")
    #expect(!robot.screen.contains("! The code"))
    robot.take()
    robot.press("Enter")
    #expect(robot.take() == ["run finish cloud wrong1"])
  }

  @Test func `the browser of this machine ends it without a key`() {
    let robot = ClubsRobot.signIn(.code)
    #expect(robot.screen.contains("Goes on by itself"))
    robot.answer(.signedIn("Signed in as ann."), .wait)
    #expect(robot.outcome == .open(club: "cloud", said: "Signed in as ann."))
  }

  @Test func `without a browser the code remains, and its failure is said`() {
    let robot = ClubsRobot.signIn(.code)
    robot.answer(.signedIn(nil), .wait)
    #expect(!robot.screen.contains("Goes on by itself") && robot.outcome == nil)
    let failed = ClubsRobot.signIn(.code)
    failed.fail(StoreError(.notPermitted, "You refused it."), .wait)
    #expect(failed.screen.contains("! You refused it.") && failed.screen.contains("Code"))
    let cancelled = ClubsRobot.signIn(.code)
    cancelled.fail(.cancelled("Waiting"), .wait)
    #expect(!cancelled.screen.contains("cancelled"))
  }

  @Test func `a password is never drawn, said, or left in the field after a refusal`() {
    let robot = ClubsRobot.signIn(.password("App password"), address: nil)
    #expect(robot.effects.count == 1, "there is no page to wait for")
    robot.type("qwxz")
    robot.press("Left")
    #expect(robot.screen.contains("App password  ••••") && !robot.screen.contains("qwxz"))
    #expect(robot.grid.cursor?.x == 18)
    robot.press("Enter")
    #expect(robot.take() == ["run finish cloud qwxz"])
    #expect(!robot.screen.contains("qwxz") && robot.notice == nil)
    robot.fail(StoreError(.notSignedIn, "The password is wrong."))
    #expect(robot.screen.contains("! The password is wrong.") && !robot.screen.contains("•"))
    #expect(!robot.screen.contains("qwxz") && robot.notice == nil)
    robot.type("ab")
    robot.press("Enter")
    #expect(robot.take() == ["run finish cloud ab"])
  }

  @Test func `a password longer than its field shows the cursor`() {
    let robot = ClubsRobot.signIn(.password("Password"), size: Size(40, 12), address: nil)
    robot.paste(String(repeating: "pw", count: 100))
    #expect(robot.grid.cursor?.x == 38 && !robot.screen.contains("pw") && robot.screen.contains("•••"))
    robot.press("Home")
    #expect(robot.grid.cursor?.x == 11)
    robot.happen(.abilities(TerminalAbilities(colors: .none, asciiOnly: true)))
    #expect(robot.screen.contains("*****"))
  }

  @Test func `a confirmation takes Enter alone`() {
    let robot = ClubsRobot.signIn(.confirmation)
    #expect(robot.screen.contains("Then press Enter here."))
    robot.press("y")
    #expect(robot.take() == ["copy \(ClubsSamples.address)"])
    robot.press("Enter")
    #expect(robot.take() == ["run finish cloud "])
    robot.answer(.signedIn("Signed in."))
    #expect(robot.outcome == .open(club: "cloud", said: "Signed in."))
  }

  @Test func `a sign-in that cannot begin says why, and Enter tries again`() {
    let robot = ClubsRobot(.signIn(club: "cloud"), current: "home")
    robot.fail()
    #expect(robot.screen.contains("! club.example does not answer. Check the address."))
    robot.take()
    robot.press("Enter")
    #expect(robot.take() == ["run begin cloud"] && robot.screen.contains("Asking the server ..."))
  }

  @Test func `Esc stops the sending, then leads back and stops all calls; late answers are ignored`() {
    let robot = ClubsRobot.list()
    robot.press("j", "j", "Enter")
    robot.answer(.step(ClubsSamples.step(.code)))
    robot.type("code")
    robot.press("Enter")
    let effects = robot.effects
    robot.take()
    robot.press("Esc")
    #expect(robot.take() == ["cancel [clubs.call]"] && robot.title == "Sign in to cloud")
    robot.press("Esc")
    #expect(robot.take() == ["cancel [clubs.wait]", "cancel [clubs.qr]"] && robot.title == "Clubs")
    robot.press("Enter")
    for effect in effects.dropFirst() {
      robot.happen(.answered(effect, .signedIn("Late.")))
      robot.happen(.answered(effect, .step(nil)))
      robot.happen(.failed(effect, ClubsRobot.refusal))
    }
    #expect(robot.outcome == nil && robot.title == "Sign in to cloud" && !robot.screen.contains("does not answer"))
  }

  @Test func `a sign-in at the start leads back to the open club`() {
    let robot = ClubsRobot(.signIn(club: "cloud"), current: "home")
    robot.press("Esc")
    #expect(robot.outcome == .back)
    let first = ClubsRobot(.signIn(club: "cloud"))
    first.press("Esc")
    #expect(first.outcome == nil && first.title == "Clubs" && first.take().last == "run clubs")
  }

  @Test(arguments: [Theme(.dark, colors: .trueColor), Theme(.light, colors: .palette), Theme(.plain, colors: .sixteen)])
  func `the QR code is dark on light in every theme`(theme: Theme) throws {
    let robot = ClubsScene.signIn.robot(Size(120, 40))
    robot.wear(theme)
    let grid = robot.grid
    let cells = (0..<40).flatMap { y in (0..<120).map { grid[$0, y] } }
    let dark = try #require(cells.first { $0.base == 0x2580 })
    #expect(dark.style == Style.pixels(0, over: 0xFFFFFF))
  }

  @Test func `ASCII has no QR code`() {
    let robot = ClubsScene.signIn.robot(Size(120, 40))
    robot.happen(.abilities(TerminalAbilities(colors: .trueColor, asciiOnly: true)))
    #expect(robot.screen.unicodeScalars.allSatisfy { $0.isASCII })
  }
}
