import FileStores
import Testing
import TextUI
import Transfers

@testable import Screens

/// The line under every tab, and the notice of a transfer's end.
@Suite struct TransferBarTests {
  private func robot() -> Robot { Robot(notes: ["a"], size: Size(120, 24)) }

  @Test func `the bar is on each tab, with how far the transfer is, and goes when none is left`() {
    let robot = robot()
    #expect(!robot.screen.contains("x cancel"))
    robot.happen(transfers: .appeared(Samples.transfer("t1", "garage.jpg", .upload, .queued)))
    #expect(robot.screen.contains("Queued: garage.jpg"))
    robot.happen(
      transfers: .changed(
        Samples.transfer("t1", "garage.jpg", sent: 12_700_000) {
          ($0.rate, $0.secondsLeft) = (4_300_000, 4)
        }))
    for tab in ["1", "2"] {
      robot.press(tab)
      #expect(robot.screen.contains("Uploading garage.jpg") && robot.screen.contains("44 %"))
      #expect(robot.screen.contains("4.1 MiB/s  4 s") && robot.screen.contains("x cancel"))
    }
    robot.happen(transfers: .finished(Samples.done("t1", "garage.jpg")))
    #expect(!robot.screen.contains("x cancel"))
    #expect(robot.notice == "Uploaded \"garage.jpg\": 27.0 MiB, 4.1 MiB/s on average.")
  }

