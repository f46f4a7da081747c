public import Database
public import FileStores

public struct MemberList: Sendable {
  private let database: ServerMembersDatabase

  /// Calls block.
  public init(_ database: ServerMembersDatabase) { self.database = database }

  /// Adds a member and returns its access token, which cannot be shown again.
  /// - Throws: `badName` for a name that cannot be shown on a line; `exists`.
  public func add(_ name: String) throws(StoreError) -> String {
    try MemberList.check(name)
    let member = ServerMember(id: FreshID.hexadecimal(16), name: name, created: ServerOptions.now())
    let (token, text) = AccessTokens.make(for: member)
    guard try database.add(member, with: token) else {
      if try database.members().contains(where: { $0.name == name }) == false {
        throw StoreError(
          .exists, "\"\(name)\" is invited and has not joined yet.",
          remedy: "To add the member by hand, end the invitation first: byteclub serve invite rm NAME --root DIR")
      }
      throw StoreError(
        .exists, "The club already has a member \"\(name)\".",
        remedy: "For a new token: byteclub serve member token NAME --new --root DIR")
    }
    return text
  }

  /// - Throws: `badName` for a name that cannot be shown on a line.
  static func check(_ name: String) throws(StoreError) {
    guard name.unicodeScalars.allSatisfy(isShowable), !name.isEmpty, name.utf8.count <= 100, name.first != " ",
      name.last != " ", !name.lowercased().contains("(a guest of ")
    else {
      throw StoreError(
        .badName, "A member cannot have this name.",
        remedy: "Use 1 to 100 letters, digits and signs, without a space at either end.")
    }
  }

  static func isShowable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
    default: true
    }
  }

  /// Also revokes the member's tokens.
  /// - Throws: `notFound`.
  public func remove(_ name: String) throws(StoreError) {
    guard try database.remove(name: name) else {
      if try database.invitations().contains(where: { $0.name == name }) {
        throw StoreError(
          .notFound, "\"\(name)\" is invited and has not joined, so there is no such member yet.",
          remedy: "To end the invitation: byteclub serve invite rm NAME --root DIR")
      }
      throw MemberList.missing(name)
    }
  }

  /// Gives a member another access token, which cannot be shown again. Those from before stay good.
  /// - Throws: `notFound`.
  public func token(for name: String) throws(StoreError) -> String {
    try AccessTokens(database: database).issue(to: try find(name))
  }

  /// Ends the tokens that a member was given by hand before `token`, in so many seconds. Devices that joined stay.
  public func endTokens(of name: String, before token: String, in seconds: Int64) throws(StoreError) {
    let (member, kept) = (try find(name), AccessTokens.row(of: token))
    try database.end(tokensByHandOf: member.id, except: kept, at: ServerOptions.now() + seconds)
  }

  /// Ends a token that nobody got.
  public func takeBack(_ token: String) throws(StoreError) { try database.revoke(family: AccessTokens.row(of: token)) }

  private func find(_ name: String) throws(StoreError) -> ServerMember {
    guard let member = try database.members().first(where: { $0.name == name }) else { throw MemberList.missing(name) }
    return member
  }

  private static func missing(_ name: String) -> StoreError {
    StoreError(
      .notFound, "The club has no member \"\(name)\".",
      remedy: "See the members with: byteclub serve member ls --root DIR")
  }

  /// - Parameter quota: in bytes; nil for none.
  /// - Throws: `notFound`.
  public func setQuota(_ quota: UInt64?, of name: String) throws(StoreError) {
    guard try database.setQuota(quota, ofMember: name) else {
      throw MemberList.missing(name)
    }
  }

  /// `names` are the members read from the damaged list or added since; `choice` names the served
  /// club on a command line: `--root DIR`.
  public static func notice(ofDamage damaged: String, left names: [String], choice: String) -> String {
    let whole = damaged.firstRange(of: ".damaged").map { String(damaged[..<$0.lowerBound]) } ?? damaged
    let left = names.isEmpty ? "No member is left" : "The members left are: \(names.joined(separator: ", "))"
    return """
      The list of members was damaged; the damaged file is kept as \(damaged). \(left).
      To mend it, stop the server and put a backup in the place of \(whole), or add each missing member again: \
      byteclub serve member add NAME \(choice)
      Delete \(damaged) when all is well; this is said until then.
      """
  }
}
