public import Backends
public import FileStores

/// Stands in for the key that a server makes itself: without one no invitation has a pin.
public struct OwnCertificate: Sendable {
  /// nil without such a key.
  public static func pin(in directory: PrivateDirectory) throws(StoreError) -> KeyPin? { nil }
}
