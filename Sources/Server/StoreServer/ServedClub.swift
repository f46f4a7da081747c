import Basics
import Database
import Decoding
import FileStores
import HTTPTypes
import JSON
import Logging

/// The parts of a server that all its clubs share.
struct ServerShared: Sendable {
  let failures: FailureLimit
  let shares: ConnectionShares
  let longPolls: CallLimit
  /// Of those who are in a club. They take nothing from the long polls.
  let watches: CallLimit
  /// Of the club's pages: those that wait, too. So many go on at once; members' other requests have the other threads.
  let searches = CallLimit(
    perMember: 4, all: 16,
    else: .plain(status: 503, "Others are searching at the moment. Go back, and search again in a minute."))
  let searchTurns = KeyedLocks(most: 3)
  let visitors = Visitors()
  let guesses = GuessTurns()
  let sends = SendBudget()
  let activity = Activity()
  let health = PublicHealth()
  let metrics = ServerMetrics()
  let version: String
  let packages: PackageFolder?

  init(_ options: ServerOptions) {
    (version, packages) = (options.version, options.packages)
    failures = FailureLimit(most: options.failuresPerMinute)
    shares = ConnectionShares(
      all: options.connections, perAddress: options.connectionsPerAddress, proxies: options.proxies)
    longPolls = CallLimit(
      perMember: options.longPollsPerMember, all: options.connections * 3 / 4, else: .tooMany(retryAfter: 30))
    watches = CallLimit(
      perMember: options.watchesPerMember, all: max(1, options.connections / 8), else: .tooMany(retryAfter: 30))
  }
}

struct ServedClub: Sendable {
  /// In the log and the metrics.
  let name: String
  let files: ClubFiles
  let uploads: UploadSessions
  let members: ServerMembersDatabase
  let seal: Seal
  /// Seals the forms of the sign-in pages, which belong to the server: the club is known once the code word is.
  let pageSeal: Seal
  let space: String
  let isSecure: Bool
  let proxies: TrustedProxies
  let shared: ServerShared
  /// For a body: bytes a second, and the seconds after which the rate applies.
  let slowest: (rate: Double, after: Double)
  let archives: ArchiveLimits
  let codes = AuthorizationCodes()
  let uploadLinks = UploadLinks()
  let saves = SaveJobs()
  let jobs = FinishedJobs()
  let web: WebReader?
  let requests = RequestTokens()
  let nonces = OAuth1Nonces()
  let uses = DeviceUses()
  /// The size and the free bytes of the disk; nil if unknown. They block.
  let capacity: @Sendable () -> UInt64?
  let available: @Sendable () -> UInt64?
  let check: (@Sendable () throws(StoreError) -> Void)?
  let decoder: any PictureDecoding
  let links: ServedLinks
  let hook: ClubHook?
  let drops: ServedDropPages
  /// True if members may use the club in a browser.
  let servesPages: Bool
  /// nil if members do not see each other.
  let presence: ServedPresence?
  /// Pictures and texts of links.
  let previews = MadeCache()
  let texts = MadeCache()

