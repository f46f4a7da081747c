public import Database
public import FileStores

/// Keys and secrets for programs that sign members in. A secret is a checksum of its key, made with a secret of the
/// server: it is not stored, and is the same whenever it is asked for.
public struct AppKeys: Sendable {
  /// byteclub's own, which every server knows. A program that anyone can have keeps no secret: PKCE proves that who
  /// redeems a code is who asked for it (RFC 8252, section 8.5).
  static let byteclub = "byteclub"

  private let database: ServerMembersDatabase

  /// Works on a server's secrets. Calls block.
  public init(_ database: ServerMembersDatabase) { self.database = database }

  /// Makes a key that nobody has, and its secret.
  /// - Parameter redirects: as `setRedirects` has them.
  /// - Throws: as `setRedirects`.
  public func make(redirects: [String] = []) throws(StoreError) -> (key: String, secret: String) {
    try AppKeys.check(redirects)
    let word = FreshID.hexadecimal(12)
    let key = word + String(try checksum("key " + word).prefix(8))
    try database.add(ServerApp(key: key, created: ServerOptions.now(), redirects: redirects))
    return (key, try secret(of: key))
  }

  /// The keys that were made and not removed, the oldest first, each with the time at which it was made and the
  /// addresses that are registered for it.
  public func list() throws(StoreError) -> [(key: String, made: String, redirects: [String])] {
    try database.apps().map { ($0.key, WireTime.text($0.created), $0.redirects) }
  }

  /// Registers the addresses to which a sign-in page may send a browser back with a code, instead of those before.
  /// Addresses of this machine need not be registered.
  /// - Throws: `badInput` for an address that may not be one, `notFound` for what is no key of this server.
  public func setRedirects(_ addresses: [String], of key: String) throws(StoreError) {
    try AppKeys.check(addresses)
    guard try isOurs(key) else { throw AppKeys.unknown(key) }
    try database.setRedirects(addresses, of: key)
  }

  /// The addresses that are registered for a key, beside those of this machine.
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

  /// Removes a key: its program can sign nobody in any more, and the tokens that members have through it end at once.
  /// - Throws: `notFound` for what is no key of this server, `notPermitted` for byteclub's own.
  public func remove(_ key: String) throws(StoreError) {
    guard key != AppKeys.byteclub else {
      throw StoreError(
        .notPermitted, "\"\(key)\" is byteclub's own app key and cannot be removed.",
        remedy: "To end a member's sign-ins, remove the member: byteclub serve member rm")
    }
    guard try isOurs(key), try database.remove(app: key, at: ServerOptions.now()) else {
      throw AppKeys.unknown(key)
    }
  }

  /// True for a key that `make` gave out and that was not removed, and for byteclub's own.
  func isOurs(_ key: String) throws(StoreError) -> Bool {
    if key == AppKeys.byteclub { return true }
    let isMade = ConstantTime.areEqual(
      Array(key.dropFirst(12).utf8), Array(try checksum("key " + key.prefix(12)).prefix(8).utf8))
    guard isMade else { return false }
    return try !database.isRemoved(app: key)
  }

  /// True for a key with its own secret.
  func isRight(_ key: String, secret given: String) throws(StoreError) -> Bool {
    let isOurs = try isOurs(key)
    return ConstantTime.areEqual(Array(given.utf8), Array(try secret(of: key).utf8)) && isOurs
  }

  /// The secret of a key, ours or not.
  func secret(of key: String) throws(StoreError) -> String { String(try checksum("app " + key).prefix(32)) }

  private func checksum(_ word: String) throws(StoreError) -> String {
    SHA256.hexadecimal(of: Seal(key: try database.secret("apps")).mac(word, "app"))
  }
}
