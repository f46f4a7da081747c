import Basics
import Database
import FileStores
import Logging

extension ClubFiles {
  /// The number of files kept in one index transaction.
  private static let together = 64
  /// Seconds between full passes, which retry files that could not be kept.
  private static let lookAgain: Int64 = 3600

  /// Keeps a version of each newly indexed file before someone replaces its content, until cancelled.
  func keepNews() async {
    var number: Int64 = 0
    var begun = index.now()
    while !Task.isCancelled {
      let seen = index.signal.number
      do {
        number = try await keepFiles(after: number)
      } catch {
        logger.warning("The server could not keep versions: \(error)")
      }
      // A change during the pass, mostly this task's own, starts the next pass at once.
      if index.signal.number == seen { await index.signal.wait(past: seen) }
      guard index.now() - begun > ClubFiles.lookAgain else { continue }
      (number, begun) = (0, index.now())
    }
  }

  /// Keeps files without a version that changed after an index number. Returns the number reached.
  func keepFiles(after number: Int64) async throws -> Int64 {
    var reached = number
    while !Task.isCancelled {
      let (last, largest) = (reached, versions.atOnceBytes)
      let (newest, files) = try await index.read {
        (
          try $0.newestNumber(),
          try $0.filesWithoutVersion(upTo: largest, after: last, limit: ClubFiles.together)
        )
      }
      guard let end = files.last else { return max(reached, newest) }
      try await keep(files)
      reached = end.sequence
    }
    return reached
  }

  func keep(_ files: [ServerNode]) async throws {
    var kept: [ServerNode] = []
    for file in files {
      do throws(StoreError) {
        kept.append(try await stored(file))
      } catch {
        switch error.kind {
        case .cancelled, .offline: throw error
        // The file has changed; the index sees the new version on its own.
        case .conflict, .notFound: continue
        default: tellUnkept(file.display, error)
        }
      }
    }
    guard !kept.isEmpty else { return }
    let now = index.now()
    try await index.write { [kept] writing in
      for file in kept {
        var known = try ClubFiles.newest(file, in: writing)
        known.hash = file.hash
        guard let version = ServerRevision(of: known) else { continue }
        try writing.add(version, at: now)
      }
    }
    for file in kept { await makeRoom(added: file.size, at: file.key) }
  }

  private func stored(_ file: ServerNode) async throws(StoreError) -> ServerNode {
    if let hash = file.hash, await room.holds(hash, file.size) { return file }
    let content = try await room.receive(from: index.store, file.path, file.storeRevision)
    var file = file
    let hash = try await content.hash()
    file.hash = hash
    try await index.locks.with(ClubFiles.lock(hash)) { () throws(StoreError) in
      try await room.keep(content, as: hash)
    }
    return file
  }
}
