import FileStores
import Synchronization
import Testing
import TextUI
import Transfers

@testable import Screens

/// The performer with a scripted control, and the teller with the mailbox.
@Suite struct TransfersPerformerTests {
  private let control = ScriptedControl()
  private let told = Told()

  private final class Told: Sendable {
    let mailbox = Mailbox<TransfersAction>(wake: {})
    var sender: Sender<TransfersAction> { Sender { [mailbox] in mailbox.send($0, replacing: $1) } }
    var words: [String] {
      mailbox.drain().map {
        if case .failed(let effect, let error) = $0 { "\(effect) failed: \(error)" } else { "\($0)" }
      }
    }
  }

  private var performer: TransfersPerformer {
    TransfersPerformer(control: control, leaving: control, desktop: control)
  }

  @Test func `commands are said one after the other, in the order in which they were posted`() async {
    let performer = performer
    let commands: [TransferCommand] = (0..<50).flatMap { [.pause("t\($0)"), .resume("t\($0)")] }
    for command in commands { performer.post(.say([command])) }
    await withTaskGroup(of: Void.self) { group in
      for _ in commands { group.addTask { [told] in await performer.perform(.carryOut, told.sender) } }
    }
    #expect(control.commands == commands)
    performer.post(.say([.pauseAll]))
    await performer.perform(.carryOut, told.sender)
    #expect(control.commands.last == .pauseAll)
  }

  @Test func `a command that fails is reported, and the next is said all the same`() async {
    let performer = performer
    control.fail(StoreError(.quota, "No room is left.", remedy: "Make room."))
    performer.post(.say([.pauseAll, .resume("t1")]))
    await performer.perform(.carryOut, told.sender)
    #expect(told.words == Array(repeating: "carryOut failed: No room is left. Make room.", count: 2))
    control.fail(nil)
    performer.post(.say([.limit(5)]))
    await performer.perform(.carryOut, told.sender)
    #expect(told.words == ["limited(Optional(5), isNew: true)"])
  }

  @Test func `the transfers of other accounts are counted when the list is there`() async {
    let performer = TransfersPerformer(
      control: control, leaving: control, desktop: control, others: { () async throws(StoreError) in 2 })
    await performer.perform(.attach, told.sender)
    #expect(told.words == ["attached", "othersCounted(2)"])
  }

  @Test func `a transfer of another account that another process runs is not reported`() async throws {
    let performer = TransfersPerformer(
      control: control, leaving: control, desktop: control, isOwn: { $0.id != "hers" })
    await performer.perform(.attach, told.sender)
    let delegate = try #require(control.delegate)
    let hers = Samples.transfer("hers", "pier.jpg")
    for event in [.appeared(hers), .progressed(hers), .entered(hers), .finished(hers)] as [TransferEvent] {
      delegate.report(event)
    }
    #expect(told.words == ["attached"])
    delegate.report(.appeared(Samples.transfer("mine", "a.jpg")))
    #expect(told.words.count == 1)
  }

  @Test func `of progress only the newest of each transfer waits; all else is kept, in order`() async throws {
    let performer = performer
    await performer.perform(.attach, told.sender)
    let delegate = try #require(control.delegate)
    #expect(told.words == ["attached"])
    let (one, other) = (Samples.transfer("t1", "a", total: 100), Samples.transfer("t2", "b", .download, total: 100))
    func at(_ count: UInt64, _ transfer: Transfer) -> Transfer {
      var transfer = transfer
      transfer.sent = count
      return transfer
    }
    var verifying = other
    verifying.state = .verifying
    delegate.report(.appeared(one))
    delegate.report(.appeared(other))
    for count in 1...50 {
      delegate.report(.progressed(at(UInt64(count), one)))
      delegate.report(.progressed(at(UInt64(count), other)))
    }
    delegate.report(.resumed(at(10, one)))
    for count in 11...20 { delegate.report(.progressed(at(UInt64(count), one))) }
    delegate.report(.entered(verifying))
    delegate.report(.finished(other))
    delegate.report(.disappeared("t2"))
    delegate.report(.reordered(["t1"]))
    let words = told.mailbox.drain().map { action in
      switch action {
      case .appeared(let transfer): "appeared \(transfer.id)"
      case .changed(let transfer): "\(transfer.state.word) \(transfer.id) \(transfer.sent)"
      case .finished(let transfer): "finished \(transfer.id)"
      case .disappeared(let id): "disappeared \(id)"
      case .reordered(let ids): "reordered \(ids)"
      default: "other"
      }
    }
    #expect(
      words == [
        "appeared t1", "appeared t2", "running t2 50", "running t1 10", "running t1 20", "verifying t2 0",
        "finished t2", "disappeared t2", "reordered [\"t1\"]",
      ])
    await performer.detach()
    #expect(control.delegate == nil)
  }

  @Test func `leaving is done before it is reported, and what fails says why`() async {
    let performer = performer
    await performer.perform(.pauseAndLeave, told.sender)
    await performer.perform(.goOnInBackground, told.sender)
    await performer.perform(.askToLeave, told.sender)
    #expect(
      told.words == [
        "left(farewell: nil)", "left(farewell: Optional(\"They go on.\"))",
        "leaveAsked(isElsewhere: false, canGoOn: true)",
      ])
    control.fail(StoreError(.notPermitted, "It may not."))
    await performer.perform(.pauseAndLeave, told.sender)
    await performer.perform(.goOnInBackground, told.sender)
    await performer.perform(.openOutside("/x"), told.sender)
    await performer.perform(.readLimit, told.sender)
    #expect(
      told.words == [
        "pauseAndLeave failed: It may not.", "goOnInBackground failed: It may not.",
        "openOutside(\"/x\") failed: It may not.", "readLimit failed: It may not.",
      ])
  }

  @Test func `the transfers are attached when the first list is there, once`() {
    let robot = Robot()
    #expect(!robot.take().contains("run attach to transfers"))
    robot.happen(.listed(Samples.table(["a"])))
    #expect(robot.take().filter { $0 == "run attach to transfers" }.count == 1)
    robot.happen(.listed(Samples.table(["a"])))
    robot.press("j", "t")
    #expect(!robot.take().contains("run attach to transfers"))
    let unlucky = Robot()
    unlucky.happen(.listFailed(StoreError(.offline, "No.")))
    #expect(unlucky.take().contains("run attach to transfers"))
  }
}
