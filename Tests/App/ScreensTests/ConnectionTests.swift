import ClubServices
import FileStores
import TextUI
import Testing

@testable import Screens

/// An outage of the club's server, on the screen and after the reconnection.
@Suite struct ConnectionTests {
  private static let server = "https://club.example:8443"
  private let refused = StoreError(
    .offline, "club.example:8443 refuses connections.", remedy: "Ask the club's owner whether the server runs.")
  private let busy = StoreError(.rateLimited, "club.example:8443 asks for fewer requests.")

  private func robot(_ size: Size = Size(120, 30), listed: Bool = true) -> Robot {
    let robot = Robot(size, server: ConnectionTests.server)
    if listed { robot.happen(.listed(Samples.table(["a", "b"]))) }
    return robot
  }

  private func offline(_ ago: Int64 = 0) -> ClubAction {
    .connection(.offline(since: Samples.now - ago, refused))
  }

  private func top(_ robot: Robot) -> String { robot.grid.text(ofRow: 0) }

  @Test func `a club in a folder has no connection`() {
    let robot = Robot(notes: ["a"])
    #expect(!Robot().take().contains("run follow the connection [club.connection]"))
    #expect(top(robot).hasSuffix("home: ~/ByteClub"))
    #expect(ClubScreen.tick(robot.state) == nil)
  }

  @Test func `a club behind a server shows at the right whether that answers`() {
    let robot = robot(listed: false)
    #expect(robot.take().contains("run follow the connection [club.connection]"))
    #expect(top(robot).contains("pier: https://club.example:8443  ○ connecting"))
    robot.happen(.connection(.online))
    #expect(top(robot).contains("pier: https://club.example:8443  ● syncing"))
    #expect(ClubScreen.tick(robot.state) == nil)
    robot.happen(offline())
    #expect(top(robot).contains("club.example:8443  ○ offline"))
    #expect(ClubScreen.tick(robot.state) == 60)
    robot.wait(seconds: 59)
    #expect(ClubScreen.tick(robot.state) == 1)
    robot.wait(seconds: 12 * 60 - 59)
    #expect(top(robot).contains("club.example:8443  ○ offline 12 min"))
    #expect(ClubScreen.tick(robot.state) == 60)
    robot.happen(.connection(.online))
    #expect(top(robot).contains("  ● syncing"))
  }

  @Test func `a note that is being opened while the server is away says so before it fails`() {
    let robot = robot()
    robot.press("Enter")
    #expect(robot.view == "opening" && !robot.screen.contains("No connection"))
    robot.happen(offline())
    #expect(robot.grid.text(ofRow: 3) == " Loading.")
    #expect(robot.grid.text(ofRow: 5).contains("No connection. Trying again. club.example:8443 refuses connections."))
    robot.press("Esc", "H")
    #expect(robot.view == "history" && robot.grid.text(ofRow: 5).contains("No connection. Trying again."))
  }

  @Test(
    "What has no room goes: the place, the club, the minutes",
    arguments: [
      (80, "pier  ○ offline 12 min"), (60, "○ offline 12 min"), (48, "○ offline 12 min"), (40, "○ offline"),
    ])
  func narrow(width: Int, text: String) {
    let robot = robot(Size(width, 12))
    robot.happen(offline(12 * 60))
    let top = top(robot).trimmed
    #expect(top.hasSuffix(text))
    #expect(text.hasPrefix("pier") || !top.contains("pier"))
    #expect(top.contains(width < 60 ? "1 Notes   2 PanoPhotos" : "1 Notes 2   2 PanoPhotos"))
    #expect(top.contains("Byte Club") == (width >= 60))
    #expect(!text.contains("min") == !top.contains("min"))
  }

  @Test func `an outage is reported once, with the key that tries now, and the notice goes when it is over`() {
    let robot = robot()
    robot.happen(offline())
    let sentence =
      "No connection. Trying again. club.example:8443 refuses connections. Press r to try now."
    #expect(robot.notice == sentence)
    #expect(robot.screen.contains("No connection. Trying again."))
    robot.happen(.files(.watchInterrupted(refused)))
    robot.happen(.listFailed(refused))
    #expect(robot.notice == sentence)
    robot.happen(.connection(.online))
    #expect(robot.notice == nil)
    robot.happen(offline())
    robot.press("j")
    robot.happen(offline(3))
    #expect(robot.notice == nil)
  }

  @Test func `the failure of a save stays, whatever else fails by itself after it`() {
    let robot = robot()
    robot.happen(.warned("\"a.md\" was not saved."))
    robot.happen(.files(.watchInterrupted(refused)))
    robot.happen(.listFailed(refused))
    robot.happen(photos: .files(.watchInterrupted(refused)))
    robot.happen(photos: .listFailed(refused))
    robot.happen(offline())
    robot.happen(.keeping(refused))
    #expect(robot.notice == "\"a.md\" was not saved.")
    robot.happen(.connection(.online))
    robot.happen(.files(.watchResumed))
    #expect(robot.notice == "\"a.md\" was not saved.")
    robot.press("j")
    #expect(robot.notice == nil)
  }

