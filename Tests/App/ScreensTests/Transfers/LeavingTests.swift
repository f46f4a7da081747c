import FileStores
import Testing
import TextUI
import Transfers

@testable import Screens

@Suite struct LeavingTests {
  private func robot(_ count: Int = 1, asked: Bool = true) -> Robot {
    let robot = Robot(notes: ["a"])
    for number in 1...count { robot.happen(transfers: .appeared(Samples.transfer("t\(number)", "\(number).jpg"))) }
    robot.take()
    if asked {
      robot.press("q")
      #expect(robot.take() == ["run ask to leave [transfers.leave]"])
      robot.happen(transfers: .leaveAsked(isElsewhere: false))
    }
    return robot
  }

  /// The commands, without those to the terminal's window and without acknowledgements.
  private func taken(_ robot: Robot) -> [String] {
    var taken = robot.take().filter { !$0.hasPrefix("tell") }
    while let index = taken.firstIndex(where: { $0.hasPrefix("post say acknowledge") }) {
      taken.removeSubrange(index...index + 1)
    }
    return taken
  }

  @Test func `nothing is asked when nothing runs, or all is paused`() {
    let robot = Robot(notes: ["a"])
    robot.happen(transfers: .appeared(Samples.transfer("t1", "a", .upload, .paused)))
    robot.happen(transfers: .appeared(Samples.done("t2", "b")))
    robot.take()
    robot.press("q")
    #expect(robot.take() == ["quit"])
  }

  @Test func `w waits until all have finished`() {
    let robot = robot(2)
    #expect(robot.question == "2 transfers are under way. Quit?")
    robot.press("w")
    #expect(taken(robot).isEmpty && robot.notice == "byteclub quits when the 2 transfers are done. Esc stays.")
    robot.happen(transfers: .finished(Samples.done("t1", "1.jpg")))
    #expect(taken(robot).isEmpty)
    // The notice stays while byteclub waits.
    robot.press("j")
    robot.take()
    #expect(robot.notice == "byteclub quits when the transfer is done. Esc stays.")
    robot.happen(transfers: .finished(Samples.done("t2", "2.jpg")))
    #expect(taken(robot) == ["quit"])
  }

  @Test func `a member who waits for one that fails hears of it, and the app stays`() {
    let robot = robot()
    robot.press("w")
    robot.happen(transfers: .finished(Samples.failed("t1", "1.jpg")))
    #expect(taken(robot).isEmpty && robot.notice == "\"1.jpg\" was not uploaded. No room is left. Make room.")
    robot.press("q")
    #expect(taken(robot) == ["quit"])
  }

  @Test func `p pauses them before it quits`() {
    let robot = robot()
    robot.press("p")
    #expect(robot.take() == ["run pause and leave"])
    robot.happen(transfers: .changed(Samples.transfer("t1", "1.jpg", .upload, .paused)))
    #expect(taken(robot).isEmpty)
    robot.happen(transfers: .left(farewell: nil))
    #expect(robot.take() == ["quit"])
  }

  @Test func `b goes on in the background and says so after the app has quit`() {
    let robot = robot()
    robot.press("b")
    #expect(robot.take() == ["run go on in the background"])
    robot.happen(transfers: .left(farewell: "It goes on."))
    #expect(robot.take() == ["quit"] && robot.state.farewell == "It goes on.")
  }

  @Test(arguments: [
    ("p", TransfersEffect.pauseAndLeave, "The transfers were not paused."),
    ("b", .goOnInBackground, "The transfers cannot run in the background."),
  ])
  func `what cannot be done keeps the app open and says why`(key: String, effect: TransfersEffect, what: String) {
    let robot = robot()
    robot.press(key)
    robot.take()
    robot.happen(transfers: .failed(effect, StoreError(.quota, "No room is left.")))
    #expect(robot.take().isEmpty)
    #expect(robot.notice == "\(what) No room is left.")
    robot.press("q")
    #expect(robot.take() == ["run ask to leave [transfers.leave]"])
  }

  @Test(arguments: ["Esc", "Ctrl-C"])
  func `Esc stays, and ends a wait`(key: String) {
    let robot = robot()
    robot.press("w", "q")
    robot.happen(transfers: .leaveAsked(isElsewhere: false))
    robot.press(key)
    #expect(robot.question == nil)
    robot.happen(transfers: .finished(Samples.done("t1", "1.jpg")))
    #expect(!robot.take().contains("quit"))
  }

  @Test func `when another process carries them out, quitting does not ask`() {
    let robot = robot(2, asked: false)
    robot.press("q")
    robot.take()
    robot.happen(transfers: .leaveAsked(isElsewhere: true))
    #expect(robot.take() == ["quit"])
    #expect(robot.state.farewell == "2 transfers are running in the background.")
  }

