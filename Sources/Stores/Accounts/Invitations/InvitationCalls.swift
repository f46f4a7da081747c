public import Backends
public import FileStores
import JSON

/// The answer to an invitation: a member, and a token for this device.
public struct Joined: Sendable {
  /// For `AccountTokens.keep`.
  public let grant: Grant
  public let accountID: String
  /// The member's name, and the club's as its server names it: foreign text, at most 200 characters.
  public let member: String
  public let club: String
  public let isReader: Bool
}

/// Redeems invitations at `byteclub serve`. The code goes to the invitation's own server, in a body; no error has it.
public struct InvitationCalls: Sendable {
  private static let mostBytes = 1 << 16
  private static let timeouts = HTTPTimeouts(connect: .seconds(20), idle: .seconds(30), whole: .seconds(60))

  private let line: InvitationLine
  private let transport: any HTTPTransport
  /// Seconds since 1970.
  private let now: @Sendable () -> Int64

  public init(_ line: InvitationLine, transport: any HTTPTransport, now: @escaping @Sendable () -> Int64) {
    (self.line, self.transport, self.now) = (line, transport, now)
  }

  /// - Parameter device: a random value that must be on disk before: for an hour the server gives the same value the same
  ///   answer, so a lost answer locks nobody out.
  /// - Parameter name: the member's name for this machine.
  /// - Throws: `notPermitted` for a code that is used, over or unknown; `unsupported` for a server without invitations;
  ///   `server` for an answer of anything else; the transport's errors.
  public func redeem(device: String, name: String) async throws(StoreError) -> Joined {
    let argument: JSONValue = .members(["code": .string(line.code), "device": .string(device), "name": .string(name)])
    var request = HTTPRequest(
      .post, "\(line.origin)/2/byteclub/join", headers: ["Content-Type": "application/json"],
      body: .bytes(Array(argument.encoded.utf8)), timeouts: InvitationCalls.timeouts)
    request.isRepeatable = true
    let (response, body) = try await transport.call(request, limit: InvitationCalls.mostBytes)
    guard response.isSuccess else { throw failure(response, body) }
    guard let joined = joined(body) else { throw isOther("byteclub cannot read its answer") }
    return joined
  }

  private func joined(_ body: [UInt8]) -> Joined? {
    guard let answer = try? JSONReader.read(body), let token = answer["access_token"]?.text, TokenText.isToken(token),
      let accountID = answer["account_id"]?.text, !accountID.isEmpty, accountID.utf8.count <= 200,
      let member = answer["member"]?.text, let club = answer["club"]?.text
    else { return nil }
    return Joined(
      grant: Grant(accessToken: token, refreshToken: nil, obtained: now(), expires: nil, accountID: accountID),
      accountID: accountID, member: String(member.prefix(200)), club: String(club.prefix(200)),
      isReader: answer["read_only"]?.boolean ?? false)
  }

  private func failure(_ response: HTTPResponse, _ body: [UInt8]) -> StoreError {
    let wait = response.retryAfter(now: now())
    let reason = (try? JSONReader.read(body))?["error_summary"]?.text ?? ""
    switch response.status {
    case 403 where reason.hasPrefix("invalid_code"):
      return StoreError(
        .notPermitted, "\(line.origin) does not accept this invitation: it was used, has ended, or is not whole.",
        remedy: "Copy the whole line once more, or ask the club's owner for a new one.")
    case 400, 404, 405:
      return StoreError(
        .unsupported, "\(line.origin) takes no invitations: it is not a byteclub serve, or an older one.",
        remedy: "Ask the club's owner whether the address is right, and byteclub serve is new enough.")
    case 429,
      503 where wait != nil:
      return StoreError(
        .rateLimited, "\(line.origin) asks for fewer requests and did not take the invitation.",
        remedy: "The invitation is still good. Try again later.", retryAfter: wait)
    case 502...504:
      return StoreError(
        .offline, "\(line.origin) failed (status \(response.status)) and did not take the invitation.",
        remedy: "The invitation is still good. Try again later.", retryAfter: wait)
    default: return isOther("its status is \(response.status)")
    }
  }

  private func isOther(_ why: String) -> StoreError {
    StoreError(
      .server, "Something else than a byteclub serve answers at \(line.origin): \(why).",
      remedy:
        "In a hotel or on a train, open a page in a browser first to get into the network. Otherwise ask the club's "
        + "owner whether the address is right. The invitation is still good.")
  }
}
