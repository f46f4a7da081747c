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

  /// Searches the notes of the copy. `matched` gets each note whose text has the words, as soon as it is found.
  /// - Returns: nil if the copy does not have the list of notes, or cannot be read.
  func search(
    _ finder: TextFinder, matched: @escaping @Sendable (FileEntry, [UInt8]) -> Void
  ) async throws(StoreError) -> Found? {
    await load()
    guard let listed = entries(of: .notes) else { return nil }
    let notes = listed.filter(NotesService.isNote)
    let kept = await textRevisions().revisions
    let names = state.withLock { $0.waiting }
    var unread: [FileEntry] = []
    var readable: [(note: FileEntry, place: StorePath)] = []
    for note in notes {
      if case .at(let place) = names.origin(of: note.path), let revision = note.revision, kept[place] == revision {
        readable.append((note, place))
      } else {
        unread.append(note)
      }
    }
    let (club, database) = (club, database)
    let known = readable
    do throws(StoreError) {
      let candidates = try await pool.run { () throws(StoreError) in
        var candidates = known
        for word in finder.words {
          let paths = Set(try database.copiedPaths(withFolded: word, club: club))
          candidates.removeAll { candidate in
            !paths.contains(candidate.place)
              && !TextFinder.contains(
                SearchFold.folded(String(decoding: candidate.note.path.name, as: UTF8.self)), word)
          }
        }
        return candidates
      }
      var matches: [(FileEntry, TextFinder.Match)] = []
      var rest = candidates[...]
      // A cancelled search ends after a part.
      var part = 8
      while !rest.isEmpty {
        if Task.isCancelled { throw StoreError.cancelled("The search") }
        let some = Array(rest.prefix(part))
        rest = rest.dropFirst(part)
        part = min(part * 2, 256)
        matches += try await pool.run { () throws(StoreError) in
          var matches: [(FileEntry, TextFinder.Match)] = []
          for (note, place) in some {
            guard let text = try database.copiedText(of: place, club: club)?.text else { continue }
            let name = String(decoding: note.path.name, as: UTF8.self)
            guard let match = finder.match(name: name, text: TextFinder.isText(text) ? text : []) else { continue }
            if !match.lines.isEmpty { matched(note, text) }
            matches.append((note, match))
          }
          return matches
        }
      }
      return Found(matches: matches, unread: unread, total: notes.count)
    } catch {
      if error.kind == .cancelled { throw error }
      onFailure(error)
      return nil
    }
  }
}
