import Synchronization
import Accounts
import Backends
import Basics
import Database
import FileStores

/// The account to which all that waits in a club belongs, and all that this machine keeps of it.
struct ClubOwner: Sendable, Equatable {
  /// `Club.key`.
  let key: String
  /// `Club.strays`.
  let strays: String?
  /// The word for the account in orders of transfers; nil where the place names the account.
  let word: String?
  /// The word of the same sign-in in orders from before the service has named its account.
  var earlierWord: String?
  /// The accounts of the tokens that the service has named, by the words of orders.
  private var named: [String: String] = [:]
  /// True if this machine had another account of this club before.
  var isNew = false

  /// For a club whose place names the account.
  init(place: String) { (key, strays, word) = (place, nil, nil) }

  /// - Parameter word: nil if no account is known.
  init(place: String, word: String?) {
    let strays = place + "\nnobody"
    (self.strays, self.word) = (strays, word)
    key = word.map { "\(place)\n\($0)" } ?? strays
  }

  static func word(ofAccount account: String) -> String { "account \(account)" }
  private static func word(ofToken token: String) -> String { "token \(token)" }

  /// The longest wait for the service, which may be away.
  private static let patience = Duration.seconds(10)

  /// Asks the service only about a token that this machine does not know. Never fails: without an answer, what is kept
  /// belongs to the token until the service names its account; under a token that the service refuses, to the account
  /// that this club last had here.
  static func find(_ setup: ClubSetup, clock: any Clock<Duration> = TimerClock()) async -> ClubOwner {
    let place = setup.choice.place
    guard case .tokens = setup.signIn else {
      guard let user = setup.choice.kind.user(of: setup.choice.store) else { return ClubOwner(place: place) }
      return await Finding(setup).settled(user, token: "user")
    }
    let finding = Finding(setup)
    do throws(StoreError) {
      let club = try ClubAccount(setup)
      if let account = await club.tokens.keptAccountID() { return await finding.settled(account, token: "login") }
      let token = AccountMemory.words(
        of: try await club.tokens.token(refusing: nil), at: club.account.service.origin)
      if let account = await finding.account(of: token) {
        await club.tokens.bind(to: account)
        return await finding.settled(account, token: token)
      }
      switch await asked(club.tokens, clock) {
      case .success(let profile):
        let owner = await finding.settled(profile.accountID, token: token)
        await KeptAccount.keep(profile, setup)
        return owner
      case .failure(let error) where error.kind == .notSignedIn: return await finding.last()
      case .failure(let error):
        setup.log.error("the service has not named the account", error)
        return ClubOwner(place: place, word: word(ofToken: token))
      }
    } catch {
      return await finding.last()
    }
  }

  /// The owner as far as it is known without a request; without a sign-in, the account that this club last had here.
  static func known(_ setup: ClubSetup) async -> ClubOwner {
    guard case .tokens = setup.signIn else { return await find(setup) }
    do throws(StoreError) {
      let club = try ClubAccount(setup)
      let finding = Finding(setup)
      if let account = await club.tokens.keptAccountID() {
        return await finding.naming(ClubOwner(place: setup.choice.place, word: word(ofAccount: account)))
      }
      let token = AccountMemory.words(
        of: try await club.tokens.token(refusing: nil), at: club.account.service.origin)
      let account = await finding.account(of: token)
      var owner = ClubOwner(place: setup.choice.place, word: account.map(word(ofAccount:)) ?? word(ofToken: token))
      owner.earlierWord = word(ofToken: token)
      return await finding.naming(owner)
    } catch {
      return await Finding(setup).last()
    }
  }

  /// The account that this club last had here: without a request, and without a program of the config.
  static func last(_ setup: ClubSetup) async -> ClubOwner {
    guard case .tokens = setup.signIn else {
      let user = setup.choice.kind.user(of: setup.choice.store)
      return user.map { ClubOwner(place: setup.choice.place, word: word(ofAccount: $0)) }
        ?? ClubOwner(place: setup.choice.place)
    }
    return await Finding(setup).last()
  }

  private static func asked(
    _ tokens: AccountTokens, _ clock: any Clock<Duration>
  ) async -> Result<AccountProfile, StoreError> {
    await withTaskGroup(of: Result<AccountProfile, StoreError>.self) { group in
      group.addTask { await .catching { () throws(StoreError) in try await tokens.profile() } }
      group.addTask {
        do {
          try await clock.sleep(for: patience)
          return .failure(StoreError(.offline, "The service has not answered within \(patience.components.seconds) s."))
        } catch {
          return .failure(.cancelled("The question for the account"))
        }
      }
      let first = await group.next() ?? .failure(.cancelled("The question for the account"))
      group.cancelAll()
      return first
    }
  }

  /// True for an order of this account, or of an earlier version, which did not name one.
  func has(_ order: String?) -> Bool {
    guard let order else { return true }
    return order == word || order == earlierWord || named[order].map { ClubOwner.word(ofAccount: $0) == word } ?? false
  }

  /// True for an order of an account that is known to be another one. That of a token which the service has never named may
  /// be anybody's.
  func isAnothers(_ order: String?) -> Bool {
    !has(order) && (order.map { $0.hasPrefix(ClubOwner.word(ofAccount: "")) || named[$0] != nil } ?? false)
  }

