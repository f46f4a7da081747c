public import Database
public import FileStores

/// One-time sign-in codes: 20 letters and digits (5 for the id, 75 secret bits), kept as a hash for 15 minutes.
public struct CodeWords: Sendable {
  private static let alphabet = Array("abcdefghijkmnpqrstuvwxyz23456789".utf8)
  private static let lifeSeconds: Int64 = 15 * 60
  private let database: ServerMembersDatabase

  /// Calls block.
  public init(_ database: ServerMembersDatabase) { self.database = database }

  /// - Throws: `notFound` if there is no such member.
  public func issue(to name: String) throws(StoreError) -> String {
    guard let member = try database.members().first(where: { $0.name == name }) else {
      throw StoreError(
        .notFound, "The club has no member \"\(name)\".",
        remedy: "See the members with: byteclub serve member ls --root DIR")
    }
    var random = SystemRandomNumberGenerator()
    let letters = (0..<20).map { _ in CodeWords.alphabet[Int.random(in: 0..<CodeWords.alphabet.count, using: &random)] }
    let text = String(decoding: letters, as: UTF8.self)
    let id = CodeWords.id(text)
    // Two codes may share one of the few million ids; the older code ends.
    try database.revoke(family: id)
    try database.add(
      ServerToken(
        id: id, digest: try Scrypt.digest(of: text), member: member.id, purpose: .codeWord, family: id,
        expires: ServerOptions.now() + CodeWords.lifeSeconds))
    return stride(from: 0, to: 20, by: 5).map { String(text.dropFirst($0).prefix(5)) }.joined(separator: "-")
  }

  /// Uses up a code and returns its member; nil if the code is wrong, expired or used.
  func redeem(_ given: String, at now: Int64) throws(StoreError) -> ServerMember? {
    let text = CodeWords.plain(given)
    // A code with an unknown id, which is not secret, is not hashed: guesses cannot keep the server busy.
    guard let found = try database.token(id: CodeWords.id(text)), found.token.purpose == .codeWord,
      found.token.expires ?? 0 > now, try Scrypt.isDigest(found.token.digest, of: text),
      try database.take(family: found.token.family)
    else { return nil }
    return found.member
  }

  /// The id of the row that a typed code word would have.
  static func row(of given: String) -> String { id(plain(given)) }

  private static func plain(_ given: String) -> String {
    String(given.lowercased().filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
  }

  private static func id(_ text: String) -> String { "word " + text.prefix(5) }
}
