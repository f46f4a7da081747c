import FoundationEssentials

/// A sign-in as it stands in its file.
struct TokenRecord: Codable {
  static let mostBytes = 1 << 17
  private static let version = 1
  /// Valid times, so that nothing overflows.
  private static let times = Int64(0)...(1 << 40)

  private let version: Int
  /// The origin that the tokens belong to.
  let origin: String
  /// The app that the tokens belong to.
  let appKey: String
  private let accessToken: String
  private let refreshToken: String?
  private let obtained: Int64
  private let expires: Int64?
  private let accountID: String?

  /// The record of an account's sign-in.
  init(_ account: Account, _ grant: Grant) {
    version = TokenRecord.version
    origin = account.service.origin
    appKey = account.appKey
    accessToken = grant.accessToken
    refreshToken = grant.refreshToken
    obtained = grant.obtained
    expires = grant.expires
    accountID = grant.accountID
  }

  /// Reads a file; nil when it is not a record.
  init?(bytes: ArraySlice<UInt8>) {
    guard let record = try? JSONDecoder().decode(TokenRecord.self, from: Data(bytes)),
      record.version == TokenRecord.version
    else { return nil }
    self = record
  }

  /// The sign-in; nil when it has what the account's service does not give.
  func grant(for account: Account) -> Grant? {
    guard account.accepts(token: accessToken), refreshToken.map(TokenText.isToken) ?? true,
      TokenRecord.times.contains(obtained), expires.map({ TokenRecord.times.contains($0) }) ?? true
    else { return nil }
    return Grant(
      accessToken: accessToken, refreshToken: refreshToken, obtained: obtained, expires: expires, accountID: accountID)
  }

  /// The file's bytes: JSON.
  func encoded() throws -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes]
    return Array(try encoder.encode(self)) + [0x0A]
  }
}
