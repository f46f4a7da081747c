import FileStores
import Imaging

extension ImageError {
  /// The error with the name of the picture. `what` says what was wanted of it: "shown".
  /// - `corrupt` for what is no picture, or a broken one; `tooLarge` for what is past the limits.
  func storeError(_ name: String, _ what: String, path: StorePath? = nil) -> StoreError {
    let kind: StoreError.Kind =
      switch kind {
      case .notAPicture, .corrupt: .corrupt
      case .unsupported: .unsupported
      case .tooLarge, .memory: .tooLarge
      case .cancelled: .cancelled
      }
    if kind == .cancelled { return .cancelled("Reading \"\(name)\"", path: path) }
    // "The picture is damaged." goes on a sentence here.
    let reason = message.prefix(1).lowercased() + message.dropFirst()
    return StoreError(kind, "\"\(name)\" cannot be \(what): \(reason)", remedy: remedy, path: path)
  }
}
