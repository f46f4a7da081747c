import Basics
import Database
import FileStores
import Logging
import Synchronization

/// Checks of clubs for those who ask for their health, one at a time for each club: a disk that does not answer keeps the
/// check, and the thread of the check, until it does.
final class ClubChecks: Sendable {
  /// A store that answers later counts as broken: those who ask wait a few seconds only.
  private static let patience = Duration.seconds(5)

  private let running = Mutex<[String: Task<String?, Never>]>([:])

  /// The first thing of a club that does not work, as a sentence; nil if its files and its index can be read and
  /// written. Ends with its patience, whatever the check does.
  func fault(of club: ServedClub) async -> String? {
    let check = running.withLock { running in
      if let check = running[club.name] { return check }
      let check = Task {
        let fault = await ClubChecks.look(at: club)
        self.running.withLock { $0[club.name] = nil }
        return fault
      }
      running[club.name] = check
      return check
    }
    let answer = PendingAnswer<String?>()
    Task { answer.give(await check.value) }
    let clock = Task {
      // A cancelled sleep means that the check has answered.
      do { try await Task.sleep(for: ClubChecks.patience) } catch { return }
      answer.give("The check did not end within \(ClubChecks.patience.components.seconds) seconds.")
    }
    defer { clock.cancel() }
    return await answer.value() ?? nil
  }

  private static func look(at club: ServedClub) async -> String? {
    do throws(StoreError) {
      try await club.checkFiles()
    } catch {
      return "The club's files cannot be used: \(error.message)"
    }
    do throws(StoreError) {
      try await club.index.checkWriting()
    } catch {
      return "The index cannot be used: \(error.message)"
    }
    do throws(StoreError) {
      _ = try await club.index.pool.run { () throws(StoreError) in try club.members.members() }
    } catch {
      return "The list of members cannot be read: \(error.message)"
    }
    return nil
  }
}

/// The health of a server in one word, for anybody: clubs are checked at most once in some seconds, however often someone
/// asks.
final class PublicHealth: Sendable {
  private static let freshSeconds: Int64 = 5

  private let checks = ClubChecks()
  private let last = Mutex<(second: Int64, isWell: Bool)>((.min, false))

  func isWell(_ clubs: [ServedClub]) async -> Bool {
    let now = ServerOptions.now()
    let known = last.withLock { $0 }
    if known.second <= now, now - PublicHealth.freshSeconds < known.second { return known.isWell }
    var isWell = true
    for club in clubs {
      guard let fault = await checks.fault(of: club) else { continue }
      club.files.logger.warning("The club \"\(club.name)\" is failing. \(fault)")
      isWell = false
    }
    last.withLock { [isWell] in $0 = (now, isWell) }
    return isWell
  }
}

extension ServedClub {
  /// - Throws: the reason why the club's files cannot be read or written.
  fileprivate func checkFiles() async throws(StoreError) {
    if let check {
      try await index.pool.run { () throws(StoreError) in try check() }
    } else {
      _ = try await index.store.list(.root, ListOptions(.names), after: nil)
    }
  }
}

extension ClubIndex {
  /// - Throws: the reason why the index cannot be read or written. Waiting clients are not woken.
  fileprivate func checkWriting() async throws(StoreError) {
    let (database, now) = (database, now())
    try await pool.run { () throws(StoreError) in
      try database.write { try $0.setFact("health", String(now)) }
      guard try database.read({ try $0.fact("health") }) == String(now) else {
        throw StoreError(.corrupt, "It does not keep what is written.")
      }
    }
  }
}
