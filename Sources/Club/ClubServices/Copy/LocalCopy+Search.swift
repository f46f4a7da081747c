internal import Basics
internal import Database
internal import FileStores
internal import Synchronization

/// Finds words in the kept texts, by their index.
extension LocalCopy {
  struct Found: Sendable {
    let matches: [(entry: FileEntry, match: TextFinder.Match)]
    /// Notes whose present text is not kept: they have to be read.
    let unread: [FileEntry]
    let total: Int
  }

  /// Searches the notes of the copy; for a command, after a request for changes. `found` gets each note that matches with
  /// its text, as soon as it is found.
  /// - Returns: nil if the copy does not have the list of notes, or cannot be read.
  func search(
    _ sought: SoughtNotes, found: @escaping @Sendable (FileEntry, [UInt8], TextFinder.Match) -> Void
  ) async throws(StoreError) -> Found? {
    await load()
    await checkIfWanted()
    guard let listed = entries(of: noteList) else { return nil }
    if isAway || freshness == .checked && !state.withLock({ $0.isRefreshed }) { noteServedOld() }
    let kept = await textsKept()
    let names = state.withLock { $0.waiting }
    let (club, database) = (club, database)
    let finder = sought.query.finder
    do throws(StoreError) {
      // Each typed letter ends the search before it.
      try checkCancelled()
      let places = try await pool.run { () throws(StoreError) in
        var places: [Set<StorePath>] = []
        for word in finder.words + sought.query.neededBytes {
          places.append(Set(try database.copiedPaths(withFolded: word, club: club)))
        }
        return places
      }
      try checkCancelled()
      var (unread, total): ([FileEntry], Int) = ([], 0)
      var candidates: [(note: FileEntry, place: StorePath)] = []
      for note in listed where notes.isNote(note) {
        total += 1
        guard sought.admits(note) else { continue }
        guard case .at(let place) = names.origin(of: note.path), let revision = note.revision, kept[place] == revision
        else {
          unread.append(note)
          continue
        }
        if places[finder.words.count...].allSatisfy({ $0.contains(place) }),
          finder.canMatch(name: note.path.name, hasWord: { places[$0].contains(place) })
        {
          candidates.append((note, place))
        }
      }
      var matches: [(FileEntry, TextFinder.Match)] = []
      var rest = candidates[...]
      // A cancelled search ends after a part.
      var part = 8
      while !rest.isEmpty {
        try checkCancelled()
        let some = Array(rest.prefix(part))
        rest = rest.dropFirst(part)
        part = min(part * 2, 256)
        matches += try await pool.run { () throws(StoreError) in
          var matches: [(FileEntry, TextFinder.Match)] = []
          for (note, place) in some {
            guard let text = try database.copiedText(of: place, club: club)?.text else { continue }
            guard let match = sought.match(note, TextFinder.isText(text) ? text : []) else { continue }
            found(note, text, match)
            matches.append((note, match))
          }
          return matches
        }
      }
      return Found(matches: matches, unread: unread, total: total)
    } catch {
      if error.kind == .cancelled { throw error }
      onFailure(error)
      return nil
    }
  }

  private func checkCancelled() throws(StoreError) {
    if Task.isCancelled { throw .cancelled("The search") }
  }
}
