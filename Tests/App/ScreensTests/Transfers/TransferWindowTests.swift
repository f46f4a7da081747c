import FileStores
import Testing
import TextUI
import Transfers

@testable import Screens

/// The title and progress of the terminal's window.
@Suite struct TransferWindowTests {
  private func told(_ robot: Robot) -> [String] { robot.take().filter { $0.hasPrefix("tell ") } }

  @Test func `title and progress follow all transfers together, and are taken back at the end`() {
    let robot = Robot(notes: ["a"])
    #expect(told(robot).isEmpty)
    robot.happen(transfers: .appeared(Samples.transfer("t1", "a", sent: 0, total: 1000)))
    #expect(told(robot) == ["tell title: byteclub: 0 % of a transfer", "tell progress: 0"])
    robot.happen(transfers: .changed(Samples.transfer("t1", "a", sent: 501, total: 1000)))
    #expect(told(robot) == ["tell title: byteclub: 50 % of a transfer", "tell progress: 50"])
    robot.happen(transfers: .changed(Samples.transfer("t1", "a", sent: 502, total: 1000)))
    #expect(told(robot).isEmpty)
    robot.happen(transfers: .appeared(Samples.transfer("t2", "b", .upload, .queued, total: 1000)))
    #expect(told(robot) == ["tell title: byteclub: 25 % of 2 transfers", "tell progress: 25"])
    robot.happen(transfers: .changed(Samples.transfer("t1", "a", .upload, .waiting, sent: 502, total: 1000)))
    #expect(told(robot) == ["tell progress: 25 paused"])
    robot.happen(transfers: .changed(Samples.transfer("t1", "a", .upload, .paused, sent: 502, total: 1000)))
    robot.take()
    robot.happen(transfers: .finished(Samples.failed("t2", "b", .upload, .cancelled("It"))))
    #expect(told(robot) == ["tell title: none", "tell progress: none"])
    robot.press("j", "t", "q")
    #expect(told(robot).isEmpty)
  }

  @Test(arguments: [(nil as Bool?, true), (false, true), (true, false)])
  func `something long that ends is shown by the terminal, unless its window is seen`(watched: Bool?, isTold: Bool) {
    let robot = Robot(notes: ["a"])
    if let watched { robot.send(.focus(watched)) }
    robot.happen(transfers: .appeared(Samples.transfer("t1", "a.jpg", total: 1000)))
    robot.happen(transfers: .appeared(Samples.transfer("t2", "b.jpg", total: 1000)))
    robot.wait(seconds: 20)
    robot.take()
    robot.happen(transfers: .finished(Samples.done("t1", "a.jpg", size: 1000)))
    let words = "tell notification: Uploaded \"a.jpg\": 1000 B, 4.1 MiB/s on average."
    #expect(told(robot).contains(words) == isTold)
    robot.happen(transfers: .finished(Samples.failed("t2", "b.jpg", .upload, .cancelled("It"))))
    #expect(!told(robot).contains { $0.contains("notification") })
  }

  @Test func `what was quick is not reported, but the end of many that took long together is`() {
    let robot = Robot(notes: ["a"])
    for number in 1...3 {
      robot.happen(transfers: .appeared(Samples.transfer("t\(number)", "\(number)", .upload, .queued, total: 10)))
    }
    for number in 1...3 {
      robot.happen(transfers: .changed(Samples.transfer("t\(number)", "\(number)", total: 10)))
      robot.wait(seconds: 8)
      robot.take()
      robot.happen(transfers: .finished(Samples.done("t\(number)", "\(number)", size: 10)))
      let notes = told(robot).filter { $0.contains("notification") }
      #expect(notes.count == (number == 3 ? 1 : 0))
      if number == 3 { #expect(notes[0].hasPrefix("tell notification: All transfers have finished. Uploaded")) }
    }
  }
}
