import FileStores
import Transfers

/// A `TransferRecord` as the journal keeps it. Fields may be added in later versions; none changes its meaning.
struct RecordForm: Codable, Sendable, Hashable {
  let order: OrderForm
  let created: Int64
  let phase: String
  let path: BytesForm
  var session: String?
  var sessionBegan: Int64?
  let offset: UInt64
  var total: UInt64?
  var sourceStamp: String?
  var revision: String?
  var hash: String?
  var part: BytesForm?
  var partBoot: String?
  let attempts: Int
  let restarts: Int
  var notBefore: Int64?
  var error: ErrorForm?
  var place: String?
  var ended: Int64?
  /// Nil in rows of versions that told nothing at the start.
  var isTold: Bool?

  init(_ record: TransferRecord) {
    order = OrderForm(record.order)
    created = record.created.nanoseconds
    phase = record.phase.rawValue
    path = BytesForm(record.path)
    session = record.session?.id
    sessionBegan = record.sessionBegan?.nanoseconds
    offset = record.offset
    total = record.total
    sourceStamp = record.sourceStamp
    revision = record.revision?.value
    hash = record.contentHash?.hex
    part = record.part.map { BytesForm($0) }
    partBoot = record.partBoot
    attempts = record.attempts
    restarts = record.restarts
    notBefore = record.notBefore?.nanoseconds
    error = record.error.map { ErrorForm($0) }
    place = record.place
    ended = record.ended?.nanoseconds
    isTold = record.isTold
  }

  /// - Throws: when a later version wrote what this one cannot go by.
  func record(id: Transfer.ID, position: Int64) throws(StoreError) -> TransferRecord {
    guard let phase = TransferRecord.Phase(rawValue: phase) else {
      throw StoreError(.unsupported, "This byteclub does not know the state of the transfer \"\(id)\".")
    }
    var record = TransferRecord(
      id: id, order: try order.order, created: Timestamp(nanoseconds: created), position: position)
    record.phase = phase
    record.path = try path.path
    record.session = session.map { UploadSession($0) }
    record.sessionBegan = sessionBegan.map { Timestamp(nanoseconds: $0) }
    record.offset = offset
    record.total = total
    record.sourceStamp = sourceStamp
    record.revision = revision.map { Revision($0) }
    record.contentHash = hash.flatMap { ContentHash(hex: $0) }
    record.part = part?.bytes
    record.partBoot = partBoot
    record.attempts = attempts
    record.restarts = restarts
    record.notBefore = notBefore.map { Timestamp(nanoseconds: $0) }
    record.error = try error?.error
    record.place = place
    record.ended = ended.map { Timestamp(nanoseconds: $0) }
    record.isTold = isTold ?? (record.ended != nil)
    return record
  }
}