  @Test func `a list without rows says the failed try in their place, and nowhere else`() {
    let robot = robot(listed: false)
    #expect(robot.screen.contains("Reading the club's folder."))
    robot.happen(offline())
    #expect(!robot.screen.contains("Reading the club's folder."))
    #expect(robot.screen.contains("No connection. Trying again."))
    #expect(robot.screen.contains("club.example:8443 refuses connections. Press r to try now."))
    robot.happen(.listFailed(refused))
    #expect(robot.notice == nil)
    #expect(robot.screen.split(separator: "refuses connections", omittingEmptySubsequences: false).count == 2)
  }

  @Test func `a pause that the server asks for counts down, and x and Ctrl-C end it`() {
    for key in ["x", "Ctrl-C"] {
      let robot = robot(listed: false)
      robot.happen(.connection(.waiting(until: Samples.now + 30, busy)))
      #expect(top(robot).contains("waiting 30 s"))
      #expect(robot.screen.contains("Waiting 30 s before the next try."))
      #expect(ClubScreen.tick(robot.state) == 1)
      robot.wait(seconds: 3)
      #expect(robot.screen.contains("Waiting 27 s before the next try."))
      robot.take()
      robot.press(key)
      #expect(robot.take() == ["cancel [notes.list]", "run end pauses"])
      #expect(robot.notice == "club.example:8443 asks for fewer requests. Press r to try again.")
      #expect(!robot.screen.contains("Reading the club's folder.") && robot.question == nil)
    }
  }

  @Test func `a pause that is over is no wait of 0 s`() {
    let robot = robot(listed: false)
    robot.happen(.connection(.waiting(until: Samples.now + 2, busy)))
    robot.wait(seconds: 2)
    #expect(top(robot).contains("busy") && !top(robot).contains("waiting") && ClubScreen.tick(robot.state) == nil)
    #expect(robot.screen.contains("The server is busy.") && !robot.screen.contains("Waiting"))
    #expect(robot.screen.contains("Press r to try now."))
  }

  @Test func `while a text is typed, Ctrl-C ends the wait and leaves the text`() {
    let robot = robot()
    robot.press("n")
    robot.type("tide")
    robot.press("Tab")
    robot.type("six")
    robot.happen(.connection(.waiting(until: Samples.now + 30, busy)))
    robot.take()
    robot.press("Ctrl-C")
    #expect(robot.take().contains("run end pauses"))
    #expect(robot.question == nil && robot.screen.contains("six"))
  }

  @Test func `a countdown over a list goes on in the notice`() {
    let robot = robot()
    robot.happen(.connection(.waiting(until: Samples.now + 30, busy)))
    robot.wait(seconds: 10)
    #expect(robot.screen.contains("Waiting 20 s before the next try."))
  }

  @Test func `a photo that cannot be shown while the server is away says so in its place`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    robot.happen(offline())
    robot.press("Enter")
    robot.happen(photos: .failed(.view(Samples.path("photos/a.jpg"), onDisk: nil), refused))
    #expect(robot.screen.contains("No connection. Trying again."))
    #expect(robot.screen.contains("club.example:8443 refuses connections. Press r to try now."))
  }

  @Test func `changes that arrive late are reported once, and the notice goes when they do no longer`() {
    let robot = robot()
    func late(_ reason: String?) -> NotesAction {
      .changed(ChangeSet(changes: [], cursor: ChangeCursor("1"), lateness: reason))
    }
    robot.happen(late("The server does not answer (404). Checking every 5 to 60 s."))
    let sentence = "Others' changes arrive late: The server does not answer (404). Checking every 5 to 60 s."
    #expect(robot.notice == sentence)
    robot.press("j")
    robot.happen(late("The server does not answer (404). Checking every 5 to 60 s."))
    #expect(robot.notice == nil)
    robot.happen(late(nil))
    robot.happen(late("It is late."))
    #expect(robot.notice == "Others' changes arrive late: It is late.")
    robot.happen(late(nil))
    #expect(robot.notice == nil)
  }

  @Test func `a history that could not be read stays until it is shown`() {
    let robot = robot()
    robot.press("H")
    robot.happen(offline())
    robot.happen(.failed(.history(Samples.path("a")), refused))
    #expect(robot.view == "history" && robot.screen.contains("No connection. Trying again."))
    robot.happen(.connection(.online))
    robot.happen(.historyListed(Samples.path("a"), Samples.versions(Samples.path("a"), member: "ann")))
    #expect(!robot.screen.contains("No connection"))
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = Substring(self)
    while text.last == " " || text.last == "*" { text.removeLast() }
    return String(text)
  }
}
