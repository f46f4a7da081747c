import Testing
import Transfers

/// Every state against every event. A row says for each event which state follows; "." is none.
@Suite struct `The machine` {
  typealias Machine = TransferMachine

  static let events: [Machine.Event] = [
    .turn, .verify, .finish, .goOn, .succeed, .rest, .fail, .stopped, .due, .cleaned, .pause, .resume, .cancel, .retry,
    .dismiss,
  ]

  /// Columns in the order of `events`.
  static let table: [(Machine.State, String)] = [
    (.queued, "running . . . . . . . . . paused . cleaning . ."),
    (.running, ". verifying finishing . done waiting failed queued . . pausing . stopping . ."),
    (.verifying, ". . finishing running done waiting failed queued . . pausing . stopping . ."),
    (.finishing, ". . . running done waiting failed queued . . finishingThenPause . finishingThenCancel . ."),
    (.finishingThenPause, ". . . pausing done paused failed paused . . . finishing finishingThenCancel . ."),
    (.finishingThenCancel, ". . . stopping done cleaning cleaning cleaning . . . . . . ."),
    (.pausing, ". . . . done paused failed paused . . . resuming stopping . ."),
    (.resuming, ". . . . done waiting failed queued . . pausing . stopping . ."),
    (.stopping, ". . . . done cleaning cleaning cleaning . . . . . . ."),
    (.paused, ". . . . . . . . . . . queued cleaning . ."),
    (.waiting, ". . . . . . . . queued . paused queued cleaning . ."),
    (.cleaning, ". . . . done . . . . cancelled . . . . ."),
    (.done, ". . . . . . . . . . . . . . gone"),
    (.cancelled, ". . . . . . . . . . . . . queued gone"),
    (.failed, ". . . . . . . . . . . . . queued discarding"),
    (.discarding, ". . . . gone . . . . gone . . . . ."),
    (.gone, ". . . . . . . . . . . . . . ."),
  ]

  @Test func `has a row for each state and a column for each event`() {
    #expect(Set(Self.table.map(\.0)) == Set(Machine.State.allCases) && Self.table.count == Machine.State.allCases.count)
    #expect(Set(Self.events) == Set(Machine.Event.allCases) && Self.events.count == Machine.Event.allCases.count)
    #expect(Self.table.allSatisfy { $0.1.split(separator: " ").count == Self.events.count })
  }

  @Test(arguments: `The machine`.table.indices)
  func `goes from each state where the table says`(row: Int) {
    let (state, cells) = Self.table[row]
    for (event, cell) in zip(Self.events, cells.split(separator: " ")) {
      var machine = Machine(state)
      let steps = machine.take(event)
      #expect(machine.state.rawValue == (cell == "." ? state.rawValue : String(cell)), "\(state) \(event)")
      if cell == "." { #expect(steps.isEmpty, "\(state) \(event)") }
    }
  }

  @Test(arguments: Machine.State.allCases, Machine.Event.allCases)
  func `asks for what the next state needs`(state: Machine.State, event: Machine.Event) {
    var machine = Machine(state)
    let steps = machine.take(event)
    guard machine.state != state else { return }
    let next = machine.state
    // A time that was waited for is forgotten whenever the waiting ends, first of all.
    #expect(steps.contains(.forgetTime) == (state == .waiting))
    if state == .waiting { #expect(steps.first == .forgetTime) }
    #expect(steps.contains(.start) == (event == .turn))
    #expect(steps.contains(.setTime) == (next == .waiting))
    #expect(steps.contains(.clean) == (next == .cleaning || next == .discarding))
    #expect(steps.contains(.end) == (next == .done || next == .failed || next == .cancelled))
    #expect(steps.contains(.remove) == (next == .gone))
    // A job is asked to stop once, however often the member changes his mind.
    #expect(steps.contains(.halt) == (next.isHalting && !state.isHalting))
  }

  @Test(arguments: Machine.State.allCases)
  func `never interrupts a finish, and ends each request`(state: Machine.State) {
    let isFinishing = [.finishing, .finishingThenPause, .finishingThenCancel].contains(state)
    for request in [Machine.Event.pause, .resume, .cancel, .retry, .dismiss] {
      var machine = Machine(state)
      let steps = machine.take(request)
      if isFinishing { #expect(!steps.contains(.halt)) }
      // The same key twice is the same as once.
      let once = machine.state
      let again = machine.take(request)
      #expect(again.isEmpty && machine.state == once, "\(state) \(request) twice")
    }
  }

  /// From anywhere a member gets to an end by `cancel`, whatever the job answers.
  @Test(arguments: Machine.State.allCases, [Machine.Event.succeed, .rest, .fail, .stopped])
  func `comes to an end after a cancel`(state: Machine.State, answer: Machine.Event) {
    var machine = Machine(state)
    for event in [Machine.Event.cancel, answer, .cleaned] { _ = machine.take(event) }
    if state == .gone {
      #expect(machine.state == .gone)
    } else if state == .discarding {
      #expect(machine.state == .gone)
    } else {
      #expect(machine.state.shown.isOver, "\(machine.state)")
    }
  }
}
