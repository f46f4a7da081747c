/// Presence with a watch that is begun again after a broken line. A sight that could not be shown is not shown later: a
/// newer one follows.
struct RetryingPresence: CapabilityWrapper, StorePresence {
  let base: any StorePresence
  let store: RetryingStore

  /// The state of the connection is for other calls to report: a proxy may cut this one at any time.
  func watch(_ receive: ([PresentMember]) async -> Void) async throws(StoreError) {
    var failures = 0
    while true {
      do throws(StoreError) {
        return try await base.watch { members in
          failures = 0
          await receive(members)
        }
      } catch {
        failures += 1
        // Nobody is known to be there while the line is broken.
        if error.isTemporary { await receive([]) }
        try await store.retrying.unobserved.pause(before: failures + 1, after: error)
      }
    }
  }
}
