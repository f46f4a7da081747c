/// On which condition a put may write.
public enum WriteMode: Sendable, Hashable {
  /// Only where nothing is.
  case create
  /// Only over this revision.
  case replace(Revision)
  /// Over whatever file is there, or none.
  case overwrite
}
