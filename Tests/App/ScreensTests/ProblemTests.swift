import ClubServices
import FileStores
import TestKit
import Testing
import TextUI

@testable import Screens

/// Views without content: the reason, and the time of the next try.
@Suite struct ProblemTests {
  private let path = Samples.path("a.md")

  private func broken(_ seconds: Int64?) -> StoreError {
    StoreError(.server, "The server answered 500.", retryAfter: seconds.map { .seconds($0) })
  }

  private static let sizes = [Size(80, 24), Size(120, 40), Size(40, 12)]

  /// The screen as one line, without line wraps.
  private func words(_ robot: Robot) -> String {
    robot.screen.split { $0 == " " || $0 == "\n" }.joined(separator: " ")
  }

  @Test(arguments: sizes) func `a note that could not be opened says so until it is read`(size: Size) {
    let robot = Robot(notes: ["a.md", "b.md"], size: size)
    robot.press("Enter")
    robot.take()
    robot.happen(.failed(.open(path, .read), broken(8)))
    let text = "byteclub could not open \"a.md\". The server answered 500. Trying again in 8 s. Press r to try now."
    #expect(robot.view == "opening" && robot.notice == nil && words(robot).contains(text))
    #expect(robot.footer.contains("r refresh") && robot.footer.contains("q back"))
    #expect(ClubScreen.tick(robot.state) == 1)
    robot.wait(seconds: 3)
    #expect(words(robot).contains("Trying again in 5 s."))
    robot.wait(seconds: 9)
    #expect(words(robot).contains("Trying again now.") && ClubScreen.tick(robot.state) == nil)
    robot.happen(.failed(.open(path, .read), broken(16)))
    #expect(words(robot).contains("Trying again in 16 s.") && robot.notice == nil)
    #expect(robot.take().isEmpty)
    robot.happen(.opened(Samples.note("a.md", "the text"), .read))
    #expect(robot.view == "reader" && robot.screen.contains("the text"))
  }

  @Test func `r reads it at once, and Esc goes back to the list and tries no more`() {
    let robot = Robot(notes: ["a.md", "b.md"])
    robot.press("Enter")
    robot.happen(.failed(.open(path, .read), broken(8)))
    robot.take()
    robot.press("r")
    #expect(robot.take() == ["run open a.md to read [notes.open]"] && words(robot).contains("Trying again now."))
    robot.press("i", "e", "/", "n")
    #expect(robot.view == "opening" && robot.take().isEmpty && robot.screen.contains("Find: n"))
    robot.press("Esc")
    robot.press("Esc")
    #expect(robot.view.isEmpty && robot.take() == ["cancel [notes.open]"])
    robot.happen(.failed(.open(path, .read), broken(8)))
    #expect(robot.view.isEmpty && robot.notice == nil)
  }

