/// What a server remembers of a token that it gave out: never the token itself.
public struct ServerToken: Sendable, Hashable {
  /// What a token is for.
  public enum Purpose: String, Sendable {
    /// Sent with each call.
    case access
    /// Sent for a new access token.
    case refresh
    /// Given by a member, once, to sign in.
    case codeWord
  }

  /// The part of the token that finds this row; not secret.
  public let id: String
  /// SHA-256 of the whole token.
  public let digest: [UInt8]
  /// The member's id.
  public let member: String
  /// What it is for.
  public let purpose: Purpose
  /// Tokens that go together when one is revoked.
  public let family: String
  /// The app key that it was given to; nil for a token that was made by hand.
  public let app: String?
  /// What it may be used for; nil for everything.
  public let scopes: Set<String>?
  /// The second since 1970 when it ends; nil for never.
  public let expires: Int64?

  /// Makes a row.
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
