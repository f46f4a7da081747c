/// How content is to become a file: the API's `CommitInfo`.
struct CommitOrder: Sendable {
  /// What a conflict is.
  enum Mode: Sendable, Equatable {
    /// Anything else being there.
    case add
    /// Nothing: what is there is replaced.
    case overwrite
    /// Anything but this version being there.
    case update(Int64)
  }

  /// The shown path.
  let display: String
  let mode: Mode
  /// Whether another name is tried when there is a conflict.
  let autorename: Bool
  /// Whether the same content, or a deleted file, is a conflict too.
  let isStrict: Bool
  /// Seconds since 1970; nil for now.
  let clientModified: Int64?
}