  @Test func `a failure that does not pass says what to do, and r tries again`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("Enter")
    robot.happen(.failed(.open(path, .read), StoreError(.notPermitted, "You may not read it.", remedy: "Ask ann.")))
    #expect(robot.view == "opening" && ClubScreen.tick(robot.state) == nil)
    #expect(
      words(robot).contains("byteclub could not open \"a.md\". You may not read it. Ask ann. Press r to try again."))
    robot.take()
    robot.press("r")
    #expect(robot.take() == ["run open a.md to read [notes.open]"])
  }

  @Test func `my draft is offered over a note that could not be opened, once`() {
    let robot = Robot(notes: ["a.md"])
    robot.happen(.waiting([Samples.waiting("a.md")]))
    robot.press("Enter")
    robot.happen(.failed(.open(path, .read), broken(1)))
    #expect(robot.view == "draft")
    robot.press("Esc")
    #expect(robot.view == "opening")
    robot.happen(.failed(.open(path, .read), broken(2)))
    #expect(robot.view == "opening")
  }

  @Test func `a text that is read stays when its newer one cannot be read, which is reported once`() {
    let robot = Robot(notes: ["a.md"])
    robot.press("Enter")
    robot.happen(.opened(Samples.note("a.md", "the text"), .read))
    robot.happen(.failed(.open(path, .read), broken(1)))
    #expect(robot.notice == "\"a.md\" has changed. byteclub could not read its new text. The server answered 500.")
    robot.press("Ctrl-L")
    robot.happen(.failed(.open(path, .read), broken(2)))
    #expect(robot.notice == nil && robot.screen.contains("the text"))
    robot.take()
    robot.press("Esc")
    #expect(robot.take() == ["cancel [notes.open]"])
  }

  @Test(arguments: sizes) func `a history and a version of a note say so as well`(size: Size) {
    let robot = Robot(notes: ["a.md"], size: size)
    robot.press("H")
    robot.happen(.failed(.history(path), broken(4)))
    #expect(words(robot).contains("byteclub could not read the history. The server answered 500. Trying again in 4 s."))
    #expect(robot.footer.contains("r refresh") && ClubScreen.tick(robot.state) == 1)
    robot.take()
    robot.press("r")
    #expect(robot.take() == ["run history of a.md [notes.history]"])
    robot.happen(.historyListed(path, Samples.versions("a.md")))
    robot.press("Down", "Enter")
    #expect(
      robot.view == "opening"
        && robot.take().filter { !$0.hasPrefix("run look") } == ["run version r2 of a.md [notes.history]"])
    robot.happen(.failed(.version(path, Revision("r2")), broken(2)))
    #expect(words(robot).contains("byteclub could not open \"a.md\". The server answered 500. Trying again in 2 s."))
    robot.press("r")
    #expect(robot.take() == ["run version r2 of a.md [notes.history]"])
    robot.press("Esc")
    #expect(robot.view == "history" && robot.take() == ["cancel [notes.history]"])
  }

  @Test(arguments: sizes) func `so does the viewer, and r tries again`(size: Size) {
    let robot = Robot(photos: ["a.jpg", "b.jpg"], size: size)
    robot.press("Enter")
    robot.happen(photos: .failed(.view(Samples.path("photos/a.jpg"), onDisk: nil), broken(8)))
    #expect(words(robot).contains("byteclub could not show the photo. The server answered 500. Trying again in 8 s."))
    #expect(robot.footer.contains("r refresh") && ClubScreen.tick(robot.state) == 1)
    robot.take()
    robot.press("r")
    #expect(robot.take() == ["run view photos/a.jpg [photos.view]"] && words(robot).contains("Trying again now."))
  }

  @Test func `a list without rows counts down as well`() {
    let robot = Robot()
    robot.happen(.listFailed(broken(30)))
    #expect(words(robot).contains("The server answered 500. Trying again in 30 s. Press r to try now."))
    #expect(ClubScreen.tick(robot.state) == 1)
    robot.press("r")
    #expect(words(robot).contains("Trying again now."))
  }

  @Test func `thumbnails that failed for a while are asked for after those that are missing`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg", "c.jpg"])
    robot.happen(photos: .thumbnail(Samples.path("photos/a.jpg"), .failure(broken(nil))))
    robot.happen(photos: .thumbnail(Samples.path("photos/b.jpg"), .failure(StoreError(.corrupt, "It is damaged."))))
    robot.take()
    robot.press("j")
    #expect(robot.take() == ["run thumbnails photos/c.jpg, then photos/a.jpg in 24x3 [photos.thumbnails]"])
  }

  // MARK: Trying again

  /// The messages of an effect that fails this often, and the pauses between its tries.
  private func told(_ failures: [StoreError]) async -> (told: [String], pauses: [Duration]) {
    let clock = ManualClock(advancesOnSleep: true)
    var left = failures
    var told: [String] = []
    await NextTries(connection: nil, clock: clock).run(
      failed: { told.append("\($0.message) \($0.retryAfter.map { "\($0)" } ?? "-")") }
    ) { () async throws(StoreError) in
      if !left.isEmpty { throw left.removeFirst() }
      told.append("done")
    }
    return (told, clock.slept)
  }

  @Test func `what fails for a while is tried again after pauses that grow, and each failure tells the next one`() async
  {
    let result = await told([broken(nil), broken(nil), StoreError(.rateLimited, "Busy.", retryAfter: .seconds(50))])
    #expect(
      result.told == [
        "The server answered 500. 1.0 seconds", "The server answered 500. 2.0 seconds", "Busy. 50.0 seconds", "done",
      ])
    #expect(result.pauses == [.seconds(1), .seconds(2), .seconds(50)])
    let final = await told([broken(nil), StoreError(.notFound, "It is gone."), broken(nil)])
    #expect(final.told == ["The server answered 500. 1.0 seconds", "It is gone. -"] && final.pauses == [.seconds(1)])
  }
}
