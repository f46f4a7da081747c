import Accounts
import Backends
import Basics
import Database
import FileStores

/// `byteclub join`, with member, server and clock passed in. Until the end nothing is changed but the value of
/// `PendingJoin`, so after any failure the same line works again.
struct JoinFlow: Sendable {
  struct Done: Sendable {
    let plan: JoinPlan
    /// nil if the line has let this machine in before.
    let joined: Joined?
    /// The member's name: foreign text.
    let member: String
    /// The drop-in; nil for a club of the member's own config.
    let file: String?
  }

  let paths: Paths
  let report: ConfigReport
  var stores = StoreRegistry.standard
  let pool: BlockingPool
  let log: ActivityLog
  /// Makes no connection yet.
  let transport: @Sendable (HTTPOptions) -> any HTTPTransport
  /// Seconds since 1970.
  let now: @Sendable () -> Int64
  /// The name of this machine, which the member sees in the list of devices.
  let machine: String
  /// Asks the member; nil if nobody can be asked.
  var agrees: (@Sendable (String) async throws(StoreError) -> Bool)?
  /// The member agrees to every change but one: a club moves to another address only by its name or an answer.
  var isAgreed = false
  /// True if the app asks.
  var isInApp = false

  /// - Parameter name: what the member wants to call the club here.
  /// - Throws: errors of the line, of `InvitationCalls` and of the disk; `cancelled` if the member says no.
  func run(_ text: String, name: String?) async throws(StoreError) -> Done {
    // A club could not be read there.
    if let folder = report.brokenDropIns.first(where: { $0.club.isEmpty }) { throw StoreError(.badInput, folder.fault) }
    let line = try InvitationLine(text, allowingPlain: report.config.mayBePlain)
    let (store, kind) = try club(line, word: nil)
    guard var options = try kind.httpOptions(for: store) else { throw JoinFlow.hasNoServer }
    network(of: line, kind).apply(to: &options)
    let transport = transport(options)
    let lock = try await pool.run { [paths, report] () throws(StoreError) in try JoinLock(paths, knowing: report) }
    defer { lock.release() }
    let pending = try await pool.run { [paths] () throws(StoreError) in try PendingJoin(line, paths) }
    // The value stays after any failure: whoever answers instead of the server cannot make this machine forget it.
    let clubs = await known(kind)
    let joined: Joined
    do throws(StoreError) {
      joined = try await InvitationCalls(line, transport: transport, now: now)
        .redeem(device: pending.device, name: machine)
    } catch {
      guard error.kind == .notPermitted, let done = try await doneBefore(pending, line, clubs, transport) else {
        throw error
      }
      return done
    }
    let planner = JoinPlanner(
      known: clubs, taken: report.takenNames, line: line, joined: joined, config: paths.abbreviating(paths.configFile),
      isInApp: isInApp)
    var moving: KnownClub?
    if name == nil, let move = planner.move, let agrees, try await agrees(move.question) { moving = move.club }
    let (plan, question) = try planner.plan(name, moving: moving)
    if moving == nil, let question { try await ask(question) }
    let done = try await carryOut(plan, joined, line, kind, clubs, transport)
    let used = UsedInvitation(club: plan.name, account: joined.accountID)
    try await pool.run { () throws(StoreError) in try pending.finish(used) }
    log.info("joined", ["club": plan.name, "service": line.origin.description])
    return done
  }

  /// The club that this line has let this machine into, if it is here and its sign-in works.
  private func doneBefore(
    _ pending: PendingJoin, _ line: InvitationLine, _ clubs: [KnownClub], _ transport: any HTTPTransport
  ) async throws(StoreError) -> Done? {
    guard let used = try await pool.run({ () throws(StoreError) in try pending.used() }),
      let club = clubs.first(where: {
        $0.name == used.club && $0.accountID == used.account && $0.origin == line.origin && !$0.bringsToken
      })
    else { return nil }
    let member: String
    do throws(StoreError) {
      member = try await tokens(club.account, transport).profile().name
    } catch {
      // The refusal of the line is the better answer.
      return nil
    }
    try await pool.run { () throws(StoreError) in try pending.forget() }
    return Done(
      plan: .here(name: club.name), joined: nil, member: member,
      file: club.isDropIn ? DropIn.path(of: club.name, paths) : nil)
  }

  /// Without the member's header fields, which may be secret, unless a club of the member's own config is there.
  private func network(of line: InvitationLine, _ kind: any StoreKind) -> NetworkSettings {
    let own = report.config.clubNames.first { name in
      !report.dropInClubs.contains(name) && KnownClub(name, report, kind, paths)?.origin == line.origin
    }
    return report.network(of: own)
  }

  private func ask(_ question: String) async throws(StoreError) {
    if isAgreed { return }
    let rest = "The invitation is still good on this machine for an hour."
    guard let agrees else {
      throw StoreError(.badInput, "\(question) byteclub cannot ask here.", remedy: "Add --yes. \(rest)")
    }
    guard try await agrees(question) else {
      throw StoreError(.cancelled, "Nothing was changed.", remedy: rest)
    }
  }

