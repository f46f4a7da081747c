internal import Database
public import FileStores

/// Albums as a whole.
extension PhotosService {
  /// Renames or moves an album with all that is in it: photos, captions, remarks, tours, and what no list shows. Doors
  /// between a photo in it and one elsewhere get a correction.
  /// - Parameter seen: as in `NotesService.moveFolder`.
  /// - Returns: the new place; `unmended` if such a door leads to the old one still.
  /// - Throws: `conflict` if another album is there; `badInput` for the photos folder and for an album that would go into
  ///   itself; `badName` for a place outside of the photos folder; `exists`; `notFound`.
  public func moveAlbum(
    _ album: StorePath, to target: StorePath, seen: [FileEntry] = []
  ) async throws(StoreError) -> FolderMoved {
    try checkAlbum(album)
    try checkAlbum(target)
    try Club.checkMove(of: album, to: target)
    let withRemarks = known.all.map(\.path).filter { photo in
      photo.relative(to: album) != nil && known.mayHave(Talk.filePath(of: photo))
    }
    guard let notes else {
      let moved = try await club.moveFolder(album, to: target, seen: seen)
      known.moved(album, to: moved.to)
      return moved
    }
    var moved = try await notes.sending.runAcross(
      { $0.touches(album) || $0.touches(target) },
      { () throws(StoreError) in
        let moved = try await self.club.moveFolder(album, to: target, seen: seen)
        await notes.followed(MovedNames([:], folders: [album: moved.to]))
        return moved
      })
    known.moved(album, to: moved.to)
    moved.unmended = await notes.albumMoved(moved, withRemarks: withRemarks, id: TalkItem.newID)
    return moved
  }

  private func checkAlbum(_ album: StorePath) throws(StoreError) {
    guard let name = album.relative(to: club.photosFolder), !name.isEmpty else {
      throw StoreError(
        album == club.photosFolder ? .badInput : .badName,
        album == club.photosFolder
          ? "The photos folder stays where it is." : "\"\(album)\" is not below the photos folder.",
        remedy: "Choose an album.", path: album)
    }
    _ = try PhotosService.album(named: String(decoding: name, as: UTF8.self), below: club.photosFolder)
  }

  /// As `NotesService.trashFolder`.
  public func trashAlbum(_ album: StorePath) async throws(StoreError) -> TrashedFolder {
    let trash = try club.storeTrash()
    try checkAlbum(album)
    // Captions and remarks that wait would make the album again.
    let waiting = try await notes?.unsent(in: album) ?? []
    let unsent = Set(waiting.map(\.path)).sorted()
    let trashed = try await club.trashFolder(album, also: unsent) { (path) throws(StoreError) in
      guard let notes = self.notes else { return try await trash.discard(path, ifRevision: nil) }
      return try await notes.discardFiled(path, trash)
    }
    known.take(trashed.files.map { .absent($0.origin) })
    return trashed
  }

  /// As `NotesService.restore`.
  public func restore(album trashed: TrashedFolder) async throws(StoreError) -> FolderRestored {
    let trash = try club.storeTrash()
    let restored = try await club.restoreFolder(trashed) { (id) throws(StoreError) in
      if let back = try await self.notes?.bringBack(id) { return back }
      return try await trash.restore(id)
    }
    known.take(restored.files.filter { isPhoto($0.path) }.map { .present($0) })
    known.put(tours: restored.files.map(\.path).filter(KnownPhotos.isBesidePhoto))
    return restored
  }
}

extension NotesService {
  /// Corrects the doors between photos of a moved album and photos elsewhere; those within it hold.
  /// - Parameter withRemarks: the old paths of its photos that may have doors.
  /// - Returns: the first failure.
  func albumMoved(
    _ moved: FolderMoved, withRemarks: [StorePath], id: () -> String
  ) async -> StoreError? {
    var failure: StoreError?
    for photo in withRemarks {
      do throws(StoreError) {
        guard let target = photo.moved(with: moved.from, to: moved.to) else { continue }
        try await doorsMoved(with: photo, to: target, in: moved, id)
      } catch {
        failure = failure ?? error
      }
    }
    return failure
  }
}
