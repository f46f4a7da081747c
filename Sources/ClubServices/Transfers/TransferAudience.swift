import FileStores
import Synchronization
import Transfers

/// Those of this process who want to know of transfers, whoever carries these out.
///
/// What is told comes from one source after the other: an engine, a line to another process, the next one. A source
/// tells all that is there when it begins. Nobody here notices the change: what is known is not told again, and what
/// happened in between is told as if it happened now.
final class TransferAudience: Sendable {
  fileprivate struct State {
    var transfers: [Transfer.ID: Transfer] = [:]
    var order: [Transfer.ID] = []
    /// Those whose end was told. A source may go away between a last state and the word that it was the end.
    var ended: Set<Transfer.ID> = []
    var delegates: [any TransferDelegate] = []
    var waiting: [Transfer.ID: [UnsafeContinuation<Transfer?, Never>]] = [:]
    var source = 0
    /// What the new source has told so far, while it tells what is there.
    var told: [Transfer.ID]?
  }

  private let state = Mutex(State())

  /// All that is known.
  var transfers: [Transfer] { state.withLock { state in state.order.compactMap { state.transfers[$0] } } }
  /// The words of all that is known.
  var ids: Set<Transfer.ID> { state.withLock { Set($0.transfers.keys) } }
  /// Whether a member sees what is told.
  var isSeen: Bool { state.withLock { $0.delegates.contains { $0.isSeen } } }
  /// Whether anybody wants to know anything.
  var isListening: Bool { state.withLock { !$0.delegates.isEmpty || !$0.waiting.isEmpty } }

  /// Tells a delegate of everything from now on, beginning with what is known.
  func attach(_ delegate: any TransferDelegate) {
    state.withLock { state in
      guard !state.delegates.contains(where: { $0 === delegate }) else { return }
      state.delegates.append(delegate)
      for id in state.order {
        if let transfer = state.transfers[id] { delegate.transferDidAppear(transfer) }
      }
    }
  }

  /// Tells a delegate nothing more.
  func detach(_ delegate: any TransferDelegate) {
    state.withLock { $0.delegates.removeAll { $0 === delegate } }
  }

  /// Waits until a transfer is over; nil when there is none.
  func ended(_ id: Transfer.ID) async -> Transfer? {
    await withUnsafeContinuation { continuation in
      state.withLock { state in
        guard state.transfers[id] != nil, !state.ended.contains(id) else {
          return continuation.resume(returning: state.transfers[id])
        }
        state.waiting[id, default: []].append(continuation)
      }
    }
  }

  /// Nobody carries on: who waits is told how things stand.
  func giveUp() {
    state.withLock { state in
      for (id, waiting) in state.waiting {
        for continuation in waiting { continuation.resume(returning: state.transfers[id]) }
      }
      state.waiting = [:]
    }
  }

  /// A new source, whose word counts from now on; those of earlier ones do not any more.
  func newSource() -> Source {
    state.withLock { state in
      state.source += 1
      state.told = []
      return Source(audience: self, number: state.source)
    }
  }

  /// The new source has told all that is there: what it did not tell is gone.
  func isThrough(_ source: Source) {
    state.withLock { state in
      guard state.source == source.number, let told = state.told else { return }
      state.told = nil
      let there = Set(told)
      for id in state.order where !there.contains(id) { Self.remove(id, &state) }
      guard state.order != told else { return }
      state.order = told
      for delegate in state.delegates { delegate.transfersDidReorder(told) }
    }
  }

  fileprivate func tell(_ number: Int, _ body: (inout State) -> Void) {
    state.withLock { state in
      if state.source == number { body(&state) }
    }
  }

  private static func appeared(_ new: Transfer, _ state: inout State) {
    state.told?.append(new.id)
    guard let old = state.transfers.updateValue(new, forKey: new.id) else {
      state.order.append(new.id)
      if new.state.isOver { state.ended.insert(new.id) }
      for delegate in state.delegates { delegate.transferDidAppear(new) }
      return
    }
    let isAgain = old.state.isOver && !new.state.isOver
    if isAgain { entered(new, &state) }
    if new.sent < old.sent {
      for delegate in state.delegates { delegate.transfer(new, didResumeAt: new.sent, of: new.total) }
    } else if new.sent > old.sent {
      progressed(new, &state)
    }
    if !isAgain, new.state != old.state || new.resumesAt != old.resumesAt { entered(new, &state) }
    if new.state.isOver, !state.ended.contains(new.id) { finished(new, &state) }
  }

  private static func progressed(_ transfer: Transfer, _ state: inout State) {
    state.transfers[transfer.id] = transfer
    for delegate in state.delegates {
      switch transfer.direction {
      case .upload: delegate.transfer(transfer, didSend: transfer.sent, of: transfer.total)
      case .download: delegate.transfer(transfer, didReceive: transfer.sent, of: transfer.total)
      }
    }
  }

  private static func entered(_ transfer: Transfer, _ state: inout State) {
    state.transfers[transfer.id] = transfer
    if !transfer.state.isOver { state.ended.remove(transfer.id) }
    for delegate in state.delegates { delegate.transfer(transfer, didEnter: transfer.state) }
  }

  private static func finished(_ transfer: Transfer, _ state: inout State) {
    state.transfers[transfer.id] = transfer
    state.ended.insert(transfer.id)
    for delegate in state.delegates { delegate.transferDidFinish(transfer) }
    for continuation in state.waiting.removeValue(forKey: transfer.id) ?? [] {
      continuation.resume(returning: transfer)
    }
  }

  private static func remove(_ id: Transfer.ID, _ state: inout State) {
    let last = state.transfers.removeValue(forKey: id)
    state.order.removeAll { $0 == id }
    state.ended.remove(id)
    for delegate in state.delegates { delegate.transferDidDisappear(id) }
    for continuation in state.waiting.removeValue(forKey: id) ?? [] { continuation.resume(returning: last) }
  }

  /// Where an engine, or a line to another process, tells what happens.
  final class Source: TransferDelegate {
    private let audience: TransferAudience
    fileprivate let number: Int

    fileprivate init(audience: TransferAudience, number: Int) { (self.audience, self.number) = (audience, number) }

    var isSeen: Bool { audience.isSeen }

    func transferDidAppear(_ transfer: Transfer) { audience.tell(number) { appeared(transfer, &$0) } }

    func transfer(_ transfer: Transfer, didSend bytes: UInt64, of total: UInt64?) {
      audience.tell(number) { progressed(transfer, &$0) }
    }

    func transfer(_ transfer: Transfer, didReceive bytes: UInt64, of total: UInt64?) {
      audience.tell(number) { progressed(transfer, &$0) }
    }

    func transfer(_ transfer: Transfer, didResumeAt offset: UInt64, of total: UInt64?) {
      audience.tell(number) { state in
        state.transfers[transfer.id] = transfer
        for delegate in state.delegates { delegate.transfer(transfer, didResumeAt: offset, of: total) }
      }
    }

    func transfer(_ transfer: Transfer, didEnter new: TransferState) {
      audience.tell(number) { entered(transfer, &$0) }
    }

    func transferDidFinish(_ transfer: Transfer) { audience.tell(number) { finished(transfer, &$0) } }

    func transferDidDisappear(_ id: Transfer.ID) {
      audience.tell(number) { state in
        state.told?.removeAll { $0 == id }
        remove(id, &state)
      }
    }

    func transfersDidReorder(_ ids: [Transfer.ID]) {
      audience.tell(number) { state in
        if state.told != nil { state.told = ids }
        state.order = ids
        for delegate in state.delegates { delegate.transfersDidReorder(ids) }
      }
    }
  }
}
