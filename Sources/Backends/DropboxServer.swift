public import FileStores

/// Where the Dropbox API is: three origins at Dropbox itself, one at any other server.
public struct DropboxServer: Sendable, Hashable {
  /// For questions about files, and for what changes them.
  let api: String
  /// For files' bytes.
  let content: String
  /// For waiting until something changes.
  let notify: String
  /// The server in a sentence.
  public let name: String
  /// The commands that errors name as remedies.
  var commands = ClubCommands()

  /// Dropbox itself.
  public static let official = DropboxServer(
    api: "https://api.dropboxapi.com", content: "https://content.dropboxapi.com",
    notify: "https://notify.dropboxapi.com", name: "Dropbox")

  private init(api: String, content: String, notify: String, name: String) {
    (self.api, self.content, self.notify, self.name) = (api, content, notify, name)
  }

  /// A server that has all of the API at one origin.
  /// - Throws: `badInput` for what is no origin, such as an address with a path, and for one that is neither encrypted
  ///   nor this machine, unless `allowingPlain`.
  public init(origin text: String, allowingPlain: Bool = false) throws(StoreError) {
    let trimmed = text.hasSuffix("/") ? String(text.dropLast()) : text
    guard let origin = HTTPOrigin(trimmed), trimmed.split(separator: "/").count == 2,
      !trimmed.contains("?"), !trimmed.contains("#")
    else {
      throw StoreError(
        .badInput, "\"\(text)\" is not the address of a server.",
        remedy: "Write it as https://club.example.org:8080, without a path.")
    }
    guard origin.isEncrypted || origin.isLoopback || allowingPlain else {
      throw StoreError(
        .badInput, "\(origin) is not encrypted: anyone on the way could read the club.",
        remedy: "Use https, or set \"network.allowPlainHTTP\" to \"anywhere\" in the config if you trust the network.")
    }
    let address = origin.description
    self.init(api: address, content: address, notify: address, name: address)
  }
}

extension DropboxServer {
  /// The server that a config describes, for a club that is reached over `network`.
  init(_ what: StoreDescription, _ network: StoreNetwork? = nil) throws(StoreError) {
    if let origin = what.options["server"], !origin.isEmpty {
      try self.init(origin: origin, allowingPlain: what.options["allowPlainHTTP"] == "true")
    } else {
      self = .official
    }
    if let network { commands = network.commands }
  }

  /// The error of a server that answers http:// where it wants https://.
  var wantsEncryption: StoreError {
    StoreError(
      .badInput, "\(name) uses encryption, but its address in the config begins with http://.",
      remedy: "Write https:// instead of http:// in the config.")
  }

  /// How the server is reached. Nothing secret goes to any other.
  func transportOptions(_ what: StoreDescription) -> HTTPOptions {
    HTTPOptions(
      origins: Set([api, content, notify].compactMap { HTTPOrigin($0) }), caFile: what.options["caFile"],
      allowPlainHTTP: what.options["allowPlainHTTP"] == "true")
  }
}

/// Settings and places, which are the same for both versions of the API.
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
