import JSON

struct TokenRecord {
  static let mostBytes = 1 << 17
  private static let version = 1
  /// The range prevents overflow.
  private static let times = Int64(0)...(1 << 40)

  let origin: String
  let appKey: String
  private let accessToken: String
  private let refreshToken: String?
  private let obtained: Int64
  private let expires: Int64?
  private let accountID: String?

  init(_ account: Account, _ grant: Grant) {
    origin = account.service.origin
    appKey = account.appKey
    accessToken = grant.accessToken
    refreshToken = grant.refreshToken
    obtained = grant.obtained
    expires = grant.expires
    accountID = grant.accountID
  }

  init?(bytes: ArraySlice<UInt8>) {
    guard let record = try? JSONReader.read(Array(bytes)), record["version"] == .number(TokenRecord.version),
      let origin = record["origin"]?.text, let appKey = record["appKey"]?.text,
      let accessToken = record["accessToken"]?.text, let obtained = record["obtained"]?.integer
    else { return nil }
    (self.origin, self.appKey, self.accessToken, self.obtained) = (origin, appKey, accessToken, obtained)
    (refreshToken, accountID) = (record["refreshToken"]?.text, record["accountID"]?.text)
    expires = record["expires"]?.integer
    // A member of another kind is a fault, not a missing member.
    guard (record["refreshToken"] == nil) == (refreshToken == nil), (record["accountID"] == nil) == (accountID == nil),
      (record["expires"] == nil) == (expires == nil)
    else { return nil }
  }

  func grant(for account: Account) -> Grant? {
    guard account.accepts(token: accessToken), refreshToken.map(TokenText.isToken) ?? true,
      TokenRecord.times.contains(obtained), expires.map({ TokenRecord.times.contains($0) }) ?? true
    else { return nil }
    return Grant(
      accessToken: accessToken, refreshToken: refreshToken, obtained: obtained, expires: expires, accountID: accountID)
  }

  var encoded: [UInt8] {
    let members: JSONValue = .members([
      "version": .number(TokenRecord.version), "origin": .string(origin), "appKey": .string(appKey),
      "accessToken": .string(accessToken), "refreshToken": refreshToken.map { .string($0) },
      "obtained": .integer(obtained), "expires": expires.map { .integer($0) },
      "accountID": accountID.map { .string($0) },
    ])
    return Array("\(members.encoded)\n".utf8)
  }
}

public enum TokenSource: Sendable, Hashable {
  case variable(name: String, token: String)
  case command([String])
  case file

  /// A variable before a command before the file; empty values do not count. `variable` is the value of
  /// `BYTECLUB_TOKEN` for the selected club; nil for any other.
  public init(variable: String?, command: [String]?) {
    if let variable, !variable.isEmpty {
      self = .variable(name: "BYTECLUB_TOKEN", token: variable)
    } else if let command, !command.isEmpty {
      self = .command(command)
    } else {
      self = .file
    }
  }

  public var word: String {
    switch self {
    case .variable: "variable"
    case .command: "command"
    case .file: "login"
    }
  }
}

extension TokenSource: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Contains no secret.
  public var description: String { word }
  public var debugDescription: String { word }
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
