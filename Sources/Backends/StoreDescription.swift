public import FileStores

/// Which store to open, in plain values as a config has them.
public struct StoreDescription: Sendable, Hashable {
  /// The name of a `StoreKind`.
  public let kind: String
  /// What the kind wants to know, by the keys of its settings.
  public var options: [String: String]
  /// Settings that are programs: each a program and its arguments.
  public var programs: [String: [String]]

  /// Makes a description.
  public init(kind: String, options: [String: String] = [:], programs: [String: [String]] = [:]) {
    self.kind = kind
    self.options = options
    self.programs = programs
  }

  /// Whether servers elsewhere may be asked without encryption: the setting `network.allowPlainHTTP`, which is the same
  /// for all clubs.
  public var allowsPlainHTTP: Bool {
    get { options["allowPlainHTTP"] == "true" }
    set { options["allowPlainHTTP"] = newValue ? "true" : nil }
  }

  /// The value of an option that the kind cannot do without.
  /// - Throws: `badInput` when there is none.
  public func required(_ option: String) throws(StoreError) -> String {
    guard let value = options[option], !value.isEmpty else {
      throw StoreError(
        .badInput, "A store of kind \"\(kind)\" needs \"\(option)\".", remedy: "Set it in the config.")
    }
    return value
  }
}
