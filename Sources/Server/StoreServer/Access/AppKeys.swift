import Basics
public import Database
public import FileStores

/// Keys of programs that sign members in. A secret is a checksum of its key and a server secret, and is not stored.
public struct AppKeys: Sendable {
  /// byteclub's own key. As a public program it has no secret; PKCE protects its codes (RFC 8252, section 8.5).
  static let byteclub = "byteclub"

  private let database: ServerMembersDatabase

  /// Calls block.
  public init(_ database: ServerMembersDatabase) { self.database = database }

  /// The new key and its secret. Redirects and errors are those of `setRedirects`.
  public func make(redirects: [String] = []) throws(StoreError) -> (key: String, secret: String) {
    try AppKeys.check(redirects)
    let word = FreshID.hexadecimal(12)
    let key = word + String(try checksum("key " + word).prefix(8))
    try database.add(ServerApp(key: key, created: ServerOptions.now(), redirects: redirects))
    return (key, try secret(of: key))
  }

  /// The current keys, oldest first.
  public func list() throws(StoreError) -> [(key: String, made: String, redirects: [String])] {
    try database.apps().map { ($0.key, WireTime.text($0.created), $0.redirects) }
  }

  /// Addresses of this machine need no registration.
  /// - Throws: `badInput` for an address that is not allowed, `notFound` for an unknown key.
  public func setRedirects(_ addresses: [String], of key: String) throws(StoreError) {
    try AppKeys.check(addresses)
    guard try isOurs(key) else { throw AppKeys.unknown(key) }
    try database.setRedirects(addresses, of: key)
  }

  func redirects(of key: String) throws(StoreError) -> [String] { try database.redirects(of: key) }

  private static func check(_ redirects: [String]) throws(StoreError) {
    for address in redirects where !RedirectAddress.mayBeRegistered(address) {
      throw StoreError(
        .badInput, "\"\(address)\" cannot be registered as a redirect address.",
        remedy: "Give an address such as https://club.example.org/signed-in, or one of a program's own scheme, such as "
          + "org.example.club:/signed-in. Addresses of this machine work without.")
    }
  }

  private static func unknown(_ key: String) -> StoreError {
    StoreError(
      .notFound, "The server has no app key \"\(key)\".", remedy: "See the app keys with: byteclub serve app ls")
  }

  /// Removes a key and revokes the tokens issued through it.
  /// - Throws: `notFound` for an unknown key, `notPermitted` for byteclub's own.
  public func remove(_ key: String) throws(StoreError) {
    guard key != AppKeys.byteclub else {
      throw StoreError(
        .notPermitted, "\"\(key)\" is byteclub's own app key and cannot be removed.",
        remedy: "To end a member's sign-ins, remove the member: byteclub serve member rm NAME --root DIR")
    }
    guard try isOurs(key), try database.remove(app: key, at: ServerOptions.now()) else {
      throw AppKeys.unknown(key)
    }
  }

  /// True for byteclub's own key and for keys from `make` that still exist.
  func isOurs(_ key: String) throws(StoreError) -> Bool {
    if key == AppKeys.byteclub { return true }
    let isMade = ConstantTime.areEqual(
      Array(key.dropFirst(12).utf8), Array(try checksum("key " + key.prefix(12)).prefix(8).utf8))
    guard isMade else { return false }
    return try !database.isRemoved(app: key)
  }

  func isRight(_ key: String, secret given: String) throws(StoreError) -> Bool {
    let isOurs = try isOurs(key)
    return ConstantTime.areEqual(Array(given.utf8), Array(try secret(of: key).utf8)) && isOurs
  }

  /// The secret of a key, known or not.
  func secret(of key: String) throws(StoreError) -> String { String(try checksum("app " + key).prefix(32)) }

  private func checksum(_ word: String) throws(StoreError) -> String {
    SHA256.hexadecimal(of: Seal(key: try database.secret("apps")).mac(word, "app"))
  }
}

/// The key and secret of an `Authorization: Basic` header (RFC 7617).
struct BasicCredentials {
  let key: String
  let secret: String

  init?(_ header: String) {
    guard header.prefix(6).lowercased() == "basic ",
      let bytes = Base64.bytes(of: header.dropFirst(6).drop { $0 == " " }),
      let text = String(validating: bytes, as: UTF8.self), let colon = text.firstIndex(of: ":")
    else { return nil }
    key = String(text[..<colon])
    secret = String(text[text.index(after: colon)...])
  }
}
