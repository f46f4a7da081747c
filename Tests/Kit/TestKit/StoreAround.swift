public import FileStores

/// A test's store that wraps another, the base. It has no capabilities by default.
public protocol StoreAround: StoreWrapper {}

extension StoreAround {
  public var capabilities: Capabilities { Capabilities() }
}
