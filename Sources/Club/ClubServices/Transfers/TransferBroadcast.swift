import Basics
import Synchronization
import Transfers

/// Calls the delegates of this process one after the other, in the order of the events, never under the lock.
///
/// Events come from one source at a time: the local engine or the owner process. A new source first reports all its
/// transfers; delegates then get only the changes that they missed.
final class TransferBroadcast: Sendable {
  fileprivate struct State {
    var transfers: [Transfer.ID: Transfer] = [:]
    var order: [Transfer.ID] = []
    /// Transfers whose end was reported. A source may go away between the last state and the report of the end.
    var ended: Set<Transfer.ID> = []
    var delegates: [any TransferDelegate] = []
    var waiting: [Transfer.ID: [PendingAnswer<Transfer?>]] = [:]
    var source = 0
    /// Transfers that a new source has reported, until it has reported all.
    var reported: [Transfer.ID]?
    var mail: [Mail] = []
    var isDelivering = false
  }

  fileprivate enum Mail {
    case event(TransferEvent, to: any TransferDelegate)
    case answer(PendingAnswer<Transfer?>, Transfer?)
    case mark(PendingAnswer<Void>)
  }

  private let state = Mutex(State())

  var transfers: [Transfer] { state.withLock { state in state.order.compactMap { state.transfers[$0] } } }
  var ids: Set<Transfer.ID> { state.withLock { Set($0.transfers.keys) } }
  var isSeen: Bool { state.withLock { $0.delegates.contains { $0.isSeen } } }
  var isListening: Bool { state.withLock { !$0.delegates.isEmpty || !$0.waiting.isEmpty } }

  /// Reports all events to a delegate from now on. All known transfers are reported when this returns.
  func attach(_ delegate: any TransferDelegate) async {
    let mark = PendingAnswer<Void>()
    change { state in
      guard !state.delegates.contains(where: { $0 === delegate }) else { return state.mail.append(.mark(mark)) }
      state.delegates.append(delegate)
      for id in state.order {
        if let transfer = state.transfers[id] { state.mail.append(.event(.appeared(transfer), to: delegate)) }
      }
      state.mail.append(.mark(mark))
    }
    await mark.value()
  }

  /// Waits until delegates have all events that have come so far.
  func delivered() async {
    let mark = PendingAnswer<Void>()
    change { $0.mail.append(.mark(mark)) }
    await mark.value()
  }

  /// No call to the delegate runs any more when this returns.
  func detach(_ delegate: any TransferDelegate) async {
    let mark = PendingAnswer<Void>()
    change { state in
      state.delegates.removeAll { $0 === delegate }
      state.mail.append(.mark(mark))
    }
    await mark.value()
  }

  /// Waits until a transfer is over; nil if it does not exist. A cancelled task gets the transfer in its present state.
  func ended(_ id: Transfer.ID) async -> Transfer? {
    let answer = PendingAnswer<Transfer?>()
    let isOver = state.withLock { state in
      if state.transfers[id] == nil || state.ended.contains(id) { return true }
      state.waiting[id, default: []].append(answer)
      return false
    }
    if !isOver, let transfer = await answer.value() { return transfer }
    return state.withLock { state in
      state.waiting[id]?.removeAll { $0 === answer }
      if state.waiting[id]?.isEmpty == true { state.waiting[id] = nil }
      return state.transfers[id]
    }
  }

  /// Ends all waits, because no process carries on the transfers.
  func giveUp() {
    change { state in
      for (id, waiting) in state.waiting {
        for answer in waiting { state.mail.append(.answer(answer, state.transfers[id])) }
      }
      state.waiting = [:]
    }
  }

  /// Ignores events of earlier sources from now on.
  func newSource() -> Source {
    state.withLock { state in
      state.source += 1
      state.reported = []
      return Source(broadcast: self, number: state.source)
    }
  }

  /// The new source has reported all transfers: any other is gone.
  func isThrough(_ source: Source) {
    receive(source.number) { state in
      guard let reported = state.reported else { return }
      state.reported = nil
      let there = Set(reported)
      for id in state.order where !there.contains(id) { state.remove(id) }
      guard state.order != reported else { return }
      state.order = reported
      state.tell(.reordered(reported))
    }
  }

