internal import Basics
internal import Database
internal import FileStores
internal import Synchronization

/// The trash of a store with a local copy. While the store is away it shows the files that the store last listed, and
/// moves to the trash and restorations wait.
struct CopiedTrash: StoreTrash {
  /// The ids of files whose move to the trash waits.
  static let prefix = "unsent-"

  /// The number of the change of such an id.
  static func number(_ id: TrashedFile.ID) -> Int64? {
    id.hasPrefix(prefix) ? Int64(id.dropFirst(prefix.count)) : nil
  }

  let base: any StoreTrash
  let copy: LocalCopy

  func discard(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) -> TrashedFile {
    await copy.load()
    if Task.isCancelled { throw .cancelled("Moving \"\(path)\" to the trash", path: path) }
    if copy.isMissing(path) { throw LocalCopyStore.missing(path) }
    guard let entry = copy.entry(at: path), entry.kind == .file, copy.isListed(path) else {
      let trashed = try await base.discard(path, ifRevision: ifRevision)
      await copy.lose(path)
      await copy.remember(trashed)
      return trashed
    }
    return try await copy.trash(entry, ifRevision: ifRevision)
  }

  /// The files that wait to be moved there come first. Files that wait to be restored are left out.
  func contents() async throws(StoreError) -> [TrashedFile] {
    await copy.load()
    do throws(StoreError) {
      let files = try await copy.ask { (store) async throws(StoreError) in
        try await store.capabilities.trash?.contents() ?? []
      }
      await copy.keepTrash(files)
      return copy.shownTrash(files)
    } catch {
      let shown = copy.shownTrash(await copy.keptTrash())
      guard error.isTemporary, !shown.isEmpty else { throw error }
      copy.noteServedOld()
      return shown
    }
  }

  func read(_ file: TrashedFile.ID, limit: Int) async throws(StoreError) -> FileBeginning {
    await copy.load()
    return try await copy.readTrashed(file, limit: limit)
  }

  func restore(_ file: TrashedFile.ID, as path: StorePath?) async throws(StoreError) -> FileEntry {
    await copy.load()
    return try await copy.restore(file, as: path, base)
  }

  func delete(_ file: TrashedFile.ID) async throws(StoreError) {
    try await base.delete(file)
    await copy.forgetTrashed(file)
  }

  func empty() async throws(StoreError) -> Int {
    let count = try await base.empty()
    await copy.keepTrash([])
    return count
  }
}

extension LocalCopy {
  /// The longest trash that is kept; older files are seen only while the store answers.
  private static let mostTrashed = 1000

  func trash(_ entry: FileEntry, ifRevision: Revision?) async throws(StoreError) -> TrashedFile {
    let record = record(.trash, entry, base: ifRevision)
    let id = Mutex<Int64>(0)
    switch try await change(record, { number in id.withLock { $0 = number } }) {
    case .trashed(let file)?:
      await remember(file)
      return file
    case .entry?, .gone?, nil:
      return TrashedFile(
        id: CopiedTrash.prefix + String(id.withLock { $0 }), origin: entry.path, discarded: record.created,
        size: entry.size ?? 0)
    }
  }

  /// Reads a file whose move to the trash waits from its place in the club, or from the copy while the store is away.
  func readTrashed(_ id: TrashedFile.ID, limit: Int) async throws(StoreError) -> FileBeginning {
    guard let number = CopiedTrash.number(id) else {
      return try await ask { (store) async throws(StoreError) in
        guard let trash = store.capabilities.trash else { throw .trashedFileGone }
        return try await trash.read(id, limit: limit)
      }
    }
    await reloadWaiting()
    let (changes, sent) = state.withLock { ($0.waiting.changes, $0.sentTrash[number]) }
    guard let index = changes.firstIndex(where: { $0.id == number }) else {
      guard let sent else { throw .trashedFileGone }
      return try await readTrashed(sent, limit: limit)
    }
    let path = changes[index].path
    guard case .at(let place) = WaitingNames(Array(changes[..<index])).origin(of: path) else {
      throw try await awayError(path)
    }
    return try await FileBeginning(of: path, limit: limit) { options, receive throws(StoreError) in
      if isText(place) {
        _ = try await read(place, as: path, options, receive)
      } else {
        _ = try await store.read(place, options, receive)
      }
    }
  }

  func waitingInTrash() -> [TrashedFile] {
    state.withLock { $0.waiting.changes }.filter { $0.kind == .trash }.reversed().map {
      TrashedFile(
        id: CopiedTrash.prefix + String($0.id), origin: $0.path, discarded: $0.created,
        size: UInt64(clamping: $0.size ?? 0))
    }
  }

