internal import FileStores

/// What the kinds for both versions of the API have in common in a config.
extension DropboxServer {
  /// Settings that mean the same for both.
  static let settings = [
    StoreSetting(
      "folder",
      about:
        "The club's folder in the Dropbox or on the server, such as /Our club. Without it: everything that the app or the "
        + "server shows."),
    StoreSetting(
      "caFile", .path,
      about: "A PEM file of certificates to trust for this server, instead of the system's."),
  ]

  /// The folder and the server.
  static func place(of store: StoreDescription) -> StorePlace {
    let server = store.options["server"] ?? official.name
    return .elsewhere(store.options["folder"].map { "\($0) at \(server)" } ?? server)
  }

  /// The server, the folder, and the root of the API's first version. Members' journals of transfers have it so.
  static func identity(of store: StoreDescription) -> String {
    ["server", "folder", "root"].map { store.options[$0] ?? "" }.joined(separator: "\n")
  }
}
