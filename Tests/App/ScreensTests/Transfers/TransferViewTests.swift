import FileStores
import Testing
import TextUI
import Transfers

@testable import Screens

/// The transfers' view and its keys.
@Suite struct TransferViewTests {
  /// One of each kind, in the order of the view.
  private func robot(_ size: Size = Size(120, 40)) -> Robot {
    let robot = Robot(notes: ["a"], size: size)
    robot.happen(transfers: .appeared(Samples.transfer("run", "run.jpg", sent: 9_000_000)))
    robot.happen(transfers: .appeared(Samples.transfer("wait", "wait.jpg", .download, .queued)))
    robot.happen(transfers: .appeared(Samples.transfer("pause", "pause.jpg", .upload, .paused)))
    robot.happen(transfers: .appeared(Samples.failed("fail", "fail.jpg")))
    robot.happen(transfers: .appeared(Samples.done("done", "done.jpg", .download)))
    robot.press("t")
    robot.take()
    return robot
  }

  private func said(_ robot: Robot) -> String? { robot.take().first { $0.hasPrefix("post say ") } }

  @Test func `t opens the view over any tab and closes it, as do q and Esc; none quits`() {
    for key in ["t", "q", "Esc"] {
      let robot = Robot(photos: ["a.jpg"])
      robot.press("t")
      #expect(robot.view == "transfers" && robot.take() == ["run read the limit [transfers.limit]"])
      robot.press(key)
      #expect(robot.view.isEmpty && robot.take().isEmpty && robot.state.tab == .photos)
    }
    let robot = Robot(photos: [])
    robot.press("t", "1")
    #expect(robot.view.isEmpty && robot.state.tab == .notes)
  }

  @Test(arguments: ["p", "Space"])
  func `pause and resume`(key: String) {
    let robot = robot()
    robot.press(key)
    #expect(said(robot) == "post say pause run")
    robot.press("j", "j", key)
    #expect(said(robot) == "post say resume pause")
    robot.press("j", key)
    #expect(said(robot) == nil && robot.notice == "This transfer has already finished.")
  }

  @Test(arguments: ["m", "Insert"]) func `marks, as every list does`(key: String) {
    let robot = robot()
    robot.press(key, key)
    #expect(said(robot) == nil && robot.state.transfers.marks == ["run", "wait"])
  }

  @Test func `the heading counts in the words of the rows`() {
    let robot = robot()
    #expect(robot.grid.text(ofRow: 1).contains("1 running, 1 queued, 1 paused, 1 failed, 1 done"))
    robot.happen(transfers: .changed(Samples.transfer("wait", "wait.jpg", .download, .waiting)))
    #expect(robot.grid.text(ofRow: 1).contains("1 running, 1 waiting, 1 paused"))
  }

  @Test func `the footer says what p does: it goes on when all that it is for are paused`() {
    let robot = robot()
    func says(_ word: String) -> Bool { robot.screen.contains("p \(word)") }
    #expect(says("pause") && !says("go on"))
    robot.press("j", "j")
    #expect(says("go on") && !says("pause"))
    robot.press("Enter")
    #expect(says("go on"))
    robot.press("Esc", "m", "k")
    #expect(says("go on"))
    robot.press("k", "m")
    #expect(says("pause") && !says("go on"))
  }

  @Test func `several marked ones are paused, cancelled, retried and dismissed together`() {
    let robot = robot()
    robot.press("m", "m", "m", "m", "m")
    #expect(robot.screen.contains("5 marked"))
    robot.press("p")
    #expect(said(robot) == "post say pause run, pause wait, pause pause")
    robot.press("R")
    #expect(said(robot) == "post say retry fail")
    robot.press("d")
    #expect(said(robot) == "post say dismiss fail, dismiss done")
    robot.press("x")
    #expect(robot.question == "Cancel these 3 transfers?" && robot.take().isEmpty)
    robot.press("n")
    #expect(robot.take().isEmpty)
    robot.press("x", "y")
    #expect(said(robot) == "post say cancel run, cancel wait, cancel pause")
    robot.press("Esc")
    #expect(robot.view == "transfers" && !robot.screen.contains("marked"))
  }

  @Test func `x cancels the chosen one, X asks and cancels all`() {
    let robot = robot()
    robot.press("j", "x")
    #expect(said(robot) == "post say cancel wait")
    robot.press("X")
    #expect(robot.question == "Cancel all 3 transfers?" && robot.take().isEmpty)
    robot.press("y")
    #expect(said(robot) == "post say cancel pause, cancel wait, cancel run")
    robot.press("End", "x")
    #expect(robot.notice == "This transfer has already finished. d removes it from the list.")
  }

