public import Basics
internal import Synchronization

/// A file of a store as a source for another store, in bounded memory.
///
/// A reading has the entry's revision; if the file changes meanwhile it throws `conflict`, as `FileStore.read` does. A
/// reading from the beginning is compared with the entry's content hash, if any, and throws `corrupt` at its end if
/// they differ.
public struct StoreSource: ByteSource {
  private let store: any FileStore
  private let entry: FileEntry
  private let tasks: TaskThreads?
  private let read = ReadTime()

  /// Readings run on `tasks`.
  public init(_ entry: FileEntry, in store: any FileStore, on tasks: TaskThreads?) {
    (self.entry, self.store, self.tasks) = (entry, store, tasks)
  }

  public var size: UInt64? { entry.size }
  /// That of the entry until a reading has ended, which may tell the file's own.
  public var modified: Timestamp? { read.time.withLock { $0 } ?? entry.ownTime ?? entry.modified }

  private final class ReadTime: Sendable {
    let time = Mutex<Timestamp?>(nil)
  }

  public func open(at offset: UInt64) async throws(StoreError) -> any ByteReading {
    Reading(store, entry, from: offset, read, on: tasks)
  }

  private final class Reading: ByteReading {
    private let handoff = ChunkHandoff()
    private let task: Task<Void, Never>
    private let path: StorePath
    init(
      _ store: any FileStore, _ entry: FileEntry, from offset: UInt64, _ read: ReadTime, on tasks: TaskThreads?
    ) {
      let handoff = handoff
      path = entry.path
      task = Task(executorPreference: tasks) {
        let wanted = offset == 0 ? entry.contentHash : nil
        let hasher = ContentHasher()
        do throws(StoreError) {
          let whole = try await store.read(entry.path, from: offset, ifRevision: entry.revision) {
            chunk throws(StoreError) in
            if wanted != nil { hasher.update(chunk) }
            guard await handoff.send(chunk) else { throw .cancelled("The reading", path: entry.path) }
          }
          read.time.withLock { $0 = whole.ownTime }
          if let wanted, hasher.finish() != wanted { throw .damaged(entry.path) }
          handoff.finish()
        } catch {
          handoff.finish(error)
        }
      }
    }

    deinit {
      task.cancel()
      handoff.stop()
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
      } catch is CancellationError {
        throw .cancelled("The reading", path: path)
      } catch {
        throw StoreError(.server, "The reading failed: \(error).")
      }
    }
  }
}
