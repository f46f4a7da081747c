internal import FileStores

/// Decides, from the findings about a server, if a store writes.
struct WriteGuard: Sendable {
  /// The setting with which a member accepts writes that another member's can destroy.
  static let setting = StoreSetting(
    "unsafeWrites", .flag,
    about:
      "True to write at a server that keeps no conditions: there, a save can destroy what another member saves at the "
      + "same moment. Without it, such a club is read-only.")

  let isUnsafeAllowed: Bool

  init(_ store: StoreDescription) { isUnsafeAllowed = store.options["unsafeWrites"] == "true" }

  /// - Throws: `notPermitted` for a server without conditions, unless the member has allowed it.
  func check(_ conditions: WriteConditions, server: String, _ path: StorePath) throws(StoreError) {
    guard conditions == .none, !isUnsafeAllowed else { return }
    throw StoreError(
      .notPermitted,
      "The club is read-only, because \(server) would let a save destroy what another member saves at the same moment.",
      remedy: "\"byteclub doctor\" shows the test. To write all the same, set \"unsafeWrites\" to true in the config.",
      path: path)
  }
}
