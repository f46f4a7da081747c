import Basics
public import FileStores

extension PhotosService {
  /// nil if the photo has no caption. A caption that waits to be sent is the member's.
  /// - Throws: `tooLarge` above `Caption.mostBytes`; the store's errors.
  public func caption(of photo: StorePath) async throws(StoreError) -> Caption? {
    try await ifThere(or: [.badName]) { () throws(StoreError) in
      let path = try Caption.path(of: photo)
      if let own = try await notes?.own(path) { return Caption(entry: own.entry, text: own.bytes) }
      let (bytes, entry) = try await club.store.readAll(path, limit: Caption.mostBytes)
      return Caption(entry: entry, text: bytes)
    }
  }
}

extension PhotosService {
  /// The photos whose facts pass, and whose names, captions or remarks match, and the store's own matches. While the store is
  /// away the local copy answers: the texts that it has not kept are the failure.
  /// - Throws: errors of the listing; `cancelled`.
  public func search(
    for query: NoteQuery, facts: @escaping @Sendable (FileEntry) -> NoteQuery.Facts = { NoteQuery.Facts($0) }
  ) async throws(StoreError) -> PhotoSearch {
    guard !query.isEmpty else { return PhotoSearch(found: [], total: 0, failure: nil) }
    let sought = SoughtNotes(query: query, facts: facts)
    var photos: [FileEntry] = []
    var captions: Set<StorePath> = []
    try await pages { page in
      for entry in page where entry.kind == .file {
        if isPhoto(entry.path) { photos.append(entry) } else { captions.insert(entry.path) }
      }
    }
    let total = photos.count
    photos.removeAll { !sought.admits($0) }
    let looks = await photos.results(atOnce: PhotosService.readAtOnce) { [captions] (photo) throws(StoreError) in
      try await self.look(for: query, in: photo, captions)
    }
    if Task.isCancelled { throw .cancelled("The search") }
    var found: [StorePath: FoundPhoto] = [:]
    var failure: StoreError?
    for (photo, look) in zip(photos, looks) {
      switch look {
      case .success(let match?): found[photo.path] = FoundPhoto(entry: photo, lines: match.lines)
      case .success(nil): break
      case .failure(let error): failure = error
      }
    }
    if club.copy?.isAway != true, !query.words.isEmpty, !query.asksTexts {
      failure = try await addFoundByStore(sought, to: &found) ?? failure
    }
    return PhotoSearch(
      found: found.values.sorted { $0.entry.path < $1.entry.path }, total: total, failure: failure)
  }

  /// - Returns: the reason why the store's index was not searched.
  private func addFoundByStore(
    _ sought: SoughtNotes, to found: inout [StorePath: FoundPhoto]
  ) async throws(StoreError) -> StoreError? {
    do throws(StoreError) {
      for match in try await self.found(by: sought.query.words.joined(separator: " "))
      where found[match.entry.path] == nil && sought.admits(match.entry) {
        found[match.entry.path] = FoundPhoto(entry: match.entry, lines: [])
      }
    } catch {
      // The store went away during the search: the list and the captions have been searched.
      if error.kind == .cancelled { throw error }
      return club.copy?.isAway == true ? nil : error
    }
    return nil
  }

  /// Over a network most of the time is waiting.
  private static let readAtOnce = 16

  private func look(
    for query: NoteQuery, in photo: FileEntry, _ captions: Set<StorePath>
  ) async throws(StoreError) -> TextFinder.Match? {
    if Task.isCancelled { throw .cancelled("The search") }
    let name = String(decoding: name(of: photo.path), as: UTF8.self)
    var text: [UInt8] = []
    if captions.contains(try Caption.path(of: photo.path)) { text = try await caption(of: photo.path)?.text ?? [] }
    if captions.contains(try Talk.path(of: photo.path)) { text += try await remarkBytes(of: photo.path) }
    return query.match(name, text: TextFinder.isText(text) ? text : [])
  }
}
