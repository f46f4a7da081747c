/// A file of a store as a source, for a store to write: how a file goes from one to another, in bounded memory.
///
/// A reading is of the revision that the entry names; when the file changes meanwhile it throws `conflict`, as
/// `FileStore.read` does. One from the beginning is compared with the entry's content hash, where it has one, and throws
/// `corrupt` at its end when it is another.
public struct StoreSource: ByteSource {
  private let store: any FileStore
  private let entry: FileEntry
  private let tasks: TaskThreads?

  /// The file of an entry, as it was listed. Readings run on `tasks`.
  public init(_ entry: FileEntry, in store: any FileStore, on tasks: TaskThreads?) {
    (self.entry, self.store, self.tasks) = (entry, store, tasks)
  }

  /// What the entry says.
  public var size: UInt64? { entry.size }
  /// What the entry says.
  public var modified: Timestamp? { entry.modified }

  /// Starts a reading at an offset; see `ByteSource`.
  public func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
    Reading(store, entry, from: offset, on: tasks)
  }

  /// Ends the store's reading when it is dropped.
  private final class Reading: ByteReading {
    private let handoff = ChunkHandoff()
    private let task: Task<Void, Never>
    private let tasks: TaskThreads?

    init(_ store: any FileStore, _ entry: FileEntry, from offset: UInt64, on tasks: TaskThreads?) {
      let handoff = handoff
      self.tasks = tasks
      task = Task(executorPreference: tasks) {
        let wanted = offset == 0 ? entry.contentHash : nil
        let hasher = ContentHasher()
        do throws(StoreError) {
          _ = try await store.read(entry.path, from: offset, ifRevision: entry.revision) { chunk throws(StoreError) in
            if wanted != nil { hasher.update(chunk) }
            guard await handoff.send(chunk) else { throw .cancelled("The reading", path: entry.path) }
          }
          if let wanted, hasher.finish() != wanted { throw .damaged(entry.path) }
          await handoff.finish()
        } catch {
          await handoff.finish(error)
        }
      }
    }

    deinit {
      let (task, handoff) = (task, handoff)
      task.cancel()
      Task(executorPreference: tasks) { await handoff.stop() }
    }

    func next() async throws(StoreError) -> ByteChunk? {
      do {
        return try await withTaskCancellationHandler {
          try await handoff.next()
        } onCancel: {
          task.cancel()
        }
      } catch let error as StoreError {
        throw error
      } catch {
        throw StoreError(.server, "The reading failed: \(error).")
      }
    }
  }
}