  @Test func `J and K change the order, and the choice stays on its transfer`() {
    let robot = robot()
    robot.press("J")
    #expect(said(robot) == "post say move run down")
    robot.happen(transfers: .reordered(["wait", "run", "pause"]))
    #expect(robot.state.transfers.lines.map(\.id) == ["wait", "run", "pause", "fail", "done"])
    robot.press("K")
    #expect(said(robot) == "post say move run up")
    robot.press("End", "K")
    #expect(said(robot) == nil && robot.notice == "This transfer has already finished and has no place in the queue.")
  }

  @Test func `R tries again what failed, d and D take off what is over, P stops all`() {
    let robot = robot()
    robot.press("R")
    #expect(said(robot) == nil && robot.notice == "Only failed and cancelled transfers can be retried.")
    robot.press("d")
    #expect(said(robot) == nil && robot.notice == "Only finished transfers can be removed. x cancels.")
    robot.press("P")
    #expect(said(robot) == "post say pause pause, pause wait, pause run")
    robot.press("D")
    #expect(said(robot) == "post say dismiss done")
    robot.press("j", "j", "j", "R")
    #expect(said(robot) == "post say retry fail")
    for id in ["run", "wait"] { robot.happen(transfers: .changed(Samples.transfer(id, id, .upload, .paused))) }
    robot.press("P")
    #expect(said(robot) == "post say resume run, resume wait, resume pause")
  }

  @Test func `what ends moves behind what is under way, what is tried again moves back, and the choice goes along`() {
    let robot = robot()
    robot.happen(transfers: .finished(Samples.done("run", "run.jpg")))
    #expect(robot.state.transfers.lines.map(\.id) == ["wait", "pause", "run", "fail", "done"])
    #expect(robot.state.transfers.selected?.id == "run")
    robot.happen(transfers: .changed(Samples.transfer("fail", "fail.jpg", .upload, .queued)))
    #expect(robot.state.transfers.lines.map(\.id) == ["wait", "pause", "fail", "run", "done"])
    robot.happen(transfers: .disappeared("run"))
    #expect(robot.state.transfers.selected?.id == "done")
  }