  /// Opens or creates the club's own data. Blocks.
  init(
    _ source: ClubSource, _ shared: ServerShared, pageSeal: Seal, options: ServerOptions, pool: BlockingPool,
    decoder: any PictureDecoding, logger: Logger
  ) throws(StoreError) {
    let (directory, members) = (source.directory, source.members)
    let room = try ContentRoom(below: directory, pool: pool, freeBytes: options.freeBytes)
    let index = ClubIndex(
      store: source.store, database: try ServerIndexDatabase(path: directory.path(of: "index.sqlite")), pool: pool,
      now: { ServerOptions.now() }, relief: { room.giveUpReserve() },
      unreadable: { path, error in
        logger.warning("Members do not see the file \"\(path)\", because it cannot be read: \(error)")
      })
    let spaceKey = try members.secret("namespace")
    name = source.name
    let quotas = ClubQuotas(club: source.quota) { (id) throws(StoreError) in try members.quota(ofMember: id) }
    files = ClubFiles(
      index: index, room: room, versions: options.versions, logger: logger, quotas: quotas, check: source.check)
    uploads = UploadSessions(index: index, room: room, limits: options.sessions, quotas: quotas)
    self.members = members
    seal = Seal(key: try members.secret("seal"))
    self.pageSeal = pageSeal
    space = String(spaceKey.prefix(4).reduce(1 as UInt64) { $0 << 8 | UInt64($1) })
    (isSecure, proxies) = (options.security != nil, options.proxies)
    self.shared = shared
    slowest = (options.slowestBodyRate, options.slowBodySeconds)
    (archives, web) = (options.archives, options.web)
    (capacity, available, check) = (source.capacity, source.available, source.check)
    self.decoder = decoder
    links = try ServedLinks(isAllowed: options.sharesLinks, members, index, shared.guesses)
    hook = try options.hook.map { (hook) throws(StoreError) in
      let waiting = try ServerHookDatabase(path: directory.path(of: "hook.sqlite"))
      return ClubHook(hook, club: source.name, index: index, waiting: waiting, logger: logger)
    }
    servesPages = options.servesPages
    presence =
      options.servesPresence
      ? ServedPresence(rest: options.presenceRest) { members.mayHaveChanged(since: &$0) } : nil
    drops = try ServedDropPages(options, members, index)
  }

  var failures: FailureLimit { shared.failures }
  var longPolls: CallLimit { shared.longPolls }
  var watches: CallLimit { shared.watches }
  var activity: Activity { shared.activity }
  var metrics: ServerMetrics { shared.metrics }
  var index: ClubIndex { files.index }
  var tokens: AccessTokens { AccessTokens(database: members) }

  /// - Throws: 401, 403, 422, 429.
  func access(_ route: Route, _ address: Address, _ head: HTTPRequest) async throws -> Caller {
    let caller: Caller
    switch route.access {
    case .everyone: return route.takesSession ? try await session(head) : Caller(member: nil, token: nil)
    case .application: caller = try await application(head, address.peer)
    case .memberOrApplication where head.headerFields[.authorization].flatMap(BasicCredentials.init) != nil:
      caller = try await application(head, address.peer)
    case .member(let scope), .memberOrApplication(let scope):
      guard let token = bearerToken(head.headerFields[.authorization] ?? address.query["authorization"]),
        let found = try await tokens.find(token, on: index.pool)
      else { throw try refuse(address.peer) }
      caller = try self.caller(found.token, of: found.member, scope: scope)
    }
    if let root = head.headerFields[.apiPathRoot] { try check(pathRoot: root) }
    for name in HTTPField.Name.teamSelections where head.headerFields[name] != nil {
      throw APIFailure.badCall("HTTP header \"\(name)\": a club has no teams, and a token acts for its own member.")
    }
    return caller
  }

  /// The caller by a remembered token in the header. Does not block; nil if `access` must decide.
  func accessAtHand(_ route: Route, _ head: HTTPRequest) -> Caller? {
    guard case .member(let scope) = route.access, head.headerFields[.apiPathRoot] == nil,
      HTTPField.Name.teamSelections.allSatisfy({ head.headerFields[$0] == nil }),
      let token = bearerToken(head.headerFields[.authorization]), let found = tokens.remembered(token)
    else { return nil }
    do throws(APIFailure) {
      return try caller(found.token, of: found.member, scope: scope)
    } catch {
      // `access` meets the same error and answers with it.
      return nil
    }
  }

  private func bearerToken(_ authorization: String?) -> String? {
    guard let authorization, authorization.prefix(7).lowercased() == "bearer " else { return nil }
    return String(authorization.dropFirst(7).drop { $0 == " " })
  }

