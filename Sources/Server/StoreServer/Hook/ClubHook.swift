import Basics
import ClubServices
import Database
import FileStores
import JSON
import Logging

/// Tells a hook what happens in one club: gathers the changes of the index into batches, and sends the batches that
/// wait, the oldest first.
struct ClubHook: Sendable {
  private static let mostBatches = 1000
  /// Of one batch, and of one look into the index.
  private static let mostEvents = 1000
  private static let pauseAfterFault = Duration.seconds(10)

  private let club: String
  private let hook: EventHook
  private let index: ClubIndex
  private let waiting: ServerHookDatabase
  private let logger: Logger
  private let added = ChangeCount()

  init(_ hook: EventHook, club: String, index: ClubIndex, waiting: ServerHookDatabase, logger: Logger) {
    (self.hook, self.club, self.index, self.waiting, self.logger) = (hook, club, index, waiting, logger)
  }

  /// Until the task is cancelled. Events of a batch that is still open are gathered again after the next start.
  func run() async {
    async let sending: Void = send()
    while !Task.isCancelled {
      do throws(StoreError) {
        try await gather()
      } catch {
        if Task.isCancelled { break }
        logger.warning("The server could not gather events for the hook, and tries again: \(error)")
        // A cancelled sleep ends the loop.
        try? await hook.clock.sleep(for: ClubHook.pauseAfterFault)
      }
    }
    await sending
  }
}

extension ClubHook {
  private func gather() async throws(StoreError) {
    var place = try await start()
    var batches = EventBatches<HookEvent>(limit: ClubHook.mostEvents)
    while !Task.isCancelled {
      let seen = index.signal.number
      let number = place.number
      let found = try await index.read {
        try HookEvent.events(after: number, limit: ClubHook.mostEvents, in: $0)
      }
      if let last = found.last { place = ServerHookDatabase.Place(epoch: place.epoch, number: last) }
      // A large file that was there before the hook comes into the index after the beginning, and is no news.
      let (waiting, versions) = (waiting, found.events.compactMap(\.version))
      let earlier = try await index.pool.run { () throws(StoreError) in try waiting.earlier(of: versions) }
      batches.add(found.events.filter { $0.version.map(earlier.contains) != true }, at: hook.instant)
      while let batch = batches.take(at: hook.instant) { try await keep(batch, place.epoch) }
      if !found.isFull { await wait(past: seen, until: batches.deadline) }
    }
  }

  /// The change after which the events begin: after the last batch, or, the first time, after all that is there.
  private func start() async throws(StoreError) -> ServerHookDatabase.Place {
    if let place = try await index.pool.run({ () throws(StoreError) in try waiting.place() }) {
      if try await index.read({ try $0.isCurrent(epoch: place.epoch, place.number) }) { return place }
      logger.warning("The index was made anew, so the hook does not learn what happened before.")
    }
    try await index.scan(ClubIndex.root, recursive: true)
    let there = try await index.store.contents(of: .root).filter { $0.kind == .file }
    let (place, earlier) = try await index.read { reading in
      let known = try reading.nodes(at: there.map(\.path))
      return (
        ServerHookDatabase.Place(epoch: try reading.epoch(), number: try reading.newestNumber()),
        there.filter { known[$0.path]?.holds($0) != true }.compactMap { file in
          file.revision.map { ServerHookDatabase.Version(path: file.path, revision: $0) }
        }
      )
    }
    try await index.pool.run { () throws(StoreError) in try waiting.begin(after: place, earlier: earlier) }
    return place
  }

  private func keep(_ events: [HookEvent], _ epoch: String) async throws(StoreError) {
    guard let last = events.last else { return }
    let (waiting, place) = (waiting, ServerHookDatabase.Place(epoch: epoch, number: last.number))
    let joined = HookEvent.joined(events)
    guard !joined.isEmpty else {
      return try await index.pool.run { () throws(StoreError) in try waiting.begin(after: place) }
    }
    let batch = ServerHookDatabase.Batch(
      id: FreshID.code(), body: HookEvent.document(joined, of: club).encoded)
    let lost = try await index.pool.run { () throws(StoreError) in
      try waiting.add(batch, endingAt: place, most: ClubHook.mostBatches)
    }
    if lost > 0 {
      logger.error(
        "The hook has not taken \(ClubHook.mostBatches) batches, so the oldest one was dropped: it never learns of that."
      )
    }
    added.fire()
  }

  private func wait(past seen: UInt64, until deadline: ContinuousClock.Instant?) async {
    guard let deadline else { return await index.signal.wait(past: seen) }
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await index.signal.wait(past: seen) }
      // A cancelled sleep ends here, too: there is a change.
      group.addTask { try? await hook.clock.sleep(for: hook.instant.duration(to: deadline)) }
      await group.next()
      group.cancelAll()
    }
  }
}

extension ClubHook {
  /// Sends the batches that wait until the task is cancelled, each until it is taken.
  private func send() async {
    var failures = 0
    while !Task.isCancelled {
      let seen = added.number
      do throws(StoreError) {
        guard let batch = try await index.pool.run({ () throws(StoreError) in try waiting.oldest() }) else {
          await added.wait(past: seen)
          continue
        }
        try await hook.deliver(batch)
        try await index.pool.run { () throws(StoreError) in try waiting.remove(batch) }
        failures = 0
      } catch {
        if Task.isCancelled { return }
        failures += 1
        let pause = hook.pause(after: error, failures: failures)
        logger.warning("The hook did not take a batch, and gets it again in \(pause.components.seconds) s: \(error)")
        // A cancelled sleep ends the loop.
        try? await hook.clock.sleep(for: pause)
      }
    }
  }
}
