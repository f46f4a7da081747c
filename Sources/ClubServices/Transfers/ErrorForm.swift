import FileStores

/// A `StoreError` as it is written into the journal and told to other processes.
struct ErrorForm: Codable, Sendable, Hashable {
  let kind: String
  let message: String
  var remedy: String?
  var path: BytesForm?
  var retryAfter: Double?
  var current: EntryForm?

  init(_ error: StoreError) {
    kind = error.kind.rawValue
    message = error.message
    remedy = error.remedy.isEmpty ? nil : error.remedy
    path = error.path.map { BytesForm($0) }
    retryAfter = error.retryAfter.map { Double($0.components.seconds) + Double($0.components.attoseconds) * 1e-18 }
    current = error.current.map { EntryForm($0) }
  }

  /// The error. A kind that this build does not know is a failure of the store.
  var error: StoreError {
    get throws(StoreError) {
      StoreError(
        StoreError.Kind(rawValue: kind) ?? .server, message, remedy: remedy ?? "", path: try path?.path,
        // What is out of range is no time to wait for.
        retryAfter: retryAfter.flatMap { (0...1e9).contains($0) ? .seconds($0) : nil }, current: try current?.entry)
    }
  }
}
