internal import Basics
public import Database
public import FileStores

/// Finds out what other members have done since the command of news reported on a club last. It marks nothing by itself.
public struct NewsReader: Sendable {
  /// One look at the whole club.
  public struct Look: Sendable {
    /// The oldest first.
    public let items: [NewsItem]
    /// Marks noted along with the items that are no news: this member's own changes, and files with remarks as read.
    public let rest: [NewsCursor.Mark]
    /// True for the first look, with which the cursor begins and everything counts as reported.
    public var isFirst = false
  }

  private let notes: NotesService
  private let cursor: NewsCursor

  public init(_ notes: NotesService, _ catalogue: CatalogueDatabase) {
    self.notes = notes
    cursor = NewsCursor(club: notes.club.key, catalogue: catalogue)
  }

  /// Compares the club with the cursor, or with a time whatever was reported. The first look without a time begins the cursor.
  /// - Throws: errors of a listing or of the catalogue; temporary ones of files with remarks.
  public func look(since time: Timestamp? = nil) async throws(StoreError) -> Look {
    let (files, talks) = notes.sorted(try await notes.allFiles(.full))
    let (hasBegun, knowsFolders, reported) = try await notes.pool.run { [cursor] () throws(StoreError) in
      (
        try cursor.hasBegun(), try cursor.hasBegunFolders(),
        try cursor.reported(files.map(\.file.path) + talks.map(\.file.path))
      )
    }
    let scope = notes.club.notes
    if time == nil, hasBegun, scope.hasFolders, !knowsFolders {
      try await begin(files.map(\.file).filter { isInFolder($0.path) }, talks.filter { isInFolder($0.file.path) })
      return try await look()
    }
    func isNew(_ file: FileEntry, _ changed: Timestamp) -> Bool {
      if let time { return changed > time }
      return !hasBegun || reported[file.path] != file.revision
    }
    var items: [NewsItem] = []
    var rest: [NewsCursor.Mark] = []
    for (file, happening) in files where isNew(file, happening.time) {
      guard let mark = NewsCursor.Mark(file) else { continue }
      items.append(NewsItem(happening, isAdded: hasBegun && reported[file.path] == nil, mark))
    }
    let compares = hasBegun || time != nil
    try await add(talks.filter { isNew($0.file, $0.changed) }, since: time, compares: compares, &items, &rest)
    if time == nil, !hasBegun {
      let all = items.map(\.mark) + rest
      try await notes.pool.run { [cursor] () throws(StoreError) in try cursor.begin(all, withFolders: scope.hasFolders)
      }
      return Look(items: [], rest: [], isFirst: true)
    }
    let (others, own) = await divided(items)
    return Look(items: NewsItem.merged(others), rest: rest + own.map(\.mark))
  }

  /// Counts what lies in folders as reported: it has come into view, and nobody has changed it.
  private func begin(_ files: [FileEntry], _ talks: [NotesService.TalkFile]) async throws(StoreError) {
    var (items, rest): ([NewsItem], [NewsCursor.Mark]) = ([], [])
    try await add(talks, since: nil, compares: false, &items, &rest)
    let marks = files.compactMap { NewsCursor.Mark($0) } + items.map(\.mark) + rest
    try await notes.pool.run { [cursor] () throws(StoreError) in try cursor.begin(marks, withFolders: true) }
  }

  private func isInFolder(_ path: StorePath) -> Bool { path.isInFolder && !notes.club.notes.isPhotos(path.bytes) }

  /// Notes these as reported.
  public func mark(_ marks: [NewsCursor.Mark]) async throws(StoreError) {
    try await notes.pool.run { [cursor] () throws(StoreError) in try cursor.tell(marks) }
  }

  /// Remarks are known by their ids, because one that waited for the network has an early time. The names in a file with
  /// news are compared at once.
  private func add(
    _ talks: [NotesService.TalkFile], since time: Timestamp?, compares: Bool, _ items: inout [NewsItem],
    _ rest: inout [NewsCursor.Mark]
  ) async throws(StoreError) {
    for (talk, read) in zip(talks, await notes.read(talks)) {
      let said: [(id: String, happening: Happening)]
      do throws(StoreError) {
        said = try read.get()
      } catch {
        // A file that is no text hides nothing else.
        guard !error.isTemporary, error.kind != .cancelled else { throw error }
        continue
      }
      var found: [NewsItem] = []
      for (id, happening) in said {
        found.append(NewsItem(happening, isAdded: true, try NewsCursor.Mark(remark: id, in: talk.file.path)))
      }
      if let time {
        found = found.filter { $0.happening.time > time }
      } else {
        let paths = found.map(\.mark.path)
        let reported = try await notes.pool.run { [cursor] () throws(StoreError) in try cursor.reported(paths) }
        found = found.filter { reported[$0.mark.path] == nil }
      }
      if compares, !found.isEmpty, let checked = await notes.readChecked(talk) {
        let paths = Set(found.map(\.mark.path))
        found = try checked.map { (id, happening) throws(StoreError) in
          NewsItem(happening, isAdded: true, try NewsCursor.Mark(remark: id, in: talk.file.path))
        }.filter { paths.contains($0.mark.path) }
      }
      items += found
      if time == nil, let mark = NewsCursor.Mark(talk.file) { rest.append(mark) }
    }
  }

  /// The changes of others, and this member's own by a name that the store or the remark has.
  private func divided(_ items: [NewsItem]) async -> (others: [NewsItem], own: [NewsItem]) {
    guard items.contains(where: { $0.happening.member != nil }) else { return (items, []) }
    let (account, spoken) = (await notes.club.ownName(), await notes.club.spokenName())
    func isOwn(_ item: NewsItem) -> Bool {
      guard let member = item.happening.member else { return false }
      switch item.happening.kind {
      // A remark under this member's name that another one brought is news.
      case .remark, .door: return member == spoken && (item.happening.bringer ?? account) == account
      case .file, .caption, .walk: return member == account
      }
    }
    return (items.filter { !isOwn($0) }, items.filter(isOwn))
  }
}
