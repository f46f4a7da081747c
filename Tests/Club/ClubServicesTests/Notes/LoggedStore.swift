import FileStores
import Synchronization
import TestKit

/// A store that notes each text that a file has had, whoever wrote it, and lets a test step in before and after a put.
final class LoggedStore: StoreAround {
  typealias Step = @Sendable () async throws(StoreError) -> Void

  private struct State {
    var texts: [StorePath: [[UInt8]]] = [:]
    /// What a file held before it came to its path by a rename.
    var earlier: [StorePath: [[UInt8]]] = [:]
    var revisions: [Revision: [UInt8]] = [:]
    var before: Step?
    var after: Step?
  }

  let base: any FileStore
  private let keepsVersions: Bool
  private let state = Mutex(State())

  init(_ base: any FileStore, keepsVersions: Bool) { (self.base, self.keepsVersions) = (base, keepsVersions) }

  var capabilities: Capabilities {
    let own = base.capabilities
    return Capabilities(trash: own.trash, changes: own.changes, revisions: keepsVersions ? own.revisions : nil)
  }

  func texts(of path: StorePath) -> [[UInt8]] { state.withLock { $0.texts[path] ?? [] } }
  /// With those before a rename, which a store that keeps versions may have left at the old path.
  func allTexts(of path: StorePath) -> [[UInt8]] {
    state.withLock { ($0.earlier[path] ?? []) + ($0.texts[path] ?? []) }
  }
  func text(of revision: Revision) -> [UInt8]? { state.withLock { $0.revisions[revision] } }

  /// Runs once, before the next put.
  func beforePut(_ step: @escaping Step) { state.withLock { $0.before = step } }
  /// Runs once, after the next put; the caller sees its error instead of the answer.
  func afterPut(_ step: @escaping Step) { state.withLock { $0.after = step } }

  func put(_ source: any ByteSource, at path: StorePath, mode: WriteMode) async throws(StoreError) -> FileEntry {
    if let step = state.withLock({ $0.before.take() }) { try await step() }
    let entry = try await base.put(source, at: path, mode: mode)
    let text = try await base.readAll(path, ifRevision: entry.revision, limit: 1 << 20).bytes
    state.withLock { state in
      state.texts[path, default: []].append(text)
      if let revision = entry.revision { state.revisions[revision] = text }
    }
    if let step = state.withLock({ $0.after.take() }) { try await step() }
    return entry
  }

  /// The texts of a file without versions follow it; the history that a store keeps may begin with the new name.
  func move(_ path: StorePath, to target: StorePath, ifRevision: Revision?) async throws(StoreError) -> FileEntry {
    let entry = try await base.move(path, to: target, ifRevision: ifRevision)
    state.withLock { state in
      let texts = state.texts.removeValue(forKey: path) ?? []
      if let revision = entry.revision { state.revisions[revision] = texts.last }
      state.texts[target] = keepsVersions ? texts.suffix(1) : texts
      state.earlier[target] = texts
    }
    return entry
  }
}
