import FileStores

/// What the engine knows of one transfer.
struct TransferItem {
  var record: TransferRecord
  var machine: TransferMachine
  /// Bytes that the store can have, or that have been received: what is shown, ahead of the journal's offset.
  var sent: UInt64
  /// Of these, the bytes that a failure does not undo.
  var kept: UInt64
  /// The state that the delegates know.
  var toldState: TransferState
  /// The count that the delegates know, and since when.
  var told: UInt64
  var toldAt: Duration?
  /// Tells a count that came too soon after another.
  var teller: Task<Void, Never>?
  /// Over in the journal's eyes, but not yet told.
  var isSettling = false
  var rate: TransferRate?
  /// For the true average: how long it ran, and what it moved, in this process.
  var ranFor = Duration.zero
  var moved: UInt64 = 0
  var began: Duration?
  /// Failures without progress between them, and how long it waits after the last.
  var failures = 0
  var pause = Duration.zero
  var entry: FileEntry?
  var task: Task<Void, Never>?
  var timer: Task<Void, Never>?
  var listeners: [UnsafeContinuation<Transfer?, Never>] = []

  init(_ record: TransferRecord) {
    self.record = record
    machine = TransferMachine(TransferMachine.State(record.phase))
    sent = record.offset
    kept = record.offset
    told = record.offset
    toldState = machine.state.shown
  }

  /// As it is shown.
  func shown(at now: Duration) -> Transfer {
    var transfer = Transfer(
      id: record.id, direction: record.order.direction, name: record.order.name, path: record.path)
    transfer.club = record.order.club
    transfer.renamedFrom = record.order.renamedFrom
    switch record.order.work {
    case .upload(let file, _, _, _, _): transfer.local = file
    case .download(let folder): transfer.local = folder
    }
    transfer.state = toldState
    transfer.sent = sent
    transfer.total = record.total
    transfer.attempts = record.attempts
    transfer.restarts = record.restarts
    transfer.error = record.error
    transfer.resumesAt = machine.state == .waiting ? record.notBefore : nil
    transfer.keptUntil = record.sessionBegan.map { Timestamp(nanoseconds: $0.nanoseconds &+ UploadJob.keptFor) }
    transfer.place = toldState == .done ? record.place : nil
    transfer.isTold = record.isTold
    transfer.entry = entry
    if toldState == .running {
      transfer.rate = rate?.bytesPerSecond(at: now)
      transfer.secondsLeft = rate?.secondsLeft(of: record.total, at: now)
    } else if toldState.isOver, ranFor > .zero {
      transfer.rate =
        Double(moved) / (Double(ranFor.components.seconds) + Double(ranFor.components.attoseconds) * 1e-18)
    }
    return transfer
  }
}
