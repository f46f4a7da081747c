import FileStores
import Transfers

extension JSONValue {
  /// A transfer's object. `rate` is in bytes a second.
  static func transfer(_ transfer: Transfer, rate: Double?) -> JSONValue {
    .members([
      "id": .string(transfer.id),
      "direction": .string(transfer.direction.rawValue),
      "name": .string(transfer.name),
      "path": .string(transfer.path.description),
      "place": transfer.place.map { .string($0) },
      "state": .string(transfer.state.word),
      "sent": .number(transfer.sent),
      "total": transfer.total.map { .number($0) },
      "rate": rate.map { .number(UInt64($0)) },
      "error": transfer.error.map { .error($0) },
    ])
  }
}