  @Test func `the end of each transfer names those that ended before it, until none is left`() {
    let robot = robot()
    let names = ["1.jpg", "2.jpg", "3.jpg", "4.jpg"]
    func upload(_ names: [String], then words: [String?]) {
      for name in names { robot.happen(transfers: .appeared(Samples.transfer(name, name, .upload, .queued))) }
      for (name, words) in zip(names, words) {
        robot.happen(transfers: .finished(Samples.done(name, name)))
        if let words { #expect(robot.notice == words) }
      }
    }
    upload(
      names,
      then: [
        nil, #"Uploaded 2: "1.jpg", "2.jpg"."#, #"Uploaded 3: "1.jpg", "2.jpg", "3.jpg"."#,
        #"Uploaded 4: "1.jpg", "2.jpg", "3.jpg" and 1 more."#,
      ])
    upload(["5.jpg"], then: [#"Uploaded "5.jpg": 27.0 MiB, 4.1 MiB/s on average."#])
  }

  @Test func `the bar shows what runs before what waits, and x cancels what it shows`() {
    let robot = robot()
    robot.happen(transfers: .appeared(Samples.transfer("t1", "one.jpg", .upload, .paused)))
    robot.happen(transfers: .appeared(Samples.transfer("t2", "two.jpg", .download, .queued)))
    #expect(robot.screen.contains("Queued: (+1 more) two.jpg"))
    robot.happen(transfers: .appeared(Samples.transfer("t3", "three.jpg", .download)))
    #expect(robot.screen.contains("Downloading (+2 more) three.jpg"))
    robot.take()
    robot.press("x")
    #expect(robot.take() == ["post say cancel t3", "run carry out"])
    robot.happen(transfers: .finished(Samples.failed("t3", "three.jpg", .download, .cancelled("It"))))
    #expect(
      robot.notice == "Cancelled \"three.jpg\". t, then R, begins it again.")
    robot.happen(transfers: .finished(Samples.failed("t2", "two.jpg", .download)))
    #expect(robot.notice == "\"two.jpg\" was not downloaded. No room is left. Make room.")
    #expect(robot.screen.contains("Paused: one.jpg"))
    robot.happen(transfers: .disappeared("t1"))
    robot.press("x")
    #expect(robot.notice == "No transfer is under way.")
  }

  @Test(arguments: [
    (TransferState.finishing, nil as StoreError?, "Finishing: a"), (.verifying, nil, "Verifying: a"),
    (.cancelling, nil, "Cancelling: a"), (.paused, nil, "Paused: a"),
    (.waiting, StoreError(.rateLimited, "Slow."), "Waiting 23 s (rate limited): a"),
    (.waiting, StoreError(.offline, "No."), "Waiting for the network: a"),
    (.waiting, StoreError(.server, "No."), "Waiting 23 s (the server failed): a"),
  ])
  func `states are words, and nothing has 100 % before the store has answered`(
    state: TransferState, error: StoreError?, words: String
  ) {
    let robot = robot()
    robot.happen(
      transfers: .appeared(
        Samples.transfer("t1", "a", .upload, state, sent: 28_311_552) {
          $0.error = error
          $0.resumesAt = state == .waiting ? Timestamp(seconds: Samples.now + 23) : nil
        }))
    #expect(robot.screen.contains(words))
    #expect(robot.screen.contains(" 99 %") && !robot.screen.contains("100 %"))
    robot.press("t")
    #expect(!robot.screen.contains("100 %"))
  }

  @Test func `a bar does not go back without saying so, until it is where it was`() {
    let robot = robot()
    robot.happen(transfers: .appeared(Samples.transfer("t1", "a.jpg", sent: 9_000_000)))
    robot.happen(transfers: .changed(Samples.transfer("t1", "a.jpg", sent: 0)))
    #expect(robot.screen.contains("Uploading (restarted) a.jpg"))
    robot.happen(transfers: .changed(Samples.transfer("t1", "a.jpg", sent: 8_000_000)))
    #expect(robot.screen.contains("Uploading (restarted) a.jpg"))
    robot.happen(transfers: .changed(Samples.transfer("t1", "a.jpg", sent: 9_000_000)))
    #expect(robot.screen.contains("Uploading a.jpg"))
  }

  @Test(arguments: [(300_000, 0), (9_000_000, 8_500_000)])
  func `a piece that is sent once more is no restart`(sent: UInt64, kept: UInt64) {
    let robot = robot()
    robot.happen(transfers: .appeared(Samples.transfer("t1", "a.jpg", sent: sent)))
    robot.happen(transfers: .changed(Samples.transfer("t1", "a.jpg", sent: kept)))
    #expect(robot.screen.contains("Uploading a.jpg"))
  }

  @Test func `a pause does not take the bar back, and neither does the piece that is sent again`() {
    let robot = robot()
    func change(_ state: TransferState, _ sent: UInt64) {
      robot.happen(transfers: .changed(Samples.transfer("t1", "a.jpg", .upload, state, sent: sent, total: 100_000_000)))
    }
    robot.happen(transfers: .appeared(Samples.transfer("t1", "a.jpg", sent: 60_000_000, total: 100_000_000)))
    change(.running, 68_000_000)
    change(.paused, 62_000_000)
    #expect(robot.screen.contains("68 %"))
    change(.running, 62_000_000)
    change(.running, 67_000_000)
    #expect(robot.screen.contains("68 %"))
    change(.running, 69_000_000)
    #expect(robot.screen.contains("69 %"))
    // More than a piece: bytes are lost.
    change(.waiting, 50_000_000)
    #expect(robot.screen.contains("50 %"))
  }

  /// A large file has pieces of 16 MiB and more.
  @Test(arguments: [UInt64(40_000_000), 0])
  func `a large piece that is sent again after a pause takes no bar back, and is no restart`(kept: UInt64) {
    let robot = robot()
    func transfer(_ state: TransferState, _ sent: UInt64, kept: UInt64) -> Transfer {
      Samples.transfer("t1", "a.jpg", .upload, state, sent: sent, total: 100_000_000) { $0.kept = kept }
    }
    robot.happen(transfers: .appeared(transfer(.running, kept, kept: kept)))
    robot.happen(transfers: .changed(transfer(.running, kept + 30_000_000, kept: kept)))
    let share = "\((kept + 30_000_000) / 1_000_000) %"
    #expect(robot.screen.contains(share))
    robot.happen(transfers: .changed(transfer(.paused, kept, kept: kept)))
    #expect(robot.screen.contains(share))
    robot.happen(transfers: .changed(transfer(.running, kept, kept: kept)))
    robot.happen(transfers: .changed(transfer(.running, kept + 12_000_000, kept: kept)))
    #expect(robot.screen.contains(share) && robot.screen.contains("Uploading a.jpg"))
    robot.happen(transfers: .changed(transfer(.running, kept + 32_000_000, kept: kept + 32_000_000)))
    #expect(robot.screen.contains("\((kept + 32_000_000) / 1_000_000) %"))
    // The store has lost bytes that it had.
    robot.happen(transfers: .changed(transfer(.waiting, kept + 1_000_000, kept: kept + 1_000_000)))
    #expect(robot.screen.contains("\((kept + 1_000_000) / 1_000_000) %"))
  }

  @Test func `the details of a paused transfer have the offset where it continues`() {
    let robot = robot()
    robot.happen(transfers: .appeared(Samples.transfer("t1", "a.jpg", sent: 9_000_000)))
    robot.happen(transfers: .changed(Samples.transfer("t1", "a.jpg", .upload, .paused, sent: 8_500_000)))
    robot.press("t", "Enter")
    #expect(robot.screen.contains("(offset 8500000 of 28311552)"))
  }

  @Test func `a transfer whose file was changed says that it was restarted`() {
    let robot = robot()
    robot.happen(transfers: .appeared(Samples.transfer("t1", "a.jpg", sent: 300_000)))
    robot.happen(transfers: .changed(Samples.transfer("t1", "a.jpg", sent: 0) { $0.restarts = 1 }))
    #expect(robot.screen.contains("Uploading (restarted) a.jpg"))
  }

  @Test func `a countdown and a transfer of which nothing is heard are drawn once a second, all else is not`() {
    let robot = robot()
    #expect(ClubScreen.tick(robot.state) == nil)
    robot.happen(
      transfers: .appeared(
        Samples.transfer("t1", "a", .upload, .waiting) {
          $0.error = StoreError(.rateLimited, "Slow.")
          $0.resumesAt = Timestamp(seconds: Samples.now + 23)
        }))
    #expect(ClubScreen.tick(robot.state) == 1)
    robot.wait(seconds: 3)
    #expect(robot.screen.contains("Waiting 20 s (rate limited): a"))
    robot.wait(seconds: 30)
    #expect(robot.screen.contains("Waiting (rate limited): a"))
    robot.happen(transfers: .changed(Samples.transfer("t1", "a", sent: 1)))
    #expect(ClubScreen.tick(robot.state) == 1)
    robot.wait(seconds: 12)
    #expect(robot.screen.contains("Uploading (nothing for 12 s) a"))
    robot.happen(transfers: .changed(Samples.transfer("t1", "a", .upload, .paused)))
    #expect(ClubScreen.tick(robot.state) == nil)
    robot.happen(transfers: .finished(Samples.done("t1", "a")))
    #expect(ClubScreen.tick(robot.state) == nil)
  }

  @Test func `an upload of this club is in the list of its photos, one of another club is not`() {
    let robot = Robot(photos: ["a.jpg"])
    for (name, club) in [("mine.jpg", "home"), ("theirs.jpg", "lab")] {
      var transfer = Samples.transfer(name, name)
      transfer.club = club
      robot.happen(transfers: .appeared(transfer))
      var done = Samples.done(name, name)
      done.club = club
      robot.happen(transfers: .finished(done))
    }
    #expect(robot.rows == ["a.jpg", "mine.jpg"])
  }

  @Test func `what was over before the app began is not reported again, what ended between two owners is`() {
    let robot = robot()
    robot.happen(transfers: .appeared(Samples.done("t1", "old.jpg")))
    #expect(robot.notice == nil)
    robot.happen(transfers: .appeared(Samples.transfer("t2", "new.jpg", sent: 9)))
    // Another process has taken over and reports all transfers again.
    robot.happen(transfers: .appeared(Samples.done("t1", "old.jpg")))
    robot.happen(transfers: .appeared(Samples.failed("t2", "new.jpg")))
    #expect(robot.notice == "\"new.jpg\" was not uploaded. No room is left. Make room.")
    #expect(robot.state.transfers.lines.map(\.id) == ["t2", "t1"])
    robot.press("Ctrl-L")
    robot.happen(transfers: .finished(Samples.failed("t2", "new.jpg")))
    #expect(robot.notice == nil)
    robot.happen(transfers: .changed(Samples.transfer("t2", "new.jpg", .upload, .queued)))
    robot.happen(transfers: .finished(Samples.done("t2", "new.jpg")))
    #expect(robot.notice?.hasPrefix("Uploaded \"new.jpg\"") == true)
  }

  @Test func `what is reported of transfers that are not there is passed over`() {
    let robot = robot()
    robot.happen(transfers: .changed(Samples.transfer("x", "x")))
    robot.happen(transfers: .finished(Samples.done("x", "x")))
    robot.happen(transfers: .disappeared("x"))
    robot.happen(transfers: .reordered(["x"]))
    #expect(robot.state.transfers.lines.isEmpty && robot.notice == nil)
  }
}
