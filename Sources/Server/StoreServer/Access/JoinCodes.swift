import Basics
public import Database
public import FileStores

/// Codes that let a device in without a sign-in: an invitation makes a member and their first device, or brings a member
/// back who has no device left; a device code lets a member's next device in. Each lets in one device.
///
/// A code has 128 random bits and is kept as its SHA-256 alone. `CodeWords` are short enough to be tried out against a
/// stolen list, so they are hashed slowly; nobody tries 2^128 codes.
public struct JoinCodes: Sendable {
  /// A device whose answer was lost gets the same answer for so long.
  static let repeatableSeconds: Int64 = 3600
  static let deviceSeconds: Int64 = 10 * 60
  private let database: ServerMembersDatabase

  /// Calls block.
  public init(_ database: ServerMembersDatabase) { self.database = database }

  /// Invites a member to be, and reserves the name; for a member who is there, the code lets in another device of theirs.
  /// An earlier invitation of that name ends.
  /// - Parameter isReader: true to make a reader of a member to be; a member who is there stays what they are.
  /// - Throws: `badName` for a name that cannot be shown on a line; `exists`.
  public func invite(
    _ name: String, seconds: Int64, isReader: Bool = false
  ) throws(StoreError) -> (code: String, expires: Int64, isForDevice: Bool) {
    try invite(name, seconds: seconds, isReader: isReader, at: ServerOptions.now())
  }

  func invite(
    _ name: String, seconds: Int64, isReader: Bool = false, at now: Int64
  ) throws(StoreError) -> (code: String, expires: Int64, isForDevice: Bool) {
    try MemberList.check(name)
    let known = try database.members().first { $0.name == name }
    let (member, code) = (known?.id ?? FreshID.hexadecimal(16), FreshID.code())
    let invitation = ServerInvitation(
      member: member, name: name, created: now, expires: now + seconds, isReader: known?.isReader ?? isReader,
      isForDevice: known != nil)
    let token = ServerToken(
      id: JoinCodes.row(of: code), digest: JoinCodes.digest(code), member: member, purpose: .invitation,
      family: JoinCodes.row(of: code), expires: invitation.expires)
    guard try database.add(invitation, with: token) else {
      throw StoreError(
        .exists, "\"\(name)\" became a member at this moment.",
        remedy: "For another device of theirs, repeat the command. For another person, choose another name.")
    }
    return (code, invitation.expires, invitation.isForDevice)
  }

  /// The invitations that can still be used, by name.
  public func invitations() throws(StoreError) -> [ServerInvitation] {
    let now = ServerOptions.now()
    return try database.invitations().filter { $0.expires > now }
  }

  /// - Throws: `notFound`.
  public func endInvitation(of name: String) throws(StoreError) {
    guard try database.end(invitationOf: name) else {
      throw StoreError(
        .notFound, "Nobody named \"\(name)\" is invited.",
        remedy: "See the invitations with: byteclub serve invite ls --root DIR. Members who have joined are in: "
          + "byteclub serve member ls --root DIR")
    }
  }

  /// A code for the member's next device, which gets no more rights than the asking one has. It ends with that one, and
  /// with the next code that the same device asks for.
  func issue(to member: ServerMember, asking token: ServerToken, at now: Int64) throws(StoreError) -> String {
    let code = FreshID.code()
    try database.add(
      deviceCode: ServerToken(
        id: JoinCodes.row(of: code), digest: JoinCodes.digest(code), member: member.id, purpose: .deviceCode,
        family: token.family, app: token.app, scopes: token.scopes, expires: now + JoinCodes.deviceSeconds))
    return code
  }

  /// Uses up a code and returns its member and the device's token. The token is computed from code and device, so that it
  /// need not be kept for a device that asks again.
  /// - Parameters:
  ///   - device: a random value of the device's own.
  ///   - session: the end of a browser's session, in seconds since 1970; nil for a device.
  /// - Returns: nil for a code that is unknown, has ended, or let another device in.
  func redeem(
    _ code: String, device: String, name: String?, session: Int64? = nil, at now: Int64
  ) throws(StoreError) -> (member: ServerMember, token: String)? {
    let (key, words) = (try database.secret("join"), "\(code) \(device)")
    let id = String(Base64.text(of: HMAC.sha256("id " + words, key: key), .url).prefix(16))
    let token = "bc.\(id)." + Base64.text(of: HMAC.sha256("token " + words, key: key), .url)
    let join = ServerJoin(
      code: (JoinCodes.row(of: code), JoinCodes.digest(code)), mark: JoinCodes.digest(words),
      token: (id, AccessTokens.digest(token)), device: JoinCodes.shown(name ?? ""), now: now,
      repeatable: now + JoinCodes.repeatableSeconds, session: session)
    return try database.redeem(join).map { ($0, token) }
  }

  /// The id of the row that a code would have. It says nothing of the code, so it may take time to be found.
  static func row(of code: String) -> String { "join " + Base64.text(of: digest("row " + code), .url) }

  /// 22 characters of base64url.
  static func isDevice(_ text: String) -> Bool {
    text.utf8.count == 22 && text.utf8.allSatisfy { $0 != UInt8(ascii: "=") }
      && Base64.bytes(of: text, .url)?.count == 16
  }

  private static func digest(_ text: String) -> [UInt8] { SHA256.digest(of: Array(text.utf8)) }

  /// A device's name as one short line. A name that its system made up must not keep anybody out.
  private static func shown(_ name: String) -> String {
    var line = String(String.UnicodeScalarView(name.unicodeScalars.filter(MemberList.isShowable)))
    while line.utf8.count > 100 { line.removeLast() }
    while line.last == " " { line.removeLast() }
    return String(line.drop { $0 == " " })
  }
}