  @Test func `the details tell all that is known, follow the transfer, and take its keys`() {
    let robot = robot(Size(80, 24))
    robot.happen(
      transfers: .changed(
        Samples.transfer("run", "run.jpg", .upload, .waiting, sent: 8_388_608) {
          $0.error = StoreError(
            .rateLimited, "The store was asked too often.", remedy: "byteclub tries again by itself.")
          $0.resumesAt = Timestamp(seconds: Samples.now + 75)
          $0.keptUntil = Timestamp(seconds: Samples.now + 6 * 86_400)
          ($0.attempts, $0.restarts) = (3, 1)
        }))
    robot.press("Enter")
    #expect(robot.view == "details")
    for words in [
      "Name        run.jpg", "waiting 1 min 15 s (rate limited)", "8.0 of 27.0 MiB, 29 % (offset 8388608 of 28311552)",
      "Attempts    3", "Restarts    1", "keeps the sent part for 6 d", "The store was asked too often.",
      "Remedy      byteclub tries again by itself.", "/home/ray/Pictures/run.jpg", "photos/run.jpg", "ID          run",
    ] { #expect(robot.screen.contains(words), "\(words)") }
    robot.wait(seconds: 5)
    #expect(robot.screen.contains("waiting 1 min 10 s"))
    robot.press("p")
    #expect(said(robot) == "post say pause run")
    robot.press("Enter")
    #expect(robot.view == "transfers")
    robot.press("Enter")
    robot.happen(transfers: .disappeared("run"))
    #expect(robot.view == "transfers")
  }

  @Test func `keys in the details are for their transfer, whatever is marked`() {
    let robot = robot()
    robot.press("j", "m", "Home", "Enter", "x")
    #expect(said(robot) == "post say cancel run")
  }

  @Test func `details that do not fit are scrolled, and stay where they are while the transfer gets on`() {
    let robot = robot(Size(40, 12))
    robot.press("Enter", "G")
    #expect(robot.screen.contains("ID          run") && !robot.screen.contains("Name "))
    robot.happen(transfers: .changed(Samples.transfer("run", "run.jpg", sent: 9_000_100)))
    #expect(robot.screen.contains("ID          run"))
    robot.press("g")
    #expect(robot.screen.contains("Name        run.jpg"))
  }

  @Test func `a finished download opens with the desktop's program, and its place is copied`() {
    let robot = robot()
    robot.press("o")
    #expect(robot.notice == "Only a finished download can be opened.")
    robot.press("End", "o")
    #expect(robot.take() == ["run open file /home/ray/Downloads/done.jpg"])
    robot.press("y")
    #expect(robot.take() == ["copy /home/ray/Downloads/done.jpg"])
  }

  @Test(arguments: [Size(80, 24), Size(120, 40), Size(40, 12), Size(160, 50)])
  func `state, bar, bytes, rate and time left are shown at each size`(size: Size) {
    let robot = Robot(notes: ["a"], size: size)
    robot.happen(
      transfers: .appeared(
        Samples.transfer("t", "garage.jpg", sent: 12_700_000) { ($0.rate, $0.secondsLeft) = (4_300_000, 4) }))
    robot.press("t")
    for words in ["garage.jpg", "running", "━━━━", "44 %", "12.1 of 27.0 MiB", "4.1 MiB/s", "4 s"] {
      #expect(robot.screen.contains(words), "\(words)")
    }
  }

  @Test(arguments: [(TransferState.queued, " ─────"), (.running, " ┄┄┄┄┄")])
  func `a bar without a size is empty before the first byte, and says that it does not know after it`(
    state: TransferState, bar: String
  ) {
    let robot = Robot(notes: ["a"], size: Size(80, 24))
    robot.happen(transfers: .appeared(Samples.transfer("t", "a.jpg", .download, state, total: nil)))
    robot.press("t")
    #expect(robot.screen.contains(bar))
  }

  @Test func `the time left is shown whole on a narrow terminal, however long the numbers`() {
    let robot = Robot(notes: ["a"], size: Size(80, 24))
    robot.happen(
      transfers: .appeared(
        Samples.transfer("t", "a.jpg", sent: 200_000_000, total: 1_072_693_248) {
          ($0.rate, $0.secondsLeft) = (121_000, 7139)
        }))
    robot.press("t")
    #expect(robot.screen.contains("190.7 of 1023.0 MiB  118.2 KiB/s  1 h 58 min left"))
  }

  @Test func `two thousand transfers are taken in and paged through`() {
    let robot = Robot(notes: ["a"])
    for number in 0..<2000 {
      robot.happen(transfers: .appeared(Samples.transfer("t\(number)", "\(number).jpg", .upload, .queued)))
    }
    robot.press("t", "G")
    #expect(robot.state.transfers.selected?.id == "t1999" && robot.screen.contains("1999.jpg"))
    #expect(robot.screen.contains("2000 queued"))
  }

  @Test func `the mouse chooses, opens and scrolls`() {
    let robot = robot(Size(80, 24))
    robot.mouse(.press, 10, 4)
    #expect(robot.state.transfers.selected?.id == "wait")
    robot.mouse(.press, 10, 5)
    #expect(robot.view == "details")
    robot.press("q")
    robot.mouse(.wheelDown, 1, 5)
    #expect(robot.view == "transfers")
  }

  @Test(arguments: [
    ("transfer ls", nil as String?), ("transfer pause run wait", "post say pause run, pause wait"),
    ("transfer pause ru", "post say pause run"), ("transfer resume pause", "post say resume pause"),
    ("transfer cancel run", "post say cancel run"),
    ("transfer retry fail", "post say retry fail"), ("transfer move wait first", "post say move wait first"),
    ("transfer limit 500K", "post say limit 512000"), ("transfer limit 1.5 MiB/s", "post say limit 1572864"),
    ("transfer limit off", "post say limit off"), ("transfer dismiss done", "post say dismiss done"),
  ])
  func `the command line has the verbs`(line: String, said: String?) {
    let robot = robot()
    if line == "transfer ls" { robot.press("q") }
    robot.press(":")
    robot.type(line + "\n")
    #expect(self.said(robot) == said && robot.view == "transfers")
  }

  @Test(arguments: [
    ("transfer pause nobody", "byteclub has no transfer with the ID \"nobody\". Enter on a transfer shows its ID."),
    ("transfer pause", "Usage: transfer pause ID..."),
    ("transfer move run sideways", "Usage: transfer move ID up|down|first|last"),
    ("transfer limit fast", "Usage: transfer limit RATE|off, such as 500K or 2M a second"),
    ("transfer limit -1", "Usage: transfer limit RATE|off, such as 500K or 2M a second"),
  ])
  func `a line that is none says what is wrong`(line: String, notice: String) {
    let robot = robot()
    robot.press(":")
    robot.type(line + "\n")
    #expect(robot.notice == notice && said(robot) == nil)
  }

  @Test(arguments: [
    ("tr", "tra"), ("tran", "transfer "), ("transfer pau", "transfer pause "),
    ("transfer pause f", "transfer pause fail "),
    ("transfer move run f", "transfer move run first "), ("transfer limit o", "transfer limit off "),
  ])
  func `Tab completes verbs and IDs`(typed: String, completed: String) {
    let robot = robot()
    robot.press(":")
    robot.type(typed)
    robot.press("Tab")
    #expect(robot.state.line?.field.string == completed)
  }

  @Test func `R takes up what was cancelled, and the head counts it`() {
    let robot = Robot(notes: ["a"])
    robot.happen(transfers: .appeared(Samples.done("t1", "1.jpg")))
    robot.happen(transfers: .appeared(Samples.failed("t2", "2.jpg", .upload, .cancelled("It"))))
    robot.press("t")
    #expect(robot.screen.contains("Transfers  1 done, 1 cancelled"))
    robot.take()
    robot.press("j")
    #expect(robot.footer.contains("R retry"))
    robot.press("R")
    #expect(robot.take() == ["post say retry t2", "run carry out"])
    #expect(robot.notice == "\"2.jpg\" begins from the start: cancelling removed the parts.")
  }

  @Test func `what ended while nobody looked is reported once`() {
    let robot = Robot(notes: ["a"])
    for transfer in [
      Samples.done("t1", "1.jpg"), Samples.done("t2", "2.jpg"), Samples.failed("t3", "3.jpg"),
      Samples.transfer("t4", "4.jpg"), Samples.failed("t5", "5.jpg", .upload, .cancelled("It")),
    ] { robot.happen(transfers: .appeared(transfer)) }
    // One that the member has seen, and one of another club.
    robot.happen(transfers: .appeared(Samples.transfer("t6", "6.jpg", .upload, .done) { $0.isAcknowledged = true }))
    robot.happen(transfers: .appeared(Samples.transfer("t7", "7.jpg", .upload, .done) { $0.club = "other" }))
    robot.take()
    robot.happen(transfers: .attached)
    #expect(robot.notice == "While you were away: 2 uploads done, 1 failed. t shows them.")
    #expect(
      robot.take() == ["post say acknowledge t1, acknowledge t2, acknowledge t3", "run carry out"])
    robot.press("Ctrl-L")
    robot.take()
    robot.happen(transfers: .appeared(Samples.done("t8", "8.jpg")))
    robot.happen(transfers: .attached)
    #expect(robot.notice == nil && robot.take().isEmpty)
  }

