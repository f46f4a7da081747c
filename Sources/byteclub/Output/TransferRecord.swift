import FileStores
import JSON
import Transfers

extension JSONValue {
  /// A transfer's object. `rate` is in bytes a second.
  static func transfer(_ transfer: Transfer) -> JSONValue {
    .members([
      "id": .string(transfer.id),
      "direction": .string(transfer.direction.rawValue),
      "name": .string(transfer.name),
      "path": .string(transfer.path.description),
      "club": .string(transfer.club),
      "local": .string(transfer.local),
      "place": transfer.place.map { .string($0) },
      "state": .string(transfer.state.word),
      "sent": .number(transfer.sent),
      "total": transfer.total.map { .number($0) },
      "rate": transfer.rate.map { .number(UInt64(max(0, $0))) },
      "secondsLeft": transfer.secondsLeft.map { .number($0) },
      "attempts": .number(transfer.attempts),
      "restarts": .number(transfer.restarts),
      "resumesAt": transfer.resumesAt.map { .string(RFC3339.text($0)) },
      "keptUntil": transfer.keptUntil.map { .string(RFC3339.text($0)) },
      "error": transfer.error.map { .error($0) },
    ])
  }
}
