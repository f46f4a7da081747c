internal import FileStores

extension StoreError {
  /// The same error with a path, where it has none.
  func about(_ path: StorePath) -> StoreError {
    self.path != nil
      ? self
      : StoreError(kind, message, remedy: remedy, path: path, retryAfter: retryAfter, current: current)
  }
}