  @Test func `the end of a transfer of another process is marked as seen, once`() {
    let robot = Robot(notes: ["a"])
    robot.happen(transfers: .attached)
    robot.happen(transfers: .appeared(Samples.transfer("t1", "1.jpg")))
    robot.take()
    robot.happen(transfers: .finished(Samples.done("t1", "1.jpg")))
    #expect(
      robot.take().filter { $0.contains("acknowledge") || $0.contains("carry") } == [
        "post say acknowledge t1", "run carry out",
      ])
    robot.happen(transfers: .finished(Samples.done("t1", "1.jpg")))
    #expect(!robot.take().contains { $0.contains("acknowledge") })
  }

  @Test func `one that ended while nobody looked is reported by its direction`() {
    let robot = Robot(notes: ["a"])
    robot.happen(transfers: .appeared(Samples.done("t1", "1.jpg", .download)))
    robot.happen(transfers: .attached)
    #expect(robot.notice == "While you were away: 1 download done. t shows it.")
  }

  @Test func `transfers of another account are counted, and nothing else`() {
    let robot = Robot(notes: ["a"])
    robot.happen(transfers: .attached)
    robot.happen(transfers: .othersCounted(2))
    #expect(!robot.screen.contains("Uploading"))
    robot.press("t")
    #expect(robot.screen.contains("Transfers  2 of another account"))
    #expect(robot.screen.contains("2 transfers of another account wait here."))
    robot.take()
    robot.press("x")
    #expect(robot.take().isEmpty)
  }

  @Test func `a download that begins anew because its bytes were damaged says so`() {
    let robot = Robot(notes: ["a"])
    robot.happen(transfers: .appeared(Samples.transfer("t1", "1.jpg", .download, sent: 5)))
    let error = StoreError(
      .corrupt, "The received part of \"a.jpg\" differs from the store's. The download begins again.")
    robot.happen(
      transfers: .changed(
        Samples.transfer("t1", "1.jpg", .download) { ($0.error, $0.restarts) = (error, 1) }))
    #expect(robot.notice == error.message)
  }
}