  // MARK: The clubs that are there

  private func known(_ kind: any StoreKind) async -> [KnownClub] {
    let clubs = report.config.clubNames.compactMap { KnownClub($0, report, kind, paths) }
    let directory = paths.tokensDirectory
    return await pool.run {
      clubs.map { club in
        var club = club
        // A file that cannot be read is written anew.
        club.grant = try? TokenFile(directory: directory, account: club.account).read()
        return club
      }
    }
  }

  private func club(_ line: InvitationLine, word: String?) throws(StoreError) -> (StoreDescription, any StoreKind) {
    var store = stores.served(at: line.origin.description)
    store.options["pin"] = line.pin?.configText
    store.options["account"] = word
    store.allowsPlainHTTP = report.config.mayBePlain
    return (store, try stores.kind(store.kind))
  }

  private static let hasNoServer = StoreError(.unsupported, "byteclub was built without clubs behind servers.")

  // MARK: What changes

  /// First the token, then what waits, then the club's file: a crash in between leaves a club that can be joined again.
  private func carryOut(
    _ plan: JoinPlan, _ joined: Joined, _ line: InvitationLine, _ kind: any StoreKind, _ known: [KnownClub],
    _ transport: any HTTPTransport
  ) async throws(StoreError) -> Done {
    let there = known.first { $0.name == plan.name }
    if case .signIn = plan, let there {
      try await keep(joined, there.account, transport, replacing: there, line)
      return Done(plan: plan, joined: joined, member: joined.member, file: nil)
    }
    var word: String?
    if case .add(_, let own) = plan { word = own }
    if case .replace(_, let own) = plan { word = own }
    let (fresh, _) = try club(line, word: word)
    var store = there?.store ?? fresh
    for key in ["server", "pin", "account"] { store.options[key] = fresh.options[key] }
    guard case .tokens(let signIn) = try kind.signIn(to: store) else { throw JoinFlow.hasNoServer }
    let account = try Account(club: plan.name, signIn, bringsToken: false)
    let isShared = known.contains { other in
      other.name != plan.name && there.map { TokenFile(other, paths).path == TokenFile($0, paths).path } ?? false
    }
    try await keep(joined, account, transport, replacing: isShared ? nil : there, line)
    let place = kind.place(of: store).words
    let former = there.flatMap { $0.place == place ? report.formerPlaces[$0.name] : $0.place }
    try await pool.run { [paths, store] () throws(StoreError) in
      if let there { try JoinFlow.carry(from: there.place, to: place, joined.accountID, paths) }
      try DropIn.write(store, of: kind, as: plan.name, former: former, paths)
      guard let there, !isShared else { return }
      let old = TokenFile(there, paths)
      if old.path != TokenFile(directory: paths.tokensDirectory, account: account).path { try old.remove() }
    }
    return Done(plan: plan, joined: joined, member: joined.member, file: DropIn.path(of: plan.name, paths))
  }

  /// - Parameter club: the member's earlier sign-in of this machine, which ends at the same server.
  private func keep(
    _ joined: Joined, _ account: Account, _ transport: any HTTPTransport, replacing club: KnownClub?,
    _ line: InvitationLine
  ) async throws(StoreError) {
    let tokens = tokens(account, transport)
    try await tokens.keep(joined.grant)
    guard let club, let former = club.grant, club.origin == line.origin, club.accountID == joined.accountID else {
      return
    }
    if await !tokens.end(former) { log.warning("an earlier sign-in stays", ["service": line.origin.description]) }
  }

  private func tokens(_ account: Account, _ transport: any HTTPTransport) -> AccountTokens {
    AccountTokens(
      account, source: .file, directory: paths.tokensDirectory, transport: transport, pool: pool, now: now)
  }

  /// Gives what waits and what is kept under a club's old place to its new one, of all its accounts.
  private static func carry(
    from old: String, to new: String, _ accountID: String, _ paths: Paths
  ) throws(StoreError) {
    guard old != new else { return }
    let outbox = OutboxDatabase(openingLater: paths.outboxFile)
    let own = "\(old)\naccount \(accountID)"
    let kept = new + own.dropFirst(old.count)
    try outbox.give(fromPlace: old, to: new)
    try outbox.give(from: own, to: kept)
    let copies = LocalCopyDatabase(openingLater: paths.copiesFile)
    if copies.exists, try copies.copy(of: own) != nil { try copies.give(from: own, to: kept) }
    try CatalogueDatabase(openingLater: paths.catalogueFile).give(from: own, to: kept)
  }
}

extension TokenFile {
  fileprivate init(_ club: KnownClub, _ paths: Paths) {
    self.init(directory: paths.tokensDirectory, account: club.account)
  }
}
