internal import Basics
internal import FileStores
internal import Synchronization

/// The findings about a store's server, for all calls of the store: those that are kept, or those of a test before the
/// first call that needs them.
final class KnownServer: Sendable {
  typealias Test = @Sendable () async throws(StoreError) -> ServerFindings

  private struct State {
    var known: ServerFindings?
    var hasLooked = false
    var running: Task<Result<ServerFindings, StoreError>, Never>?
    /// Old findings hold until then, because the server could not be tested anew.
    var nextTest = Int64.min
  }

  private static let retrySeconds: Int64 = 600

  private let keeping: (any FindingsKeeping)?
  private let pool: BlockingPool
  private let counts: @Sendable (ServerFindings) -> Bool
  private let test: Test
  private let now: @Sendable () -> Int64
  private let state = Mutex(State())

  /// Findings of another kind, or of another version of its test, do not count.
  /// - Parameter now: seconds since 1970.
  init(
    kind: String, version: Int, keeping: (any FindingsKeeping)?, pool: BlockingPool,
    now: @escaping @Sendable () -> Int64 = { Timestamp.now().seconds }, test: @escaping Test
  ) {
    (self.keeping, self.pool, self.now, self.test) = (keeping, pool, now, test)
    counts = { $0.kind == kind && $0.version == version }
  }

  /// The findings so far, without a request. The first call may read a small file.
  var known: ServerFindings? {
    let (known, hasLooked) = state.withLock { ($0.known, $0.hasLooked) }
    if hasLooked { return known }
    var kept = keeping?.kept().flatMap { counts($0) ? $0 : nil }
    if var found = kept, found.tested == nil {
      // Those of an earlier byteclub begin to age now.
      found.tested = now()
      keep(found)
      kept = found
    }
    return state.withLock { state in
      if !state.hasLooked { (state.known, state.hasLooked) = (kept, true) }
      return state.known
    }
  }

  /// The findings. Without fresh ones, all callers share one test; old ones hold while it cannot be made.
  /// - Throws: errors of the first test; `cancelled`.
  func findings() async throws(StoreError) -> ServerFindings {
    let (known, now) = (known, now())
    // A clock that was put back does not put the next test off.
    let holds = state.withLock { now < $0.nextTest && $0.nextTest - now <= KnownServer.retrySeconds }
    if let known, holds || known.isFresh(at: now) { return known }
    let task: Task<Result<ServerFindings, StoreError>, Never>? = state.withLock { state in
      if let running = state.running { return running }
      // A test that ended after the look at `known` counts, too.
      if state.known?.isFresh(at: self.now()) == true { return nil }
      let task = Task(executorPreference: pool.tasks) { await self.run() }
      state.running = task
      return task
    }
    guard let task else { return try await findings() }
    guard let result = await task.valueUnlessCancelled(on: pool.tasks) else {
      throw .cancelled("The test of the server")
    }
    return try result.get()
  }

  /// An answer that contradicts the findings: the next call that needs them tests the server anew.
  func surprised() {
    state.withLock { state in (state.known, state.hasLooked) = (nil, true) }
    forget()
  }

  private func run() async -> Result<ServerFindings, StoreError> {
    let result: Result<ServerFindings, StoreError>
    do throws(StoreError) {
      var findings = try await test()
      findings.tested = now()
      state.withLock { state in (state.known, state.hasLooked) = (findings, true) }
      keep(findings)
      result = .success(findings)
    } catch {
      let next = now() + KnownServer.retrySeconds
      result = state.withLock { state in
        guard let known = state.known else { return .failure(error) }
        state.nextTest = next
        return .success(known)
      }
    }
    state.withLock { $0.running = nil }
    return result
  }

  /// Findings that cannot be kept cost a test at the next start.
  private func keep(_ findings: ServerFindings) {
    do throws(StoreError) { try keeping?.keep(findings) } catch { return }
  }

  private func forget() {
    do throws(StoreError) { try keeping?.keep(nil) } catch { return }
  }
}

/// Decides, from the findings about a server, if a store writes.
struct WriteGuard: Sendable {
  /// The setting with which a member accepts writes that another member's can destroy.
  static let setting = StoreSetting(
    "unsafeWrites", .flag,
    about:
      "True to write at a server that keeps no conditions: there, a save can destroy what another member saves at the "
      + "same moment. Without it, such a club is read-only.")

  let isUnsafeAllowed: Bool

  init(_ store: StoreDescription) { isUnsafeAllowed = store.options["unsafeWrites"] == "true" }

  /// - Parameter reason: a clause about the server.
  /// - Throws: `notPermitted` for a server without conditions, unless the member has allowed it.
  func check(_ conditions: WriteConditions, because reason: String, _ path: StorePath) throws(StoreError) {
    guard conditions == .none, !isUnsafeAllowed else { return }
    throw StoreError(
      .notPermitted, "The club is read-only, because \(reason).",
      remedy: "\"byteclub doctor\" shows the test. To write all the same, set \"unsafeWrites\" to true in the config.",
      path: path)
  }
}
