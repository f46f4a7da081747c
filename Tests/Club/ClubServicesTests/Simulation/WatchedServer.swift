import Backends
import Database
import Synchronization
import TestKit

@testable import ClubServices
@testable import FileStores

/// The server of a simulated club. It remembers the names that each file ever had: a rename, a move to the trash and a
/// restoration keep a file's revision, so that the revisions show which file is which.
final class WatchedServer: StoreWrapper {
  private struct State {
    var last = 0
    /// The file of each revision.
    var files: [Revision: Int] = [:]
    var there: [StorePath: Int] = [:]
    var names: [Int: Set<StorePath>] = [:]
    /// The files that a backup has, by their paths then.
    var copied: [StorePath: Int] = [:]

    mutating func note(_ entry: FileEntry) {
      guard let revision = entry.revision else { return }
      var file = files[revision] ?? there[entry.path] ?? 0
      if file == 0 {
        last += 1
        file = last
      }
      (files[revision], there[entry.path]) = (file, file)
      names[file, default: []].insert(entry.path)
    }
  }

  let memory: MemoryStore
  private let ledger: WordLedger
  private let state = Mutex(State())

  init(_ memory: MemoryStore, _ ledger: WordLedger) { (self.memory, self.ledger) = (memory, ledger) }

  var base: any FileStore { memory }

  func call<Answer: Sendable>(
    _ call: StoreCall<Answer>, _ body: () async throws(StoreError) -> Answer
  ) async throws(StoreError) -> Answer {
    let answer = try await body()
    state.withLock { state in
      switch call.name {
      case .discard, .delete, .move: state.there[call.path] = nil
      default: break
      }
      switch call.name {
      case .put, .restore, .move: if let entry = answer as? FileEntry { state.note(entry) }
      default: break
      }
    }
    return answer
  }

  /// The files of a moved folder have other names.
  func move(
    _ path: StorePath, to target: StorePath, ifRevision: Revision?
  ) async throws(StoreError) -> FileEntry {
    let entry = try await call(.move(path, to: target)) { () throws(StoreError) in
      try await memory.move(path, to: target, ifRevision: ifRevision)
    }
    guard entry.kind == .folder else { return entry }
    state.withLock { state in
      for (old, file) in state.there {
        guard let new = old.moved(with: path, to: target) else { continue }
        (state.there[old], state.there[new]) = (nil, file)
        state.names[file, default: []].insert(new)
      }
    }
    return entry
  }

  /// A talk file may only grow.
  func put(
    _ source: any ByteSource, at path: StorePath, mode: WriteMode
  ) async throws(StoreError) -> FileEntry {
    let isThere = Talk.isNamed(path) && state.withLock { $0.there[path] != nil }
    let before = isThere ? try await memory.readAll(path, limit: 1 << 20).bytes : []
    let entry = try await call(.put(path, mode)) { () throws(StoreError) in
      try await memory.put(source, at: path, mode: mode)
    }
    if isThere, try await !memory.readAll(path, limit: 1 << 20).bytes.starts(with: before) {
      ledger.remarks.noteReplaced("\(path) of \(before.count) bytes")
    }
    return entry
  }

  /// Notes which files a backup of now has.
  func noteBackup() { state.withLock { $0.copied = $0.there } }

  /// Gives a path an earlier text, as the keeper of a server does with a backup. A note that is gone is back with it.
  func overwrite(_ path: StorePath, _ text: [UInt8]) async throws(StoreError) {
    let entry = try await memory.put(DataSource(text), at: path, mode: .overwrite)
    state.withLock { state in
      if state.there[path] == nil { state.there[path] = state.copied[path] }
      state.note(entry)
    }
  }

  /// True if the file with this revision ever had this name, with that revision or another.
  func knows(_ revision: Revision, at path: StorePath) -> Bool {
    state.withLock { state in state.files[revision].flatMap { state.names[$0] }?.contains(path) ?? false }
  }
}
