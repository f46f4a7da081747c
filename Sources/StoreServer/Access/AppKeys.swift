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
  public func make() throws(StoreError) -> (key: String, secret: String) {
    let word = FreshID.hexadecimal(12)
    let key = word + String(try checksum("key " + word).prefix(8))
    return (key, try secret(of: key))
  }

  /// True for a key that `make` gave out, and for byteclub's own.
  func isOurs(_ key: String) throws(StoreError) -> Bool {
    if key == AppKeys.byteclub { return true }
    return ConstantTime.areEqual(
      Array(key.dropFirst(12).utf8), Array(try checksum("key " + key.prefix(12)).prefix(8).utf8))
  }

  /// True for a key with its own secret.
  func isRight(_ key: String, secret given: String) throws(StoreError) -> Bool {
    let isOurs = try isOurs(key)
    return ConstantTime.areEqual(Array(given.utf8), Array(try secret(of: key).utf8)) && isOurs
  }

  private func secret(of key: String) throws(StoreError) -> String { String(try checksum("app " + key).prefix(32)) }

  private func checksum(_ word: String) throws(StoreError) -> String {
    SHA256.hexadecimal(of: Seal(key: try database.secret("apps")).mac(word, "app"))
  }
}
