internal import Basics
public import FileStores
internal import JSON

extension DropboxStore {
  public func move(
    _ path: StorePath, to target: StorePath, ifRevision: Revision?
  ) async throws(StoreError) -> FileEntry {
    try await moveEntry(path, to: target, ifRevision: ifRevision)
  }

  public func delete(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) {
    let place = try place(of: path, for: "The deletion", root: .clubItself("deleted"))
    if let ifRevision, !DropboxRevisions.isPossible(ifRevision) { _ = try await expected(ifRevision, at: path) }
    let call = DropboxCall(
      .delete, .members(["path": .string(place), "parent_rev": ifRevision.map { .string($0.value) }]), about: path)
    guard case .refusal(let refusal) = try await client.answer(call) else { return }
    if refusal.tags.first == "path_lookup", refusal.has("not_found") || refusal.has("not_folder") {
      throw missing(path)
    }
    if ifRevision != nil, refusal.isConflict || refusal.has("not_file") {
      guard let there = try await entryIfAny(path) else { throw missing(path) }
      throw .conflict(path, there)
    }
    throw refusal.error(path, client.server)
  }

  /// A move changes the revision.
  func isContent(_ moved: DropboxMetadata, of before: FileEntry, formerlyAt place: String) -> Bool {
    before.kind != .file || moved.size == before.size && moved.hash == before.contentHash
  }

  func relocate(
    _ from: String, _ to: String, _ path: StorePath, _ target: StorePath
  ) async throws(StoreError) -> DropboxMetadata {
    let call = DropboxCall(
      .move, .members(["from_path": .string(from), "to_path": .string(to), "autorename": false]), about: path)
    switch try await client.answer(call) {
    case .result(let json):
      guard let value = json["metadata"], let metadata = DropboxMetadata(value) else {
        throw client.nonsense("no metadata", call)
      }
      return metadata
    case .refusal(let refusal):
      if refusal.tags.first == "from_lookup", refusal.has("not_found") || refusal.has("not_folder") {
        throw missing(path)
      }
      guard refusal.tags.first == "to" else { throw refusal.error(path, client.server) }
      if refusal.isConflict, !self.folder.isOwn(target), let there = try await entryIfAny(target) {
        throw .exists(there, at: target)
      }
      throw refusal.error(target, client.server)
    }
  }

  /// Changes only the case of a name, through a temporary name if the API refuses or ignores that. Cancellation waits
  /// for the second half, and a retry continues from a temporary name that a broken connection left.
  func rename(
    _ from: String, _ to: String, _ path: StorePath, _ target: StorePath
  ) async throws(StoreError) -> DropboxMetadata {
    let word = SHA256.hexadecimal(of: DropboxFolder.fold(target.name).utf8).prefix(12)
    let between = try path.parent.appending("byteclub renames \(word)")
    let place = folder.ownPath(between)
    do throws(StoreError) {
      let moved = try await relocate(from, to, path, target)
      if moved.name.utf8.elementsEqual(target.name), path.parent == target.parent { return moved }
    } catch {
      switch error.kind {
      case .exists, .badInput: break
      case .notFound:
        guard try await entryIfAny(between) != nil else { throw error }
        return try await relocate(place, to, between, target)
      default: throw error
      }
    }
    return try await pool.finishing { () throws(StoreError) in
      do throws(StoreError) {
        _ = try await self.relocate(from, place, path, between)
        return try await self.relocate(place, to, between, target)
      } catch {
        // Tries to undo the first half. The original error is reported.
        _ = try? await self.relocate(place, from, between, path)
        throw error
      }
    }
  }
}
