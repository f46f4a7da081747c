import ArgumentParser
import ClubServices
import FileStores
import POSIX
import Screens
import Transfers

struct TransferRunVerb: TransferVerb {
  static let configuration = CommandConfiguration(
    commandName: "run", abstract: "Run all unfinished transfers until they end.",
    discussion: Examples.text([
      "byteclub transfer run": "with progress",
      "byteclub transfer run --progress none &": "quietly",
      "byteclub transfer run --timeout 600": "for cron: ten minutes at most",
    ])
      + "\n\nPaused transfers stay paused. Ctrl-C stops at once; the transferred parts are kept, and the next "
      + "byteclub continues them. When another byteclub runs the transfers, this one shows their progress.")

  @Flag(name: .long, help: .hidden) var detached = false
  @OptionGroup var limit: WaitingLimit
  @OptionGroup var reporting: ProgressOptions
  @OptionGroup var shared: SharedOptions

  var carries: Bool { true }

  func perform(_ session: TransferSession) async throws(StoreError) -> Answer {
    if detached { return try await performDetached(session) }
    let printer = ProgressPrinter(
      reporting.style(session.output, isJSON: session.isJSON), session.output, isASCII: session.base.usesASCII)
    let watch = TransferWatch()
    try await session.attachOwn([printer, watch])
    // Attaching only logs that the transfers cannot be opened; this throws it.
    _ = try await session.transfers()
    let isSettled = await limit.settled(watch)
    printer.finish()
    var answer = Answer()
    var paused = 0
    for transfer in try await session.transfers() where !watch.overAtFirst.contains(transfer.id) {
      if transfer.state == .paused { paused += 1 }
      // The app need not report it again; at worst it does.
      if transfer.state.isOver { try? await session.hub.perform(.acknowledge(transfer.id)) }
      if transfer.state == .failed, let error = transfer.error { answer.failures.append(error) }
      if transfer.state == .done { answer.records.append(Record(.transfer(transfer), line: nil)) }
    }
    if paused > 0 { answer.notices.append(paused == 1 ? "One transfer is paused." : "\(paused) transfers are paused.") }
    let (others, undecided) = try await session.base.heldCounts(session.outbox)
    if let sentence = WaitingWords.others(others) { session.output.alert(sentence) }
    if let sentence = WaitingWords.undecided(undecided) {
      answer.failures.append(
        StoreError(.offline, sentence, remedy: "When the network is back: \(session.base.transferCommand("run"))"))
    }
    if !isSettled { WaitingLimit.note(try await session.transfers(), in: &answer) }
    if Task.isCancelled { answer.failures.append(.cancelled("The run")) }
    return answer
  }

  /// Reports its state to the starting process, closes that pipe, and continues until all transfers are done.
  private func performDetached(_ session: TransferSession) async throws(StoreError) -> Answer {
    // Keeps no directory from being unmounted.
    chdir("/")
    let watch = TransferWatch()
    do throws(StoreError) {
      _ = try await session.transfers()
    } catch {
      tell(session.output, .failed, String(error.description.map { $0.isNewline ? " " : $0 }))
      throw error
    }
    let role = await session.hub.role
    session.base.log.info("running in the background", ["role": "\(role)"])
    tell(session.output, role == .owner ? .owner : .client)
    // Another process may own the transfers and end before they do, such as a verb that waits for its own. This process
    // then takes over.
    try await session.attachOwn([watch])
    await watch.settled()
    let failed = try await session.transfers().filter { $0.state == .failed }.count
    session.base.log.info("the background is done", ["failed": "\(failed)"])
    return Answer()
  }

  private func tell(_ output: Output, _ word: BackgroundProcess.Word, _ rest: String = "") {
    output.line(rest.isEmpty ? word.rawValue : "\(word.rawValue) \(rest)")
    output.finish()
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard nowhere >= 0 else { return }
    dup2(nowhere, 1)
    close(nowhere)
  }
}
