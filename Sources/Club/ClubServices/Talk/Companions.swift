import Basics
import FileStores

/// A small file beside a note or photo. It follows to a new name, into the trash, and back.
enum Companion: String {
  case caption
  case remarks
  /// It follows to a new name alone.
  case tour

  static let ofPhotos = [caption, remarks]
  static let ofNotes = [remarks]

  func path(of thing: StorePath) throws(StoreError) -> StorePath {
    switch self {
    case .caption: try Caption.path(of: thing)
    case .remarks: try Talk.path(of: thing)
    case .tour: try thing.parent.appending(Array(thing.name) + Companion.tourEnding)
    }
  }

  private static let tourEnding = Array(".json".utf8)

  /// The paths of the small files beside a note or photo, also of those that are not there.
  static func files(beside thing: StorePath) -> [StorePath] {
    guard !Talk.isNamed(thing) else { return [] }
    let tour = thing.parent.descending((Array(thing.name) + tourEnding)[...])
    return [Talk.filePath(of: thing)]
      + (thing.parent.isRoot || !PhotoName.isPicture(thing.name) ? [] : [Caption.filePath(of: thing), tour])
  }

  /// The texts that go to another path, with the unsent ones of the small files beside them.
  static func following(_ texts: [StorePath: StorePath]) -> [StorePath: StorePath] {
    var all = texts
    for (path, target) in texts {
      for (file, new) in zip(files(beside: path), files(beside: target)) where all[file] == nil { all[file] = new }
    }
    return all
  }
}

extension Club {
  func move(_ companions: [Companion], of thing: StorePath, to newThing: StorePath) async throws(StoreError) {
    for companion in companions {
      do throws(StoreError) {
        _ = try await store.move(
          try companion.path(of: thing), to: try companion.path(of: newThing), ifRevision: nil)
      } catch {
        guard error.kind != .notFound, try !isUnknown(companion, of: thing, isAway: error.isTemporary) else { continue }
        throw error.of(companion, "Renamed \"\(thing)\" to \"\(newThing)\"", newThing)
      }
    }
  }

  func trash(_ companions: [Companion], of thing: StorePath, _ trash: any StoreTrash) async throws(StoreError) {
    for companion in companions {
      do throws(StoreError) {
        _ = try await trash.discard(try companion.path(of: thing), ifRevision: nil)
      } catch {
        guard error.kind != .notFound, error.kind != .badName,
          try !isUnknown(companion, of: thing, isAway: error.isTemporary)
        else { continue }
        throw error.of(companion, "Put \"\(thing)\" into the trash", thing)
      }
    }
  }

  /// Restores a file of the trash, then the companions that went there with it.
  func restore(_ id: TrashedFile.ID, with companions: [Companion]) async throws(StoreError) -> FileEntry {
    let trash = try storeTrash()
    // A failure must not keep the file in the trash: it counts for the companions only.
    let found = await Result<TrashedFile?, StoreError>.catching { () throws(StoreError) in
      try await trash.contents().first { $0.id == id }
    }
    let entry = try await trash.restore(id)
    for companion in companions {
      do throws(StoreError) {
        guard let thing = try found.get() else { return entry }
        let path = try companion.path(of: thing.origin)
        let files = try await trash.contents().filter { file in
          file.origin == path && abs(file.discarded.seconds - thing.discarded.seconds) <= Club.mostSecondsApart
        }
        guard let file = files.max(by: { $0.discarded < $1.discarded }) else { continue }
        _ = try await trash.restore(file.id)
      } catch {
        // Without an answer the trash of the local copy is all that there is, and it is empty.
        guard ![.notFound, .exists, .badName].contains(error.kind), !(error.isTemporary && copy != nil) else {
          continue
        }
        throw error.of(companion, "Restored \"\(entry.path)\"", entry.path)
      }
    }
    return entry
  }

  /// While the server is away, a file that the local copy does not have is not there.
  private func isUnknown(
    _ companion: Companion, of thing: StorePath, isAway: Bool
  ) throws(StoreError) -> Bool {
    guard isAway, let copy else { return false }
    return try copy.entry(at: companion.path(of: thing)) == nil
  }

  /// Between a file and its companion on their way into the trash; a slow server takes seconds for each.
  private static let mostSecondsApart: Int64 = 60
}

extension StoreError {
  fileprivate func of(_ companion: Companion, _ event: String, _ thing: StorePath) -> StoreError {
    let message = "\(event), but not its \(companion.rawValue). \(message)"
    return StoreError(kind, message, remedy: remedy, path: thing, retryAfter: retryAfter, current: current)
  }
}
