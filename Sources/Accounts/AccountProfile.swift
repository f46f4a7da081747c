import FoundationEssentials

/// Whose account it is, as `get_current_account` tells (Dropbox API v2, users).
public struct AccountProfile: Sendable, Equatable {
  /// The account, in the service's words.
  public let accountID: String
  /// The member's name.
  public let name: String
  /// The member's address; nil when the service does not tell.
  public let email: String?

  /// What an answer says; nil when it is none.
  init?(json: [UInt8]) {
    struct Answer: Decodable {
      struct Name: Decodable { let display_name: String }
      let account_id: String
      let name: Name
      let email: String?
    }
    guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(json)) else { return nil }
    accountID = answer.account_id
    name = answer.name.display_name
    email = answer.email
  }
}
