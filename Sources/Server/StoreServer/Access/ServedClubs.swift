import Basics
import Database
import FileStores
import HTTPTypes
import JSON

/// The clubs of one server, at least one. A request's credentials choose its club, so clients of all clubs use the same
/// address. No club accepts credentials of another: each has its own members, secrets and index.
struct ServedClubs: Sendable {
  /// Answers requests whose credentials no club knows, mostly by a refusal.
  let first: ServedClub
  private let others: [ServedClub]

  init(_ first: ServedClub, _ others: [ServedClub] = []) { (self.first, self.others) = (first, others) }

  var all: [ServedClub] { [first] + others }

  /// The club and caller by a remembered token. Does not block; nil if `find` must decide.
  func atHand(_ route: Route, _ head: HTTPRequest) -> (club: ServedClub, caller: Caller)? {
    if let caller = first.accessAtHand(route, head) { return (first, caller) }
    for club in others {
      if let caller = club.accessAtHand(route, head) { return (club, caller) }
    }
    return nil
  }

  /// The club that issued the request's credentials; nil if none did.
  /// - Parameter body: read, and kept for the handler, only if the credentials may be there.
  func find(
    _ route: Route, _ address: Address, _ head: HTTPRequest, _ body: RequestBytes? = nil
  ) async throws -> ServedClub? {
    if others.isEmpty { return first }
    if let club = try await issuer(of: ShownWords.inHead(head, address, takesSession: route.takesSession)) {
      return club
    }
    guard let body, let form = ShownWords.bodyForm(route, head),
      let bytes = try await body.peek(atMost: route.argumentBytes)
    else { return nil }
    let words = ShownWords.inBody(bytes, form) { first.pageSeal.open($0, for: "sign-in " + route.path)?.first }
    return try await issuer(of: words)
  }

  private func issuer(of words: [String]) async throws(StoreError) -> ServedClub? {
    guard !words.isEmpty else { return nil }
    return try await first.index.pool.run { () throws(StoreError) -> ServedClub? in
      for word in words {
        for club in all {
          if try club.issued(word) { return club }
        }
      }
      return nil
    }
  }
}

/// The words of a request that only their issuer knows, the most telling first.
enum ShownWords {
  enum BodyForm {
    case json
    case form
  }

  private static let mostBytes = 8192
  /// In a query or a form. An app key comes last: it may belong to the club whose member signs in, or to none.
  private static let names = [
    "access_token", "oauth_token", "code", "refresh_token", "cursor", "oauth_consumer_key", "client_id",
  ]

  /// - Parameter takesSession: false for an address whose own secret names the club, whatever session the browser has.
  static func inHead(_ head: HTTPRequest, _ address: Address, takesSession: Bool) -> [String] {
    var words: [String?] = []
    let authorization = head.headerFields[.authorization] ?? address.query["authorization"] ?? ""
    var signed: [String: String] = [:]
    switch authorization.prefix(while: { $0 != " " }).lowercased() {
    case "bearer": words.append(String(authorization.dropFirst(7).drop { $0 == " " }))
    case "oauth": signed = SignedRequest(head, address, [:]).oauth
    default: break
    }
    if takesSession { words.append(head.cookie(BrowserSession.cookie)) }
    words.append(ServedLinks.word(inPath: Substring(head.barePath)))
    words.append(head.barePath.split(separator: "/").last.map(String.init))
    words += names.map { signed[$0] ?? address.query[$0] }
    words.append(BasicCredentials(authorization)?.key)
    return usable(words)
  }

  /// nil if the route's body has no credentials, or is authorized before it is read.
  static func bodyForm(_ route: Route, _ head: HTTPRequest) -> BodyForm? {
    let type = head.headerFields[.contentType]?.prefix { $0 != ";" }.lowercased().filter { $0 != " " } ?? ""
    if type == "application/x-www-form-urlencoded" {
      if case .everyone = route.access { return .form }
      return route.style == .version1 ? .form : nil
    }
    guard case .everyone = route.access, route.style == .call else { return nil }
    return .json
  }

  /// - Parameter opened: the first word of the request that a sign-in page sealed into its form.
  static func inBody(_ bytes: [UInt8], _ form: BodyForm, opened: (String) -> String?) -> [String] {
    switch form {
    case .json:
      // The handler reads the argument again, and answers with its fault.
      guard let json = try? JSONReader.read(bytes) else { return [] }
      return usable([json["cursor"]?.text, json["code"]?.text.map(JoinCodes.row(of:))])
    case .form:
      let fields = FormText.read(String(decoding: bytes, as: UTF8.self))
      let code = fields["word"].map(CodeWords.row(of:))
      let joining = fields["code"].map { JoinCodes.row(of: BrowserJoin.code($0)) }
      return usable([code, joining] + names.map { fields[$0] } + [fields["request"].flatMap(opened)])
    }
  }

  private static func usable(_ words: [String?]) -> [String] {
    words.compactMap { $0 }.filter { !$0.isEmpty && $0.utf8.count <= mostBytes }
  }
}

extension ServedClub {
  /// True if this club issued the word: a token, a key, a code, a cursor, a link, a drop page. Whether it is still good is decided
  /// later. Blocks.
  fileprivate func issued(_ word: String) throws(StoreError) -> Bool {
    if codes.holds(word) || requests.holds(word) || uploadLinks.holds(word) || links.made(word)
      || drops.made(word)
    {
      return true
    }
    for use in ["cursor", "link"] where seal.open(word, for: use) != nil { return true }
    if try members.token(id: AccessTokens.row(of: word)) != nil { return true }
    if try members.holds(code: word) { return true }
    if word == AppKeys.byteclub { return false }
    return try AppKeys(members).isOurs(word)
  }
}