  fileprivate func receive(_ number: Int, _ body: (inout State) -> Void) {
    change { state in
      if state.source == number { body(&state) }
    }
  }

  /// Changes the state and delivers the mail, unless another thread is delivering; that thread then delivers it all.
  private func change(_ body: (inout State) -> Void) {
    let delivers = state.withLock { state in
      body(&state)
      if state.isDelivering || state.mail.isEmpty { return false }
      state.isDelivering = true
      return true
    }
    guard delivers else { return }
    while let mail = nextMail() {
      for item in mail { deliver(item) }
    }
  }

  private func nextMail() -> [Mail]? {
    state.withLock { state in
      if state.mail.isEmpty {
        state.isDelivering = false
        return nil
      }
      defer { state.mail = [] }
      return state.mail
    }
  }

  private func deliver(_ item: Mail) {
    switch item {
    case .event(let event, let delegate):
      // It may have been detached meanwhile.
      guard state.withLock({ $0.delegates.contains { $0 === delegate } }) else { return }
      delegate.report(event)
    case .answer(let answer, let transfer): answer.give(transfer)
    case .mark(let mark): mark.give(())
    }
  }

  final class Source: TransferDelegate {
    private let broadcast: TransferBroadcast
    fileprivate let number: Int

    fileprivate init(broadcast: TransferBroadcast, number: Int) { (self.broadcast, self.number) = (broadcast, number) }

    var isSeen: Bool { broadcast.isSeen }

    func report(_ event: TransferEvent) { broadcast.receive(number) { $0.take(event) } }
  }
}

extension TransferBroadcast.State {
  fileprivate mutating func take(_ event: TransferEvent) {
    switch event {
    case .appeared(let transfer): appeared(transfer)
    case .progressed(let transfer): progressed(transfer)
    case .resumed(let transfer):
      transfers[transfer.id] = transfer
      tell(event)
    case .entered(let transfer): entered(transfer)
    case .finished(let transfer): finished(transfer)
    case .disappeared(let id):
      reported?.removeAll { $0 == id }
      remove(id)
    case .reordered(let ids):
      if reported != nil { reported = ids }
      order = ids
      tell(event)
    }
  }

  fileprivate mutating func tell(_ event: TransferEvent) {
    for delegate in delegates { mail.append(.event(event, to: delegate)) }
  }

  fileprivate mutating func appeared(_ new: Transfer) {
    reported?.append(new.id)
    guard let old = transfers.updateValue(new, forKey: new.id) else {
      order.append(new.id)
      if new.state.isOver { ended.insert(new.id) }
      return tell(.appeared(new))
    }
    let isAgain = old.state.isOver && !new.state.isOver
    if isAgain { entered(new) }
    if new.sent < old.sent {
      tell(.resumed(new))
    } else if new.sent > old.sent {
      progressed(new)
    }
    if !isAgain, new.state != old.state || new.resumesAt != old.resumesAt { entered(new) }
    if new.state.isOver, !ended.contains(new.id) { finished(new) }
  }

  fileprivate mutating func progressed(_ transfer: Transfer) {
    transfers[transfer.id] = transfer
    tell(.progressed(transfer))
  }

  fileprivate mutating func entered(_ transfer: Transfer) {
    transfers[transfer.id] = transfer
    if !transfer.state.isOver { ended.remove(transfer.id) }
    tell(.entered(transfer))
  }

  fileprivate mutating func finished(_ transfer: Transfer) {
    transfers[transfer.id] = transfer
    ended.insert(transfer.id)
    tell(.finished(transfer))
    for answer in waiting.removeValue(forKey: transfer.id) ?? [] { mail.append(.answer(answer, transfer)) }
  }

  fileprivate mutating func remove(_ id: Transfer.ID) {
    let last = transfers.removeValue(forKey: id)
    order.removeAll { $0 == id }
    ended.remove(id)
    tell(.disappeared(id))
    for answer in waiting.removeValue(forKey: id) ?? [] { mail.append(.answer(answer, last)) }
  }
}
