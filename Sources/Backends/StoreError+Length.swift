internal import FileStores

extension StoreError {
  /// A source did not keep to its size. `given` is nil when it went on past the end.
  static func wrongLength(_ path: StorePath, declared: UInt64, given: UInt64?) -> StoreError {
    let instead = given.map { "after \($0)" } ?? "later"
    return StoreError(
      .badInput, "\"\(path)\" should have \(declared) bytes and ended \(instead).",
      remedy: "The file may have changed during the upload. Try again.", path: path)
  }
}
