internal import FileStores

extension StoreSetting {
  static let caFile = StoreSetting(
    "caFile", .path, about: "A PEM file of certificates to trust for this server, instead of the system's.")

  static let pin = StoreSetting(
    "pin",
    about:
      "The only key that the server of the club NAME may have, as the club's owner gives it: sha256// and 44 characters; "
      + "two of them, OLD;NEW, while the key changes. No authority is asked then, and the certificate may end or "
      + "have another name. Without it: authorities.")
}

extension HTTPOptions {
  /// The options for a club's own server.
  /// - Throws: `badInput` for a pin that is none, or that no encryption would check.
  init(_ store: StoreDescription, origins: Set<HTTPOrigin>) throws(StoreError) {
    self.init(origins: origins, caFile: store.options["caFile"], allowPlainHTTP: store.allowsPlainHTTP)
    guard let pin = store.options["pin"] else { return }
    pins = try KeyPin.list(configText: pin)
    if let plain = origins.first(where: { !$0.isEncrypted }) {
      throw StoreError(
        .badInput, "\(plain) is not encrypted, so it cannot prove the key that \"pin\" names.",
        remedy: "Write https:// in the config, or remove \"pin\".")
    }
  }
}
