import Basics
import Database
import FileStores

extension ServedClub {
  /// `scope` is the route's by default; `isFinal` is false for a check that does not use up the nonce.
  /// - Throws: 401, 403, 429.
  func accessVersion1(
    _ route: Route, _ request: SignedRequest, scope: String? = nil, peer: String, isFinal: Bool = true
  ) async throws -> Caller {
    guard case .member(let routeScope) = route.access else { return Caller(member: nil, token: nil) }
    let scope = scope ?? routeScope
    let now = index.now()
    if request.isSigned {
      let (token, member) = try await signer(of: request, peer: peer, now: now, isFinal: isFinal)
      return try caller(token, of: member, scope: scope)
    }
    guard let bearer = request.bearer else {
      throw try refuse(peer, now, 401, "No auth function available for given request")
    }
    let found = try await tokens.find(bearer, on: index.pool)
    guard let found else {
      throw try refuse(peer, now, 401, "The given OAuth 2 access token doesn't exist or has expired.")
    }
    return try caller(found.token, of: found.member, scope: scope)
  }

  private func signer(
    of request: SignedRequest, peer: String, now: Int64, isFinal: Bool
  ) async throws -> (token: ServerToken, member: ServerMember) {
    let signatures = OAuth1Tokens(members)
    let check = try await index.pool.run { () throws(StoreError) in try signatures.check(request) }
    switch check {
    case .unknownToken: throw try refuse(peer, now, 401, "Access token not found.")
    case .wrongSignature: throw try refuse(peer, now, 403, "Invalid OAuth signature.")
    case .good(let token, let member):
      try checkFresh(request, of: token.id, from: member.id, at: now, isFinal: isFinal)
      return (token, member)
    }
  }

  /// Refuses a repeated or old signed request (RFC 5849, section 3.3); anyone who saw a PLAINTEXT request can repeat it
  /// anyway. `token` or app signs it, from the share of nonces of the member or app `signer`.
  /// - Throws: 403.
  func checkFresh(
    _ request: SignedRequest, of token: String, from signer: String, at now: Int64, isFinal: Bool = true
  ) throws(V1Failure) {
    guard request.oauth["oauth_signature_method"] == "HMAC-SHA1" else { return }
    guard let nonce = request.oauth["oauth_nonce"], !nonce.isEmpty,
      let second = request.oauth["oauth_timestamp"].flatMap({ Int64($0) })
    else { throw V1Failure(403, "The OAuth nonce or timestamp is missing.") }
    guard OAuth1Nonces.isRecent(second, now: now) else {
      throw V1Failure(403, "The OAuth timestamp is too far from the server's time.")
    }
    if isFinal, !nonces.note("\(token) \(nonce)", from: signer, second, now: now) {
      throw V1Failure(403, "The OAuth nonce was used before.")
    }
  }

  private func refuse(_ peer: String, _ now: Int64, _ status: Int, _ text: String) throws -> V1Failure {
    if let seconds = failures.note(peer, at: now) { throw APIFailure.tooMany(retryAfter: seconds) }
    return V1Failure(status, text)
  }
}
