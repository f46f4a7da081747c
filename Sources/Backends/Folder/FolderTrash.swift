internal import FileStores

/// The trash of a folder: files below `.club-trash/<id>/`, each at the path that it had in the club, as `ClubTrash` has
/// it. So what the owner of a served folder discards and what members discard lies in one trash.
///
/// One rename takes a file there or back, so that it is never in both places or in none.
struct FolderTrash: StoreTrash {
  let disk: FolderDisk
  let pool: BlockingPool

  func discard(_ path: StorePath, ifRevision: Revision?) async throws(StoreError) -> TrashedFile {
    try checkCancelled(path)
    let disk = disk
    return try await pool.run { () throws(StoreError) -> TrashedFile in
      try disk.discard(path, ifRevision: ifRevision)
    }
  }

  func contents() async throws(StoreError) -> [TrashedFile] {
    try checkCancelled(.root)
    let disk = disk
    return try await pool.run { () throws(StoreError) -> [TrashedFile] in try disk.trashContents() }
  }

  func restore(_ file: TrashedFile.ID, as path: StorePath?) async throws(StoreError) -> FileEntry {
    try checkCancelled(.root)
    let disk = disk
    return try await pool.run { () throws(StoreError) -> FileEntry in try disk.restore(file, as: path) }
  }

  func delete(_ file: TrashedFile.ID) async throws(StoreError) {
    try checkCancelled(.root)
    let disk = disk
    try await pool.run { () throws(StoreError) in try disk.deleteTrashed(file) }
  }

  func empty() async throws(StoreError) -> Int {
    try checkCancelled(.root)
    let disk = disk
    return try await pool.run { () throws(StoreError) -> Int in try disk.emptyTrash() }
  }

  private func checkCancelled(_ path: StorePath) throws(StoreError) {
    if Task.isCancelled { throw .cancelled("The work on the trash", path: path) }
  }
}