  @Test func `Ctrl-C asks the same`() {
    let robot = robot(asked: false)
    robot.press("Ctrl-C")
    #expect(robot.take() == ["run ask to leave [transfers.leave]"])
  }

  @Test func `a transfer that ends before the question comes needs none`() {
    let robot = robot(asked: false)
    robot.press("q")
    robot.happen(transfers: .finished(Samples.done("t1", "1.jpg")))
    robot.take()
    robot.happen(transfers: .leaveAsked(isElsewhere: false))
    #expect(robot.take() == ["quit"])
  }

  @Test func `the question follows the transfers that end while it is asked, and closes after the last`() {
    let robot = robot(2)
    robot.happen(transfers: .finished(Samples.done("t1", "1.jpg")))
    #expect(robot.question == "A transfer is under way. Quit?")
    robot.happen(transfers: .finished(Samples.done("t2", "2.jpg")))
    #expect(robot.question == nil && robot.notice == "The transfers have finished. q quits.")
    #expect(!robot.take().contains("quit"))
    robot.press("q")
    #expect(taken(robot) == ["quit"])
  }

  @Test func `what cannot go on without the app is not offered the background`() {
    let robot = robot(asked: false)
    robot.press("q")
    robot.happen(transfers: .leaveAsked(isElsewhere: false, canGoOn: false))
    robot.take()
    #expect(robot.question == "A transfer is under way. Quit?" && !robot.footer.contains("background"))
    robot.press("b")
    #expect(taken(robot).isEmpty && robot.question != nil)
  }

  @Test func `c cancels them, and then quits`() {
    let robot = robot(2)
    robot.happen(transfers: .appeared(Samples.transfer("t3", "3.jpg", .upload, .paused)))
    robot.take()
    robot.press("c")
    #expect(taken(robot) == ["post say cancel t1, cancel t2", "run carry out"])
    #expect(robot.notice == "byteclub quits when the 2 transfers are cancelled. Esc stays.")
    robot.happen(transfers: .finished(Samples.failed("t1", "1.jpg", .upload, .cancelled("It"))))
    #expect(taken(robot).isEmpty)
    robot.happen(transfers: .finished(Samples.failed("t2", "2.jpg", .upload, .cancelled("It"))))
    #expect(taken(robot) == ["quit"])
  }

  @Test(arguments: ["w", "c"])
  func `Esc stays while byteclub waits for the transfers`(key: String) {
    let robot = robot()
    robot.press(key, "Esc")
    #expect(robot.notice == "byteclub stays open.")
    robot.happen(transfers: .finished(Samples.done("t1", "1.jpg")))
    #expect(!robot.take().contains("quit"))
  }

  @Test func `what is still being looked at is asked about even when others carry transfers out, and waited for`() {
    let robot = Robot(photos: ["a.jpg", "b.jpg"])
    robot.press("Space", "Space", "d")
    download(robot)
    #expect(robot.grid.text(ofRow: 0).hasSuffix("working"))
    robot.take()
    robot.press("x")
    #expect(robot.notice == "byteclub is checking the file. Cancel again in a moment.")
    robot.press("q")
    robot.happen(transfers: .leaveAsked(isElsewhere: true))
    #expect(robot.question == "2 transfers are under way. Quit?")
    robot.press("b")
    robot.take()
    robot.happen(photos: .prepared("t1"))
    #expect(taken(robot).isEmpty)
    robot.happen(photos: .prepared(nil))
    #expect(robot.take() == ["run go on in the background"])
  }

  /// Presses Enter in the folder prompt, with an existing folder.
  private func download(_ robot: Robot) {
    let folder = "~/Downloads/"
    robot.happen(photos: .completed(folder, PathCompletion(choices: [], common: folder, meaning: .folder)))
    robot.press("Enter")
    robot.happen(photos: .folderFound(folder, .isThere(folder)))
  }

  @Test func `one that was ordered and has not appeared yet is waited for`() {
    let robot = Robot(photos: ["a.jpg"])
    robot.press("d")
    download(robot)
    robot.press("q")
    robot.happen(transfers: .leaveAsked(isElsewhere: false))
    robot.press("w")
    robot.take()
    robot.happen(photos: .prepared("t1"))
    #expect(taken(robot).isEmpty)
    robot.happen(transfers: .appeared(Samples.transfer("t1", "a.jpg", .download)))
    #expect(taken(robot).isEmpty)
    robot.happen(transfers: .finished(Samples.done("t1", "a.jpg", .download)))
    #expect(taken(robot).contains("quit"))
  }

  @Test(arguments: [Size(40, 12), Size(80, 24)])
  func `all answers are on the screen`(size: Size) {
    let robot = robot()
    robot.resize(size.width, size.height)
    for answer in ["w wait", "p pause", "b background", "c cancel", "Esc stay"] {
      #expect(robot.screen.contains(answer))
    }
    #expect(robot.screen.contains("A transfer is under way. Quit?"))
  }
}
