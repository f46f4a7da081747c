/// What a store that tries again tells of its calls, as it happens.
public enum CallReport: Sendable {
  /// A call goes out, for the first time or again.
  case asks
  /// The store answered a call.
  case answered
  /// A call failed for a while; the next try comes after a pause.
  case waits(StoreError, Duration)
  /// A call failed for a while, and there is no further try.
  case failed(StoreError)
}

/// Takes reports. Called on any thread, between the steps of the calls: returns at once.
public typealias CallObserver = @Sendable (CallReport) -> Void