  func restore(
    _ id: TrashedFile.ID, as path: StorePath?, _ base: any StoreTrash
  ) async throws(StoreError) -> FileEntry {
    if let number = CopiedTrash.number(id) {
      return try await takeBack(number, as: path, base)
    }
    guard isAway, let file = await keptTrash().first(where: { $0.id == id }) else {
      let entry = try await base.restore(id, as: path)
      await forgetTrashed(id)
      await learn(entry)
      return entry
    }
    let target = path ?? file.origin
    if let taken = entry(at: target) {
      throw StoreError(
        .exists, "\"\(target)\" already exists.", remedy: "Choose another name.", path: target, current: taken)
    }
    let entry = FileEntry(path: target, kind: .file, size: file.size, modified: file.discarded)
    let sent = try await change(record(.restore, entry, trashed: id))
    if case .entry(let entry)? = sent { return entry }
    return entry
  }

  /// Takes back a move to the trash that may wait still.
  private func takeBack(
    _ number: Int64, as path: StorePath?, _ base: any StoreTrash
  ) async throws(StoreError) -> FileEntry {
    await reloadWaiting()
    if let waiting = state.withLock({ $0.waiting.changes.first { $0.id == number } }) {
      if let taken = entry(at: waiting.path) {
        throw StoreError(
          .exists, "\"\(waiting.path)\" already exists.", remedy: "Rename that one first.", path: waiting.path,
          current: taken)
      }
      try await drop(number)
      guard !waiting.isTried || entry(at: waiting.path) != nil, let entry = entry(at: waiting.path) else {
        throw LocalCopyStore.missing(waiting.path)
      }
      return path.map { $0 == entry.path } ?? true ? entry : try await rename(entry, to: path ?? entry.path)
    }
    // It was sent meanwhile: the newest file of that origin in the trash.
    guard let sent = state.withLock({ $0.sentTrash[number] }) else { throw LocalCopyStore.missing(path ?? .root) }
    return try await restore(sent, as: path, base)
  }

  /// The files in the trash as the store last listed them, newest first; empty if that is unknown.
  func keptTrash() async -> [TrashedFile] {
    await load()
    if let files = state.withLock({ $0.trashed }) { return files }
    let account = state.withLock { $0.head?.account }
    let files = await pool.run(reporting: onFailure) { [database, club] () throws(StoreError) in
      try database.keptTrash(account: account, club: club)
    }
    return state.withLock { state in
      let kept = state.trashed ?? files ?? []
      state.trashed = kept
      return kept
    }
  }

  func keepTrash(_ files: [TrashedFile]) async { await changeTrash { _ in files } }

  func remember(_ file: TrashedFile) async {
    await changeTrash(of: file.id, to: file) { files in files.contains { $0.id == file.id } ? nil : [file] + files }
  }

  /// The disk may have it from another process, though this one has not listed it.
  func forgetTrashed(_ id: TrashedFile.ID) async { await changeTrash(of: id) { files in files.filter { $0.id != id } } }

  /// The write gets its place in the line under the lock, so that the order on the disk is that of memory.
  /// - Parameters:
  ///   - id: the only file that changes, `new` in front from now on or gone; nil for a change of all.
  ///   - change: nil if there is nothing to do.
  private func changeTrash(
    of id: TrashedFile.ID? = nil, to new: TrashedFile? = nil, _ change: ([TrashedFile]) -> [TrashedFile]?
  ) async {
    let known = await keptTrash()
    let write = state.withLock { state -> Task<Void, Never>? in
      guard let all = change(state.trashed ?? known) else { return nil }
      let files = Array(all.prefix(LocalCopy.mostTrashed))
      let (changed, account) = (state.isTrashBehind ? nil : id, state.head?.account)
      (state.trashed, state.isTrashBehind) = (files, false)
      return lines.add("trash") { [self] in
        let isWritten: Void? = await pool.run(reporting: onFailure) { [database, club] () throws(StoreError) in
          guard let changed else { return try database.keepTrash(files, account: account, club: club) }
          let most = LocalCopy.mostTrashed
          try database.changeTrash(of: changed, to: new, account: account, club: club, most: most)
        }
        if isWritten == nil { self.state.withLock { $0.isTrashBehind = true } }
      }
    }
    await write?.value
  }

  func shownTrash(_ files: [TrashedFile]) -> [TrashedFile] {
    let restored = state.withLock { Set($0.waiting.changes.filter { $0.kind == .restore }.compactMap(\.trashed)) }
    return waitingInTrash() + files.filter { !restored.contains($0.id) }
  }
}
