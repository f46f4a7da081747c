import Basics
import Database
import FileStores
import Hummingbird
import Logging
import ServiceLifecycle

/// Looks after one club while the server runs: follows its store, keeps versions, removes old data.
struct ClubKeeper: Service, CustomStringConvertible {
  let club: ServedClub
  let options: ServerOptions
  let logger: Logger

  var description: String { "ClubKeeper" }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          await club.index.follow { logger.warning("The server could not watch the club's folder: \($0)") }
        }
        group.addTask { await club.files.keepNews() }
        if let hook = club.hook { group.addTask { await hook.run() } }
        for queue in [club.index.later, club.index.films] {
          group.addTask {
            await club.index.recordLater(queue) {
              logger.warning("The server could not read new files, and tries again: \($0)")
            }
          }
        }
        group.addTask { await lookForMissed(club, logger) }
        group.addTask { await tidy(club, logger) }
      }
    }
    // The connections end before.
    do throws(StoreError) {
      try await club.index.pool.run { () throws(StoreError) in try club.uses.write(to: club.members) }
    } catch {
      logger.warning("The server could not note when members' devices were last used: \(error)")
    }
  }

  /// Looks again, now and then, for files that could not be read when their turn came.
  private func lookForMissed(_ club: ServedClub, _ logger: Logger) async {
    while !Task.isCancelled {
      // A cancelled sleep ends the loop.
      try? await Task.sleep(for: .seconds(600))
      let missed = [club.index.later, club.index.films].map { $0.takeMissed() }
      guard missed.contains(true), !Task.isCancelled else { continue }
      do {
        try await club.index.scan(ClubIndex.root, recursive: true)
      } catch {
        logger.warning("The server could not look for new files: \(error)")
      }
    }
  }

  private func tidy(_ club: ServedClub, _ logger: Logger) async {
    while !Task.isCancelled {
      do {
        try await club.uploads.removeOld()
        try await club.files.forgetOld()
        try await club.files.forgetOldTrash(options.trash)
        try await club.index.write { writing in
          try writing.forgetDeleted(keeping: 100_000)
          try writing.forgetTags()
        }
        let (members, uses, now) = (club.members, club.uses, club.index.now())
        try await club.index.pool.run { () throws(StoreError) in
          try members.forgetTokens(endedBefore: now - 86_400)
          try members.forgetLinks(endedBefore: now - 86_400)
          try members.forgetDropPages(endedBefore: now - 86_400)
          try uses.write(to: members)
        }
      } catch {
        if Task.isCancelled { return }
        logger.warning("The server could not remove old data: \(error)")
      }
      try? await Task.sleep(for: .seconds(3600))
    }
  }
}

/// Returns unused memory to the system when the server is quiet.
struct MemoryKeeper: Service, CustomStringConvertible {
  let club: ServedClub
  let giveMemoryBack: @Sendable () -> Void

  var description: String { "MemoryKeeper" }

  func run() async throws {
    await cancelWhenGracefulShutdown {
      while !Task.isCancelled {
        try? await Task.sleep(for: .seconds(10))
        if club.activity.isTimeToTidy() { await club.index.pool.run { giveMemoryBack() } }
      }
    }
  }
}
