internal import Basics
public import FileStores
internal import POSIX

/// The origins of a Dropbox API (for calls, content and longpolls): three at Dropbox itself, one at any other server.
public struct DropboxServer: Sendable, Hashable {
  let api: String
  let content: String
  let notify: String
  public let name: String
  var commands = ClubCommands()

  public static let official = DropboxServer(
    api: "https://api.dropboxapi.com", content: "https://content.dropboxapi.com",
    notify: "https://notify.dropboxapi.com", name: "Dropbox")

  private init(api: String, content: String, notify: String, name: String) {
    (self.api, self.content, self.notify, self.name) = (api, content, notify, name)
  }

  /// A server with the whole API at one origin.
  /// - Throws: `badInput` for anything but an origin (such as an address with a path), and for an unencrypted one on
  ///   another machine unless `allowingPlain`.
  public init(origin text: String, allowingPlain: Bool = false) throws(StoreError) {
    let wrong = StoreError(
      .badInput, "\"\(text.withoutAddressPasswords)\" is not the address of a server.",
      remedy: "Write it as https://club.example.org:8080, without a path.")
    let address = try HTTPOrigin(server: text, secrets: "the club", allowingPlain: allowingPlain, orThrow: wrong)
      .description
    self.init(api: address, content: address, notify: address, name: address)
  }
}

extension DropboxServer {
  init(_ what: StoreDescription, _ network: StoreNetwork? = nil) throws(StoreError) {
    if let origin = what.options["server"], !origin.isEmpty {
      try self.init(origin: origin, allowingPlain: what.options["allowPlainHTTP"] == "true")
    } else {
      self = .official
    }
    if let network { commands = network.commands }
  }

  var wantsEncryption: StoreError {
    StoreError(
      .badInput, "\(name) uses encryption, but its address in the config begins with http://.",
      remedy: "Write https:// instead of http:// in the config.")
  }

  /// - Throws: `badInput` for a wrong pin, and for one of Dropbox's keys, which change.
  func transportOptions(_ what: StoreDescription) throws(StoreError) -> HTTPOptions {
    if name == DropboxServer.official.name, what.options["pin"] != nil {
      throw StoreError(
        .badInput, "A club at Dropbox itself cannot have a \"pin\": Dropbox changes its keys.",
        remedy: "Set \"server\" in the config, or remove \"pin\".")
    }
    return try HTTPOptions(what, origins: Set([api, content, notify].compactMap { HTTPOrigin($0) }))
  }
}

extension DropboxServer {
  static let settings = [
    StoreSetting(
      "folder",
      about:
        "The club's folder in the Dropbox or on the server, such as /Our club. Without it: everything that the app or the "
        + "server shows."),
    StoreSetting(
      "account",
      about:
        "A word of your own, such as \"choir\", for an account beside others at the same server. byteclub keeps its sign-in, "
        + "its texts and its copies apart. Two clubs at one address need it: there the token chooses the club."),
    .caFile, .pin,
  ]

  static func place(of store: StoreDescription) -> StorePlace {
    let server = store.options["server"]?.withoutAddressPasswords ?? official.name
    let place = store.options["folder"].map { "\($0) at \(server)" } ?? server
    return .elsewhere(store.options["account"].map { "\(place), as \($0)" } ?? place)
  }

  /// The server, the folder, the root of version 1, and the account if it has a name. Members' transfer journals store
  /// this text.
  static func identity(of store: StoreDescription) -> String {
    let place = ["server", "folder", "root"].map { store.options[$0] ?? "" }
    return (place + (store.options["account"].map { [$0] } ?? [])).joined(separator: "\n")
  }
}

/// Settings for tests; the program uses the defaults.
package struct DropboxTuning: Sendable {
  package var pageEntries: Int?
  /// The size of a piece. Files up to this size are sent from memory in one call; setting it turns streaming off.
  package var pieceBytes = 8 * 1024 * 1024 { didSet { streamedBytes = 0 } }
  /// The largest file of known size that is sent in one call while it is read, by the API's limit.
  package var streamedBytes: UInt64 = 150 << 20
  /// 30 to 480.
  package var longPollSeconds = 240
  package var clock: any Clock<Duration> = TimerClock()
  /// Nanoseconds since 1970.
  package var now: @Sendable () -> Int64 = { Timestamp.now().nanoseconds }
  package var random: @Sendable () -> UInt64 = { UInt64.random(in: .min ... .max) }

  /// False for the store of a server, whose clients keep their trash there.
  package var hidesTrash = true

  package init() {}

  init(_ store: StoreDescription) { hidesTrash = !store.showsTrash }
}
