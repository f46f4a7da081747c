import ArgumentParser
import ClubServices
import FileStores
import Transfers

struct TransferWaitVerb: TransferVerb {
  static let configuration = CommandConfiguration(
    commandName: "wait", abstract: "Wait until transfers have finished; without an id, all that are not paused.",
    discussion: Examples.text([
      "byteclub transfer wait": "wait until all have finished",
      "byteclub transfer wait t4k2 && xdg-open .": "wait until that one is done",
    ])
      + "\n\nWhen no byteclub runs transfers, this one does until then. Ctrl-C ends the waiting, not the "
      + "transfers.")

  @Argument(help: "The ids, or their beginnings.") var ids: [String] = []
  @OptionGroup var limit: WaitingLimit
  @OptionGroup var reporting: ProgressOptions
  @OptionGroup var shared: SharedOptions

  var carries: Bool { true }

  func perform(_ session: TransferSession) async throws(StoreError) -> Answer {
    let style = reporting.style(session.output, isJSON: session.isJSON)
    let printer = ProgressPrinter(style, session.output, isASCII: session.base.usesASCII, watchesAll: false)
    let watch = TransferWatch()
    await session.hub.attach([printer, watch])
    let all = try await session.transfers()
    var wanted: [Transfer] = []
    var answer = Answer()
    for name in ids {
      do throws(StoreError) {
        let transfer = try TransferName.find(name, among: all)
        if transfer.state == .paused {
          throw StoreError(
            .conflict, "\"\(transfer.name)\" (\(transfer.id)) is paused.",
            remedy: "Resume it with: byteclub transfer resume \(transfer.id)", path: transfer.path)
        }
        wanted.append(transfer)
      } catch {
        answer.failures.append(error)
      }
    }
    if ids.isEmpty { wanted = all.filter { !watch.overAtFirst.contains($0.id) && $0.state != .paused } }
    let order = wanted.map(\.id)
    printer.watch(order)
    watch.watch(order)
    let isSettled = await limit.settled(watch)
    printer.finish()
    let now = Dictionary(try await session.transfers().map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    for id in order {
      guard let transfer = now[id] else { continue }
      // The app need not report it again; at worst it does.
      if transfer.state.isOver { try? await session.hub.perform(.acknowledge(id)) }
      if let error = transfer.error, transfer.state.isOver, transfer.state != .done {
        answer.failures.append(error)
      } else if transfer.state.isOver || transfer.state == .paused {
        answer.records.append(Record(.transfer(transfer), line: nil))
      }
    }
    if !isSettled { WaitingLimit.note(order.compactMap { now[$0] }, in: &answer) }
    if Task.isCancelled { answer.failures.append(.cancelled("The waiting")) }
    return answer
  }
}
