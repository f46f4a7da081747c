import Basics
import FileStores

struct TransferItem {
  var record: TransferRecord
  var machine: TransferMachine
  /// Bytes that the store may have, or that were received. May be ahead of the journal's offset.
  var sent: UInt64
  /// The part of `sent` that a failure does not undo.
  var kept: UInt64
  /// The state and the count that were reported last, and the time of that count.
  var reportedState: TransferState
  var reported: UInt64
  var reportedAt: Duration?
  /// Reports a count that came too soon after another.
  var teller: Task<Void, Never>?
  /// Over for the journal, but not reported yet.
  var isSettling = false
  var rate: TransferRate?
  /// Time and bytes of this process, for the true average.
  var ranFor = Duration.zero
  var moved: UInt64 = 0
  var began: Duration?
  /// Failures in a row without progress, and the number of equal wrong answers at their end.
  var failures = 0
  var wrongAnswers = 0
  var pause = Duration.zero
  var entry: FileEntry?
  var task: Task<Void, Never>?
  var timer: Task<Void, Never>?
  var listeners: [PendingAnswer<Transfer?>] = []

  init(_ record: TransferRecord) {
    self.record = record
    machine = TransferMachine(TransferMachine.State(record.phase))
    (sent, kept, reported) = (record.offset, record.offset, record.offset)
    reportedState = machine.state.shown
  }

  mutating func forgiveFailures() { (failures, wrongAnswers) = (0, 0) }

  mutating func fail(_ error: StoreError, now: Timestamp) {
    failures += 1
    wrongAnswers = !error.isWrongAnswer ? 0 : error.message == record.error?.message ? wrongAnswers + 1 : 1
    record.error = error.limitingWait(now: now.seconds)
  }

  func shown(at now: Duration) -> Transfer {
    var transfer = record.shown(as: reportedState)
    transfer.sent = sent
    transfer.resumesAt = machine.state == .waiting ? record.notBefore : nil
    transfer.entry = entry ?? transfer.entry
    if reportedState == .running {
      transfer.rate = rate?.bytesPerSecond(at: now)
      transfer.secondsLeft = rate?.secondsLeft(of: record.total, at: now)
    } else if reportedState.isOver, ranFor > .zero {
      transfer.rate = Double(moved) / ranFor.inSeconds
    }
    return transfer
  }
}

/// The waiting transfers of each store, by position.
struct TransferQueue {
  struct Place: Comparable, Hashable {
    let position: Int64
    let id: Transfer.ID
    static func < (one: Place, other: Place) -> Bool { (one.position, one.id) < (other.position, other.id) }
  }

  private var stores: [String: [Place]] = [:]

  mutating func add(_ record: TransferRecord) {
    let place = Place(position: record.position, id: record.id)
    stores[record.order.store, default: []].insert(place, at: index(of: place, record.order.store))
  }

  mutating func remove(_ record: TransferRecord) {
    let place = Place(position: record.position, id: record.id)
    let at = index(of: place, record.order.store)
    guard let line = stores[record.order.store], at < line.count, line[at] == place else { return }
    stores[record.order.store]?.remove(at: at)
  }

  func first(where mayStart: (String) -> Bool) -> Transfer.ID? {
    stores.filter { mayStart($0.key) }.compactMap(\.value.first).min()?.id
  }

  private func index(of place: Place, _ store: String) -> Int {
    guard let line = stores[store] else { return 0 }
    var (low, high) = (0, line.count)
    while low < high {
      let middle = (low + high) / 2
      if line[middle] < place { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