  /// True while the service has not named the account of the token. Then what belongs to an account may be this one's.
  var isUnnamed: Bool { word?.hasPrefix(ClubOwner.word(ofToken: "")) == true }

  /// A sentence about what waits here and belongs to other accounts of this place; nil if there is nothing.
  func heldBack(_ outbox: OutboxDatabase, place: String) throws(StoreError) -> String? {
    let counts = try outbox.waiting(underKeysFrom: place + "\n").filter { $0.key != key && $0.key != strays }
    let count = counts.values.reduce(0, +)
    guard count > 0 else { return nil }
    if isUnnamed {
      return count == 1
        ? "A text or a change waits here until the service has named your account."
        : "\(count) texts or changes wait here until the service has named your account."
    }
    let waits =
      count == 1
      ? "A text or a change of another account waits here. byteclub sends it when that account signs in again."
      : "\(count) texts or changes of another account wait here. byteclub sends them when that account signs in again."
    return "\(waits) To see what waits: byteclub draft ls --all-accounts"
  }

  /// The files of this machine that know accounts.
  private struct Finding {
    let setup: ClubSetup
    let memory: AccountMemory
    var place: String { setup.choice.place }

    init(_ setup: ClubSetup) {
      self.setup = setup
      memory = AccountMemory(data: setup.paths.data, place: setup.choice.place)
    }

    func account(of token: String) async -> String? {
      await setup.pool.run { [memory] in memory.account(of: token) }
    }

    func last() async -> ClubOwner {
      let last = await setup.pool.run { [memory] in memory.last }
      return await naming(ClubOwner(place: place, word: last.map(ClubOwner.word(ofAccount:))))
    }

    /// The owner with what this machine knows of the club's tokens.
    func naming(_ owner: ClubOwner) async -> ClubOwner {
      var owner = owner
      let accounts = await setup.pool.run { [memory] in memory.accounts }
      owner.named = Dictionary(accounts.map { (ClubOwner.word(ofToken: $0), $1) }) { _, newest in newest }
      return owner
    }

    /// The owner of an account. Gives it what was kept under its token before the service named it.
    func settled(_ account: String, token: String) async -> ClubOwner {
      var owner = ClubOwner(place: place, word: ClubOwner.word(ofAccount: account))
      owner.earlierWord = ClubOwner.word(ofToken: token)
      return await naming(
        await setup.pool.run { [setup, memory, place, owner] in
          var owner = owner
          let last = memory.last
          owner.isNew = last != nil && last != account
          do throws(StoreError) {
            let outbox = OutboxDatabase(openingLater: setup.paths.outboxFile)
            if let former = setup.formerPlace { try outbox.give(fromPlace: former, to: place) }
            let start = "\(place)\n\(ClubOwner.word(ofToken: ""))"
            for key in try outbox.keys(underKeysFrom: start) {
              let its = String(key.dropFirst(start.count))
              // Of a token that nobody can name any more the member decides.
              let known = its == token ? account : memory.account(of: its)
              guard known == nil || known == account else { continue }
              try outbox.give(from: key, to: known == nil ? owner.strays ?? owner.key : owner.key)
            }
            if last == nil { try Finding.adopt(place, account, owner, outbox, setup.paths) }
            try memory.remember(account, of: token)
          } catch {
            setup.log.error("the account of the club was not noted", error)
          }
          return owner
        })
    }

    /// Gives what an earlier version kept under the place alone to the account that the local copy names, or to nobody.
    private static func adopt(
      _ place: String, _ account: String, _ owner: ClubOwner, _ outbox: OutboxDatabase, _ paths: Paths
    ) throws(StoreError) {
      let copies = LocalCopyDatabase(openingLater: paths.copiesFile)
      let before = copies.exists ? try copies.copy(of: place) : nil
      let isSame = before?.account == account || owner.earlierWord == ClubOwner.word(ofToken: "user")
      try outbox.give(from: place, to: isSame ? owner.key : owner.strays ?? owner.key)
      if before != nil { try copies.give(from: place, to: isSame ? owner.key : nil) }
      if isSame { try CatalogueDatabase(openingLater: paths.catalogueFile).give(from: place, to: owner.key) }
    }
  }
}

/// The owners of clubs that were found, each once for a process: the program of a club may print another token each time.
final class ClubOwners: Sendable {
  private struct State {
    /// An owner is nil for a club that the config does not have any more.
    var found: [String: ClubOwner?] = [:]
    var undecided: Set<String> = []
  }

  private let state = Mutex(State())

  /// nil for a club whose owner was not found yet.
  func found(_ club: String) -> ClubOwner?? { state.withLock { $0.found[club] } }

  func keep(_ owner: ClubOwner?, of club: String) {
    state.withLock { state in
      state.found[club] = .some(owner)
      if owner?.isUnnamed != true { state.undecided.remove(club) }
    }
  }

  /// The clubs with transfers that wait until the service has named the account.
  var undecided: Set<String> { state.withLock { $0.undecided } }

  func noteUndecided(_ club: String) { _ = state.withLock { $0.undecided.insert(club) } }
}
