import Basics
import Database
import FileStores
import Logging
import Synchronization

/// The space that a club's files may take. A club's bytes are those of all its files, the trash included; a member's
/// bytes are those of the files whose last version that member wrote. Old versions and unfinished uploads have limits of
/// their own and do not count.
struct ClubQuotas: Sendable {
  /// In bytes; nil for no limit.
  let club: UInt64?
  /// In bytes, by the member's id; nil for no limit. Blocks.
  let member: @Sendable (String) throws(StoreError) -> UInt64?

  static let none = ClubQuotas(club: nil) { (_) throws(StoreError) in nil }
}

/// The bytes that changes under way are about to add. A change claims its bytes before it writes and gives the claim up
/// once the index has them, so changes at the same moment cannot pass a quota together.
final class SpaceLedger: Sendable {
  struct Claim: Sendable {
    /// Bytes by which the club grows.
    let club: UInt64
    /// Bytes by which the files of the member grow.
    let member: UInt64
    let author: String

    init(_ bytes: UInt64, over existing: ServerNode?, by author: ServerAuthor) {
      let replaced = existing?.size ?? 0
      let ofAuthor = existing?.author?.id == author.id ? replaced : 0
      club = bytes > replaced ? bytes - replaced : 0
      member = bytes > ofAuthor ? bytes - ofAuthor : 0
      self.author = author.id
    }
  }

  private let claims = Mutex<[UInt64: Claim]>([:])
  private let numbers = Atomic<UInt64>(0)
  /// Fires when a claim ends.
  let ended = ChangeCount()

  /// The claimed bytes of the club and of a member.
  func claimed(by author: String) -> (club: UInt64, member: UInt64) {
    claims.withLock { claims in
      var sum: (club: UInt64, member: UInt64) = (0, 0)
      for claim in claims.values {
        sum.club += claim.club
        if claim.author == author { sum.member += claim.member }
      }
      return sum
    }
  }

  func add(_ claim: Claim) -> UInt64 {
    let number = numbers.wrappingAdd(1, ordering: .relaxed).newValue
    claims.withLock { $0[number] = claim }
    return number
  }

  func end(_ number: UInt64) {
    claims.withLock { $0[number] = nil }
    ended.fire()
  }
}

extension ClubFiles {
  /// A refusal waits at most so long for other changes, which may fail and give their claims up.
  private static let claimPatience = Duration.seconds(10)
  private static let spaceLock = "space"

  /// Runs `body`, which writes `bytes` in the place of `existing`, with a claim on the space.
  /// - Throws: `insufficient_space` if the club or the author has no room; errors of `body`.
  func claiming<Value>(
    _ bytes: UInt64, over existing: ServerNode?, by author: ServerAuthor, _ body: () async throws -> Value
  ) async throws -> Value {
    let own = try await quota(of: author)
    guard quotas.club != nil || own != nil else { return try await body() }
    let number = try await admitted(SpaceLedger.Claim(bytes, over: existing, by: author), own, author)
    defer { ledger.end(number) }
    return try await body()
  }

  /// Refuses content that no other change could make fit, before its bytes come.
  /// - Throws: `insufficient_space`.
  func checkFits(_ bytes: UInt64, _ order: CommitOrder) async throws {
    let own = try await quota(of: order.author)
    guard quotas.club != nil || own != nil else { return }
    let existing = try await index.find(display: order.display)
    // Equal content is no change.
    if let existing, existing.size == bytes { return }
    let claim = SpaceLedger.Claim(bytes, over: existing, by: order.author)
    let needs = needs(of: claim, claimed: (0, 0), try await usage(of: order.author.id), own)
    if !needs.allSatisfy(\.fits) { throw refused(needs, order.author) }
  }

  private func quota(of author: ServerAuthor) async throws(StoreError) -> UInt64? {
    return try await index.pool.run { () throws(StoreError) in try quotas.member(author.id) }
  }

  private func needs(
    of claim: SpaceLedger.Claim, claimed: (club: UInt64, member: UInt64), _ used: (club: UInt64, member: UInt64),
    _ own: UInt64?
  ) -> [Need] {
    [
      Need(used: used.club, claimed: claimed.club, growth: claim.club, quota: quotas.club),
      Need(used: used.member, claimed: claimed.member, growth: claim.member, quota: own),
    ]
  }

  private func refused(_ needs: [Need], _ author: ServerAuthor) -> Tagged {
    logger.notice("A change by \(author.name) was refused: \(needs[0].fits ? "the member's" : "the club's") quota.")
    return Tagged("insufficient_space")
  }

  /// The number of the claim, once it fits.
  private func admitted(_ claim: SpaceLedger.Claim, _ own: UInt64?, _ author: ServerAuthor) async throws -> UInt64 {
    let deadline = ContinuousClock.now + ClubFiles.claimPatience
    while true {
      let seen = ledger.ended.number
      // Changes look one after the other, but do not wait for one that waits.
      let (number, needs) = try await index.locks.with(ClubFiles.spaceLock) { () throws(StoreError) in
        // Claims first: one that ends meanwhile is in the index by then, so nothing is overlooked.
        let claimed = ledger.claimed(by: author.id)
        let needs = self.needs(of: claim, claimed: claimed, try await usage(of: author.id), own)
        return (needs.allSatisfy(\.fits) ? ledger.add(claim) : nil, needs)
      }
      if let number { return number }
      guard needs.allSatisfy(\.fitsAlone), ContinuousClock.now < deadline, !Task.isCancelled else {
        throw refused(needs, author)
      }
      let ended = ledger.ended
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await ended.wait(past: seen) }
        // A cancelled sleep means that a claim has ended.
        group.addTask { do { try await Task.sleep(until: deadline) } catch { return } }
        await group.next()
        group.cancelAll()
      }
    }
  }

  private struct Need {
    let used: UInt64
    let claimed: UInt64
    let growth: UInt64
    let quota: UInt64?

    var fits: Bool { isWithin(used + claimed) }
    /// True if the change would fit once all others are undone.
    var fitsAlone: Bool { isWithin(used) }

    private func isWithin(_ taken: UInt64) -> Bool {
      guard let quota, growth > 0 else { return true }
      return taken <= quota && growth <= quota - taken
    }
  }

  /// The bytes of all files, and of the files whose last version a member wrote.
  func usage(of member: String) async throws(StoreError) -> (club: UInt64, member: UInt64) {
    try await index.read { (try $0.usedBytes(), try $0.usedBytes(by: member)) }
  }
}

extension ServedClub {
  /// The bytes that a member sees as used and as the limit: of the member's own quota or of the club's, whichever leaves
  /// less. Without a quota, the disk is the limit.
  func space(of member: ServerMember) async throws(StoreError) -> (used: UInt64, allocated: UInt64) {
    let quotas = files.quotas
    let capacity = capacity
    let (own, disk) = try await index.pool.run { () throws(StoreError) in (try quotas.member(member.id), capacity()) }
    let used = try await files.usage(of: member.id)
    let limit = [quotas.club, disk].compactMap { $0 }.min() ?? 1 << 41
    let club = (used: used.club, allocated: max(limit, used.club))
    guard let own else { return club }
    let mine = (used: used.member, allocated: max(own, used.member))
    return mine.allocated - mine.used < club.allocated - club.used ? mine : club
  }
}
