public import Database
public import FileStores

/// Adding and removing the members of a served club.
public struct MemberList: Sendable {
  private let database: ServerMembersDatabase

  /// Works on a server's list of members. Calls block.
  public init(_ database: ServerMembersDatabase) { self.database = database }

  /// Adds a member.
  /// - Returns: the member's access token, which cannot be had a second time.
  /// - Throws: `badName` for a name that cannot be shown on a line; `exists`.
  public func add(_ name: String) throws(StoreError) -> String {
    let isShowable = name.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned: false
      default: true
      }
    }
    guard isShowable, !name.isEmpty, name.utf8.count <= 100, name.first != " ", name.last != " " else {
      throw StoreError(
        .badName, "A member cannot have this name.",
        remedy: "Use 1 to 100 letters, digits and signs, without a space at either end.")
    }
    let member = ServerMember(id: FreshID.hexadecimal(16), name: name, created: ServerOptions.now())
    guard try database.add(member) else {
      throw StoreError(
        .exists, "The club already has a member \"\(name)\".",
        remedy: "For a new token, remove the member first: byteclub serve member rm")
    }
    return try AccessTokens(database: database).issue(to: member)
  }

  /// Removes a member, whose tokens end at once.
  /// - Throws: `notFound`.
  public func remove(_ name: String) throws(StoreError) {
    guard try database.remove(name: name) else {
      throw StoreError(
        .notFound, "The club has no member \"\(name)\".", remedy: "See the members with: byteclub serve member ls")
    }
  }
}
