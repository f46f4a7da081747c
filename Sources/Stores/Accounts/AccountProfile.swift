import JSON

/// `get_current_account` of Dropbox API v2, `account/info` of v1.
public struct AccountProfile: Sendable, Equatable {
  public let accountID: String
  public let name: String
  public let email: String?
  /// True if a `byteclub serve` says so: the member may change nothing.
  public let isReader: Bool

  init?(json: [UInt8], _ version: AccountService.Version) {
    switch version {
    case .v2: self.init(current: json)
    case .v1: self.init(info: json)
    }
  }

  private init?(info json: [UInt8]) {
    guard let answer = try? JSONReader.read(json), let uid = answer["uid"]?.integer,
      let name = answer["display_name"]?.text, let email = Self.email(of: answer)
    else { return nil }
    (accountID, self.name, self.email) = (String(uid), name, email)
    isReader = Self.isReader(answer)
  }

  private init?(current json: [UInt8]) {
    guard let answer = try? JSONReader.read(json), let id = answer["account_id"]?.text,
      let name = answer["name"]?["display_name"]?.text, let email = Self.email(of: answer)
    else { return nil }
    (accountID, self.name, self.email) = (id, name, email)
    isReader = Self.isReader(answer)
  }

  private static func isReader(_ answer: JSONValue) -> Bool { answer["read_only"]?.boolean ?? false }

  private static func email(of answer: JSONValue) -> String?? {
    guard let email = answer["email"] else { return .some(nil) }
    return email.text.map { .some($0) }
  }
}
