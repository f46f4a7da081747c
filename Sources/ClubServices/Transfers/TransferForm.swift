import FileStores
import Transfers

/// A `Transfer` as it is told to other processes.
struct TransferForm: Codable, Sendable, Hashable {
  let id: String
  let direction: String
  let name: String
  let path: BytesForm
  let club: String
  var renamedFrom: String?
  let local: String
  let state: String
  let sent: UInt64
  var total: UInt64?
  var rate: Double?
  var secondsLeft: Int?
  let attempts: Int
  let restarts: Int
  var error: ErrorForm?
  var resumesAt: Int64?
  var keptUntil: Int64?
  var place: String?
  var isTold: Bool?
  var entry: EntryForm?

  init(_ transfer: Transfer) {
    id = transfer.id
    direction = transfer.direction.rawValue
    name = transfer.name
    path = BytesForm(transfer.path)
    club = transfer.club
    renamedFrom = transfer.renamedFrom
    local = transfer.local
    state = transfer.state.rawValue
    sent = transfer.sent
    total = transfer.total
    // What is no number has no form.
    rate = transfer.rate.flatMap { $0.isFinite ? $0 : nil }
    secondsLeft = transfer.secondsLeft
    attempts = transfer.attempts
    restarts = transfer.restarts
    error = transfer.error.map { ErrorForm($0) }
    resumesAt = transfer.resumesAt?.nanoseconds
    keptUntil = transfer.keptUntil?.nanoseconds
    place = transfer.place
    isTold = transfer.isTold
    entry = transfer.entry.map { EntryForm($0) }
  }

  /// - Throws: `corrupt` for words that this build does not know.
  var transfer: Transfer {
    get throws(StoreError) {
      guard let direction = Transfer.Direction(rawValue: direction), let state = TransferState(rawValue: state) else {
        throw StoreError(.corrupt, "The transfer \"\(id)\" has details that this byteclub cannot read.")
      }
      var transfer = Transfer(id: id, direction: direction, name: name, path: try path.path)
      transfer.club = club
      transfer.renamedFrom = renamedFrom
      transfer.local = local
      transfer.state = state
      transfer.sent = sent
      transfer.total = total
      transfer.rate = rate
      transfer.secondsLeft = secondsLeft
      transfer.attempts = attempts
      transfer.restarts = restarts
      transfer.error = try error?.error
      transfer.resumesAt = resumesAt.map { Timestamp(nanoseconds: $0) }
      transfer.keptUntil = keptUntil.map { Timestamp(nanoseconds: $0) }
      transfer.place = place
      transfer.isTold = isTold ?? true
      transfer.entry = try entry?.entry
      return transfer
    }
  }
}
