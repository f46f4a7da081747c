import FoundationEssentials

/// The name and address of an account, as the service tells them: `get_current_account` of Dropbox API v2, `account/info` of v1.
public struct AccountProfile: Sendable, Equatable {
  /// The account, in the service's words.
  public let accountID: String
  /// The member's name.
  public let name: String
  /// The member's address; nil when the service does not tell.
  public let email: String?

  /// Reads an answer; nil when it is not valid.
  init?(json: [UInt8], _ version: AccountService.Version) {
    switch version {
    case .v2: self.init(current: json)
    case .v1: self.init(info: json)
    }
  }

  /// The answer of `account/info` (Dropbox API v1).
  private init?(info json: [UInt8]) {
    struct Answer: Decodable {
      let uid: Int64
      let display_name: String
      let email: String?
    }
    guard let answer = try? JSONDecoder().decode(Answer.self, from: Data(json)) else { return nil }
    accountID = String(answer.uid)
    name = answer.display_name
    email = answer.email
  }

  private init?(current json: [UInt8]) {
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