  /// Every caller who is a member, by whatever token and version of the API; it is a use of their device. `scope` is what
  /// the request needs.
  /// - Throws: 401 for a token that has expired, or that lacks the scope; 403 if a reader would change the club.
  func caller(
    _ token: ServerToken, of member: ServerMember, scope: String
  ) throws(APIFailure) -> Caller {
    let now = index.now()
    if let end = token.expires, end <= now { throw .access(Tagged("expired_access_token")) }
    if let scopes = token.scopes, !scopes.contains(scope) {
      throw .access(Tagged("missing_scope", with: [JSONMember("required_scope", .string(scope))]))
    }
    // A property of the member: the scopes of a token are the choice of the program that asked for it.
    if member.isReader, Scopes.isWriting(scope) { throw .readOnly }
    uses.note(token.family, at: now)
    return Caller(member: member, token: token)
  }

  private func application(_ head: HTTPRequest, _ peer: String) async throws -> Caller {
    guard let given = head.headerFields[.authorization].flatMap(BasicCredentials.init) else { throw try refuse(peer) }
    let apps = AppKeys(members)
    guard try await index.pool.run({ () throws(StoreError) in try apps.isRight(given.key, secret: given.secret) })
    else {
      throw try refuse(peer)
    }
    return Caller(member: nil, token: nil)
  }

  private func refuse(_ peer: String) throws(APIFailure) -> APIFailure {
    if let seconds = failures.note(peer, at: index.now()) { throw .tooMany(retryAfter: seconds) }
    return .invalidToken
  }

  private func check(pathRoot text: String) throws(APIFailure) {
    let root: JSON
    do {
      root = try JSONReader.read(Array(text.utf8))
    } catch {
      throw .badCall("HTTP header \"Dropbox-API-Path-Root\": could not decode input as JSON: \(error.reason)")
    }
    let tag: String
    switch (root, root[".tag"]) {
    case (.string(let word), _), (_, .string(let word)?): tag = word
    default: throw .badCall("HTTP header \"Dropbox-API-Path-Root\": missing '.tag' key")
    }
    switch tag {
    case "home": return
    case "root":
      guard root["root"] == .string(space) else {
        let info = JSON.members([
          ".tag": "user", "root_namespace_id": .string(space), "home_namespace_id": .string(space),
        ])
        throw .pathRoot(Tagged("invalid_root", with: [JSONMember("invalid_root", info)]))
      }
    case "namespace_id":
      guard root["namespace_id"] == .string(space) else { throw .pathRoot(Tagged("no_permission")) }
    default: throw .badCall("HTTP header \"Dropbox-API-Path-Root\": unknown tag '\(tag)'")
    }
  }
}

extension ServedClub {
  /// Sends the given version from an offset on, even if the file changes meanwhile.
  func send(
    _ file: ServerNode, from start: UInt64, _ pace: SendPace = .quick, _ receive: Served.Receiver
  ) async throws {
    var offset = start
    do throws(StoreError) {
      let options = ReadOptions(from: start, ifRevision: file.storeRevision, chunkBytes: pace.chunkBytes)
      _ = try await index.store.read(file.path, options) { chunk throws(StoreError) in
        guard try await receive(chunk) else { throw StoreError(.cancelled, "Enough was read.") }
        offset += UInt64(chunk.count)
      }
    } catch {
      if error.kind == .cancelled, !Task.isCancelled { return }
      // A member has replaced the file, so sending goes on from the kept version. Any other error cuts the connection,
      // which the client notices.
      guard error.tellsOfChange,
        let old = try await index.read({ try $0.revision(file.rev) }), let content = try await files.content(of: old)
      else { throw error }
      try await send(content, from: offset, receive)
    }
  }

  func send(_ content: Content, from offset: UInt64, _ receive: Served.Receiver) async throws {
    var reading = try await content.source.open(at: offset)
    while let chunk = try await reading.next(), try await receive(chunk) {}
  }
}

extension StoreError {
  /// True if reading a version failed because the file has changed, is gone, or is no longer a file.
  var tellsOfChange: Bool { kind == .conflict || kind == .notFound || kind == .badInput }
}
