import ArgumentParser
import ClubServices
import FileStores
import Glibc
import Transfers

/// `byteclub transfer run`.
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
    let before = Set(try await session.hub.transfers().filter(\.state.isOver).map(\.id))
    let printer = ProgressPrinter(reporting.style(session.output, isJSON: session.isJSON), session.output)
    let watch = TransferWatch(nil)
    await session.hub.attach(printer)
    await session.hub.attach(watch)
    let isSettled = await limit.settled(watch)
    printer.finish()
    var answer = Answer()
    var paused = 0
    for transfer in try await session.hub.transfers() where !before.contains(transfer.id) {
      if transfer.state == .paused { paused += 1 }
      // What is told here is not told by the app. At worst it tells it once more.
      if transfer.state.isOver { try? await session.hub.perform(.acknowledge(transfer.id)) }
      if transfer.state == .failed, let error = transfer.error { answer.failures.append(error) }
      if transfer.state == .done { answer.records.append(Record(.transfer(transfer), line: nil)) }
    }
    if paused > 0 { answer.notices.append(paused == 1 ? "One transfer is paused." : "\(paused) transfers are paused.") }
    if !isSettled { WaitingLimit.note(try await session.hub.transfers(), in: &answer) }
    if Task.isCancelled { answer.failures.append(.cancelled("The run")) }
    return answer
  }

  /// In the background: tells whoever started it how it began, lets go of the pipe that this was told through, and
  /// carries on until all is done.
  private func performDetached(_ session: TransferSession) async throws(StoreError) -> Answer {
    // No directory is kept from being unmounted.
    chdir("/")
    let watch = TransferWatch(nil)
    do throws(StoreError) {
      _ = try await session.hub.transfers()
    } catch {
      tell(.failed, String(error.description.map { $0.isNewline ? " " : $0 }))
      throw error
    }
    let role = await session.hub.role
    session.base.log.info("running in the background", ["role": "\(role)"])
    tell(role == .owner ? .owner : .guest)
    // Another one may carry them out, such as a verb that waits for its own and ends with it: this one takes over then.
    await session.hub.attach(watch)
    await watch.settled()
    let failed = try await session.hub.transfers().filter { $0.state == .failed }.count
    session.base.log.info("the background is done", ["failed": "\(failed)"])
    return Answer()
  }

  private func tell(_ word: BackgroundProcess.Word, _ rest: String = "") {
    let line = Array((rest.isEmpty ? word.rawValue : "\(word.rawValue) \(rest)").utf8) + [0x0A]
    _ = write(1, line, line.count)
    let nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    guard nowhere >= 0 else { return }
    dup2(nowhere, 1)
    close(nowhere)
  }
}
