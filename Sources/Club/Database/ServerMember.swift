public struct ServerMember: Sendable, Hashable {
  public let id: String
  public let name: String
  /// In seconds since 1970.
  public let created: Int64
  /// The most bytes of the files whose last version this member wrote; nil for no quota.
  public let quota: UInt64?
  /// Reads the club, and changes nothing in it.
  public let isReader: Bool

  public init(id: String, name: String, created: Int64, quota: UInt64? = nil, isReader: Bool = false) {
    self.id = id
    self.name = name
    self.created = created
    self.quota = quota
    self.isReader = isReader
  }
}

/// A server's record of an issued token, without the token itself.
public struct ServerToken: Sendable, Hashable {
  public enum Purpose: String, Sendable {
    case access
    /// The cookie of a browser.
    case session
    case refresh
    /// Entered once by a member to sign in.
    case codeWord
    /// Makes a member, if they are not there, and lets a device of theirs in.
    case invitation
    /// Lets a member's next device in.
    case deviceCode
    /// A code that let a device in: it gives that device the same answer again for a while.
    case redeemed
  }

  /// The part of the token that finds this row; not secret.
  public let id: String
  public let digest: [UInt8]
  public let member: String
  public let purpose: Purpose
  /// The family of tokens that a revocation ends together.
  public let family: String
  /// The app key that it was issued to; nil for a token made by hand.
  public let app: String?
  /// nil for all.
  public let scopes: Set<String>?
  /// In seconds since 1970; nil for never.
  public let expires: Int64?

  public init(
    id: String, digest: [UInt8], member: String, purpose: Purpose, family: String, app: String? = nil,
    scopes: Set<String>? = nil, expires: Int64? = nil
  ) {
    self.id = id
    self.digest = digest
    self.member = member
    self.purpose = purpose
    self.family = family
    self.app = app
    self.scopes = scopes
    self.expires = expires
  }
}

public struct ServerApp: Sendable, Hashable {
  /// Public, no secret.
  public let key: String
  /// In seconds since 1970.
  public let created: Int64
  /// The addresses to which a browser may return with a code, besides loopback addresses.
  public let redirects: [String]

  public init(key: String, created: Int64, redirects: [String] = []) {
    (self.key, self.created, self.redirects) = (key, created, redirects)
  }
}
