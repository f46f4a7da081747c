struct RetryingTrash: CapabilityWrapper, StoreTrash {
  let base: any StoreTrash
  let store: RetryingStore

  func discard(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) -> TrashedFile {
    // Afterwards, `notFound` can only mean that the file is in the trash.
    let before = try await store.entry(at: path)
    return try await store.retrying { _ throws(StoreError) in
      do throws(StoreError) {
        return try await base.discard(path, ifRevision: ifRevision)
      } catch {
        guard error.kind == .notFound,
          // An earlier file of that path may be in the trash, too.
          let there = try await base.contents().filter({ $0.origin == path && before.size ?? $0.size == $0.size })
            .max(by: { $0.discarded < $1.discarded })
        else { throw error }
        return there
      }
    }
  }

  func restore(_ file: TrashedFile.ID, as path: StorePath?) async throws(StoreError) -> FileEntry {
    // Once the file is out of the trash, its origin is unknown.
    let known = try await contents().first { $0.id == file }
    return try await store.retrying { _ throws(StoreError) in
      do throws(StoreError) {
        return try await base.restore(file, as: path)
      } catch {
        guard error.kind == .notFound, let known,
          let there = try await store.base.entryIfAny(path ?? known.origin), there.size == known.size
        else { throw error }
        return there
      }
    }
  }

  func empty() async throws(StoreError) -> Int {
    let before = try await contents().count
    return try await store.retrying { attempt throws(StoreError) in
      let emptied = try await base.empty()
      return attempt > 1 ? max(before, emptied) : emptied
    }
  }
}
