internal import FileStores

extension S3Store {
  /// Repeats a step of a work, unless it is the first.
  func steadily<Value: Sendable>(
    isBeginning: Bool = false, _ step: () async throws(StoreError) -> Value
  ) async throws(StoreError) -> Value {
    try await SteadySteps(clock: tuning.clock)(isBeginning: isBeginning, step)
  }

  /// Deletes the old name of a moved file, if it has the revision still. With versioning, an empty version with a mark
  /// takes the place first, so that the trash does not show the move.
  /// - Throws: `conflict`; `notFound`.
  func leave(_ file: FileEntry, _ features: S3Features) async throws(StoreError) {
    guard features.isVersioned, let etag = file.etag else {
      return try await remove(file, ifRevision: file.revision, features)
    }
    var call = S3Call(
      .put, place.key(file.path), about: file.path, headers: [(S3Store.reservationField, S3Store.movedMark)])
    if let header = S3Features.header(features.replace, ifMatch: etag) {
      call.headers.append(header)
    } else {
      guard let there = try await head(file.path)?.entry else { throw .missing(file.path) }
      if there.revision != file.revision { throw .conflict(file.path, there) }
    }
    let answer = try await client.answer(call)
    if answer.status == 412 || answer.status == 409
      || answer.status == 404 && S3Fault.code(answer.body) != "NoSuchBucket"
    {
      guard let there = try await head(file.path) else { throw .missing(file.path) }
      // An earlier try may have left the mark.
      guard there.reservation == S3Store.movedMark else {
        throw there.isReserved ? .missing(file.path) : .conflict(file.path, there.entry)
      }
    } else if !answer.isSuccess {
      throw client.error(answer, call)
    }
    try await delete(key: file.path, headers: [])
  }

  /// The mark of a name that a move has left.
  static let movedMark = "moved"

  /// Deletes the old name of a moved file, as `leave`. A file that is gone is no error.
  func leaveSteadily(_ file: FileEntry, _ features: S3Features) async throws(StoreError) {
    do throws(StoreError) {
      try await steadily { () throws(StoreError) in try await leave(file, features) }
    } catch {
      if error.kind != .notFound { throw error }
    }
  }

  /// The copy of a file, if an earlier try has made it although its answer was lost.
  ///
  /// Equal ETags mean equal content. That of a file that came in parts changes with the copy; then the size counts, but only
  /// below a reserved name, which nobody else can take.
  func arrived(
    _ file: FileEntry, isVersion: Bool, at target: StorePath, isReserved: Bool
  ) async throws(StoreError) -> FileEntry? {
    guard let there = try await self.file(at: target), there.size == file.size else { return nil }
    if file.etag?.contains("-") == false { return there.etag == file.etag ? there : nil }
    guard isReserved else { return nil }
    if isVersion { return there }
    return try await self.file(at: file.path)?.revision == file.revision ? there : nil
  }
}
