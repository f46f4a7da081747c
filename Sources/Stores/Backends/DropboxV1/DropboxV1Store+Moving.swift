internal import Basics
public import FileStores
internal import JSON

extension DropboxV1Store {
  public func move(
    _ path: StorePath, to target: StorePath, ifRevision: Revision?
  ) async throws(StoreError) -> FileEntry {
    try await moveEntry(path, to: target, ifRevision: ifRevision)
  }

  /// The API deletes whatever exists. A revision is checked as in `move`.
  public func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) {
    let place = try place(of: path, for: "The deletion", root: .clubItself("deleted"))
    if let ifRevision { _ = try await expected(ifRevision, at: path) }
    let call = DropboxV1Call(.delete, about: path, ["root": client.root, "path": place])
    if case .refusal(let refusal) = try await client.answer(call) {
      throw refusal.isMissing ? missing(path) : refusal.error
    }
    guard let ifRevision, let newer = try await overtook(ifRevision, at: place).flatMap({ $0 }) else { return }
    _ = try await pool.finishing { () throws(StoreError) in try await self.restore(newer, at: place, about: path) }
    throw .conflict(path, try await entryIfAny(path))
  }

  /// True if the moved file has the content of `before`. A move can change the revision, so the history of the old path
  /// decides; without a history, the size does.
  func isContent(
    _ moved: DropboxV1Metadata, of before: FileEntry, formerlyAt place: String
  ) async throws(StoreError) -> Bool {
    guard before.kind == .file, let revision = before.revision, moved.revision != revision else { return true }
    guard let newer = try await overtook(revision, at: place) else { return moved.size == before.size }
    return newer == nil
  }

  /// The revision written over `revision` in the history of a path (inner nil: none). The outer optional is nil if the
  /// history lacks `revision`.
  private func overtook(_ revision: Revision, at place: String) async throws(StoreError) -> Revision?? {
    if memory.hasNoHistory { return nil }
    let call = DropboxV1Call(.revisions, at: place, about: .root, ["rev_limit": "10"])
    switch try await client.answer(call) {
    case .refusal(let refusal):
      if refusal.isUnknownRoute { memory.hasNoHistory = true }
      return nil
    case .result(let json):
      let history = (json.elements ?? []).compactMap { DropboxV1Metadata($0) }.filter { !$0.isDeleted && !$0.isFolder }
        .compactMap(\.revision)
      guard let index = history.firstIndex(of: revision) else { return nil }
      return .some(index == 0 ? nil : history[0])
    }
  }

  private func restore(
    _ revision: Revision, at place: String, about path: StorePath
  ) async throws(StoreError) -> DropboxV1Metadata {
    let call = DropboxV1Call(.restore, at: place, about: path, ["rev": revision.value])
    guard let metadata = DropboxV1Metadata(try await client.result(call)) else {
      throw client.nonsense("no metadata", call)
    }
    return metadata
  }

  func relocate(
    _ from: String, _ to: String, _ path: StorePath, _ target: StorePath
  ) async throws(StoreError) -> DropboxV1Metadata {
    let call = DropboxV1Call(.move, about: path, ["root": client.root, "from_path": from, "to_path": to])
    switch try await client.answer(call) {
    case .result(let json):
      guard let metadata = DropboxV1Metadata(json) else { throw client.nonsense("no metadata", call) }
      return metadata
    case .refusal(let refusal):
      if refusal.isMissing { throw missing(path) }
      if !self.folder.isOwn(target) {
        if let there = try await entryIfAny(target) { throw .exists(there) }
        if let error = try await blocked(target, entryIfAny) { throw error }
      }
      throw refusal.error
    }
  }

  /// Changes only the case of a name, through a temporary name if the API refuses or ignores that. Cancellation waits
  /// for the second half, so no temporary name remains.
  func rename(
    _ from: String, _ to: String, _ path: StorePath, _ target: StorePath
  ) async throws(StoreError) -> DropboxV1Metadata {
    do throws(StoreError) {
      let moved = try await relocate(from, to, path, target)
      if moved.name.utf8.elementsEqual(target.name), path.parent == target.parent { return moved }
    } catch {
      if error.kind != .exists, error.kind != .badInput, error.kind != .notPermitted { throw error }
    }
    let between = try path.parent.appending("byteclub renames \(String(tuning.random(), radix: 16))")
    let place = folder.ownPath(between)
    return try await pool.finishing { () throws(StoreError) in
      _ = try await self.relocate(from, place, path, between)
      do throws(StoreError) {
        return try await self.relocate(place, to, between, target)
      } catch {
        _ = try await self.relocate(place, from, between, path)
        throw error
      }
    }
  }
}
