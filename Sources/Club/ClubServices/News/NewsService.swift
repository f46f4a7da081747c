public import Basics
public import Database
public import FileStores
internal import Synchronization

public enum NewsList: String, Sendable {
  case notes, photos
  /// The files with remarks on notes, and those with remarks on photos.
  case noteRemarks, photoRemarks
  /// The parts of two lists that lie in folders. They begin by themselves: a club whose notes at the top were seen long ago
  /// may show its folders for the first time, and those are no news.
  case folderNotes, folderRemarks

  /// The part of a list that lies in folders.
  var inFolders: NewsList? {
    switch self {
    case .notes: .folderNotes
    case .noteRemarks: .folderRemarks
    case .photos, .photoRemarks, .folderNotes, .folderRemarks: nil
    }
  }

  public var ofRemarks: NewsList { self == .photos || self == .photoRemarks ? .photoRemarks : .noteRemarks }
}

/// Records the revisions that this member has seen of a club, and finds later changes by others.
///
/// The catalogue holds the revisions seen. Without it, for example on its first listing, a club
/// counts as seen: nobody wants 300 marks at the start. No call fails for a catalogue that cannot be read or written:
/// `onFailure` gets the reasons.
public final class NewsService: Sendable {
  private let club: String
  private let hasNoteFolders: Bool
  private let catalogue: CatalogueDatabase
  private let pool: BlockingPool
  private let queue: SeenQueue
  /// This member's own writes, which no command tells of.
  private let written: SeenQueue
  private let ownName: @Sendable () async throws(StoreError) -> String?
  private let own = Mutex<String??>(nil)
  private let onFailure: @Sendable (StoreError) -> Void
  private let baselines = Mutex<Set<NewsList>>([])
  private let turns = Mutex<[NewsList: TurnQueue<(path: StorePath, change: SeenQueue.Change)>]>([:])
  private let listings = Mutex<[NewsList: NewsListing]>([:])

  /// - Parameters:
  ///   - club: the club's place, as in `Club`.
  ///   - ownName: the name that the store gives to this member's writes, or nil where it names no accounts. It may ask
  ///     the service, so it is called only when there is something to compare, and not again after an answer. After a
  ///     failure, the pages of that listing are compared without it.
  ///   - onFailure: gets the reason when the catalogue could not be read or written, or the service gave no name. It
  ///     is called on any thread.
  public init(
    club: String, hasNoteFolders: Bool = true, catalogue: CatalogueDatabase, pool: BlockingPool,
    ownName: @escaping @Sendable () async throws(StoreError) -> String? = { () throws(StoreError) in nil },
    onFailure: @escaping @Sendable (StoreError) -> Void = { _ in }
  ) {
    (self.club, self.catalogue, self.pool, self.ownName) = (club, catalogue, pool, ownName)
    (self.onFailure, self.hasNoteFolders) = (onFailure, hasNoteFolders)
    queue = SeenQueue(club: club, catalogue: catalogue, pool: pool, onFailure: onFailure)
    // The other queue reports the same failure of the same file.
    written = SeenQueue(club: NewsCursor.key(of: club), catalogue: catalogue, pool: pool, onFailure: { _ in })
  }

  /// Compares files of a list with the revisions seen. Before the first whole listing, all of them count as seen.
  public func compare(_ entries: [FileEntry], in list: NewsList) async -> [StorePath: NewsMark] {
    await compare(entries, list, isPage: false)
  }

  /// Notes that a listing begins; its pages follow, and `endListing` if it does not break off.
  public func beginListing(of list: NewsList) {
    listings.withLock { for part in parts(of: list) { $0[part, default: NewsListing()].begin() } }
  }

  private func parts(of list: NewsList) -> [NewsList] {
    [list] + (hasNoteFolders ? list.inFolders.map { [$0] } ?? [] : [])
  }

  /// Compares a page of a listing, as `compare`.
  public func comparePage(_ entries: [FileEntry], of list: NewsList) async -> [StorePath: NewsMark] {
    await compare(entries, list, isPage: true)
  }

  private func compare(_ entries: [FileEntry], _ list: NewsList, isPage: Bool) async -> [StorePath: NewsMark] {
    guard let inFolders = list.inFolders else { return await comparePart(entries, list, isPage: isPage) }
    let top = await comparePart(entries.filter { !$0.path.isInFolder }, list, isPage: isPage)
    return top.merging(await comparePart(entries.filter(\.path.isInFolder), inFolders, isPage: isPage)) { $1 }
  }

  private func comparePart(_ entries: [FileEntry], _ list: NewsList, isPage: Bool) async -> [StorePath: NewsMark] {
    let known = isPage ? await seenFiles(for: entries, of: list) : nil
    // The queue is asked before the catalogue, which gets its files.
    let files = entries.filter { entry in
      guard entry.kind == .file, entry.revision != nil, known?.contains(entry) != true else { return false }
      return queue.revision(of: entry.path) != entry.revision
    }
    guard !files.isEmpty else { return [:] }
    guard let hasBaseline = await hasBaseline(list) else {
      listings.withLock { $0[list, default: NewsListing()].isIncomplete = true }
      return [:]
    }
    guard hasBaseline else {
      await recordFirst(NewsService.revisions(of: files), list, isPage: isPage)
      return [:]
    }
    let seen = await pool.run(reporting: onFailure) { [club, catalogue] () throws(StoreError) in
      try catalogue.seenRevisions(of: files.map(\.path), club: club)
    }
    guard let seen else { return [:] }
    var found = NewsComparison(files, seen: seen, own: nil)
    guard found.marks.values.contains(where: { $0.member != nil }),
      let own = await name(forPageOf: isPage ? list : nil)
    else { return found.marks }
    found = NewsComparison(files, seen: seen, own: own)
    _ = await record(NewsService.revisions(of: found.own))
    return found.marks
  }

  /// Counts a page of a listing and returns the files that the member has seen. Returns nil for a short listing, and for a
  /// catalogue that cannot be read.
  private func seenFiles(for page: [FileEntry], of list: NewsList) async -> SeenFiles? {
    let (isLong, seen, number) = listings.withLock { listings in
      listings[list, default: NewsListing()].count(page)
      return (listings[list]?.isLong ?? false, listings[list]?.seen, listings[list]?.number ?? 0)
    }
    guard isLong, seen == nil else { return seen }
    let new = await pool.run(reporting: onFailure) { [club, catalogue] () throws(StoreError) in
      try SeenFiles(catalogue, club: club)
    }
    listings.withLock { $0[list]?.take(new, at: number) }
    return new
  }

  /// Compares a whole listing.
  public func marks(ofAll entries: [FileEntry], in list: NewsList) async -> [StorePath: NewsMark] {
    beginListing(of: list)
    let marks = await comparePage(entries, of: list)
    await endListing(of: list)
    return marks
  }

  /// Notes that a whole listing has been compared: from here on, unknown files are new. A listing whose files could not
  /// be recorded as seen does not count.
  public func endListing(of list: NewsList) async {
    for part in parts(of: list) { await endPart(part) }
  }

  private func endPart(_ list: NewsList) async {
    let listing = listings.withLock { $0.removeValue(forKey: list) } ?? NewsListing()
    guard await record(listing.unrecorded), !listing.isIncomplete, await hasBaseline(list) == false else { return }
    let isNoted: Void? = await pool.run(reporting: onFailure) { [club, catalogue] () throws(StoreError) in
      try catalogue.setBaseline(of: list.rawValue, club: club)
    }
    if isNoted != nil { _ = baselines.withLock { $0.insert(list) } }
  }

  public func see(_ entries: [FileEntry]) async {
    await see(NewsService.revisions(of: entries))
  }

  /// With a turn, as `unsee`.
  public func see(_ files: [(path: StorePath, revision: Revision)], turn: NewsTurn? = nil) async {
    await add(files.map { ($0.path, .seen($0.revision)) }, turn)
  }

  /// Notes that this member has seen a revision, without waiting for the catalogue.
  public func seeSoon(_ entry: FileEntry) {
    guard let revision = entry.revision else { return }
    touch([entry.path])
    queue.add([(entry.path, .seen(revision))])
  }

  /// Notes this member's own writes: neither the app nor a command tells of them. Others may have written to a file with
  /// remarks, too, which a command reads itself.
  /// - Parameter waits: true to return only when the catalogue has them, or a write has failed.
  func wrote(_ entries: [FileEntry], waits: Bool) async {
    written.add(
      entries.compactMap { entry in
        Talk.isNamed(entry.path) ? nil : entry.revision.map { (entry.path, .seen($0)) }
      })
    guard waits else {
      for entry in entries { seeSoon(entry) }
      return
    }
    await written.tried()
    await see(entries)
  }

  /// Waits until the catalogue has everything that was seen, at most this long.
  public func finish(within limit: Duration = .seconds(1), clock: any Clock<Duration> = TimerClock()) async {
    await queue.finish(within: limit, clock: clock)
    await written.finish(within: limit, clock: clock)
  }

  /// Makes marks come back that `see` has removed: the files count as seen at their earlier revisions. A file whose
  /// later revision this member has seen meanwhile stays. With a turn, the change waits for the turns before it, but
  /// the call does not.
  public func unsee(_ marks: [StorePath: NewsMark], turn: NewsTurn? = nil) async {
    await add(marks.map { ($0.key, .unseen($0.value)) }, turn)
  }

  private func add(_ changes: [(path: StorePath, change: SeenQueue.Change)], _ turn: NewsTurn?) async {
    touch(changes.map(\.path))
    let takesBack = changes.contains { if case .seen = $0.change { false } else { true } }
    defer { if takesBack { change { $0.giveUpSeen() } } }
    if let turn {
      // Within the lock, so that no later turn comes between.
      turns.withLock { queue.add($0[turn.list, default: TurnQueue()].take(changes, at: turn.number)) }
    } else {
      queue.add(changes)
    }
    await queue.tried()
  }

  /// Forgets deleted files: another file of the same name is a new one.
  public func forget(_ paths: [StorePath]) async {
    await add(paths.map { ($0, .forgotten) }, nil)
  }

  /// The lines of a note that changed since this member last saw it; `text` finds the text of a revision. nil if the note
  /// is not news, or is large, or the earlier text is unknown.
  public func changes(in note: OpenNote, text: (Revision) async -> [UInt8]?) async -> LineDiff? {
    let path = note.entry.path
    guard note.content == .text, note.bytes.count <= NotePast.mostBytes, let revision = note.entry.revision,
      case let (club, catalogue) = (club, catalogue), queue.revision(of: path) != revision,
      let seen = await pool.run(
        reporting: onFailure,
        { () throws(StoreError) in
          try catalogue.seenRevisions(of: [path], club: club)[path]
        }) ?? nil,
      seen != revision, let before = await text(seen)
    else { return nil }
    return await pool.run { LineDiff(from: before, to: note.bytes) }
  }

  /// Records files as seen that no whole listing was compared with yet.
  private func recordFirst(_ files: [NewsListing.SeenFile], _ list: NewsList, isPage: Bool) async {
    if !isPage { touch(files.map(\.path)) }
    let ready = isPage ? listings.withLock { $0[list, default: NewsListing()].add(files) } : files
    if await !record(ready) { listings.withLock { $0[list, default: NewsListing()].isIncomplete = true } }
  }

  /// The member saw or lost files, whatever the listings say.
  private func touch(_ paths: [StorePath]) { change { $0.touch(paths) } }

  private func change(_ body: (inout NewsListing) -> Void) {
    listings.withLock { listings in
      for list in listings.keys { body(&listings[list, default: NewsListing()]) }
    }
  }

  private static func revisions(of entries: [FileEntry]) -> [NewsListing.SeenFile] {
    entries.compactMap { entry in entry.revision.map { (entry.path, $0) } }
  }

  /// Records files as seen without the queue, which would hold a whole listing.
  private func record(_ files: [NewsListing.SeenFile]) async -> Bool {
    guard !files.isEmpty else { return true }
    let files = files.sorted { $0.path < $1.path }
    let (club, catalogue) = (club, catalogue)
    return await pool.run(reporting: onFailure) { () throws(StoreError) in try catalogue.see(files, club: club) } != nil
  }

  /// nil if the catalogue cannot be read.
  private func hasBaseline(_ list: NewsList) async -> Bool? {
    if baselines.withLock({ $0.contains(list) }) { return true }
    let isThere = await pool.run(reporting: onFailure) { [club, catalogue] () throws(StoreError) in
      try catalogue.hasBaseline(of: list.rawValue, club: club)
    }
    if isThere == true { _ = baselines.withLock { $0.insert(list) } }
    return isThere
  }

  private func name(forPageOf list: NewsList?) async -> String? {
    if let known = own.withLock({ $0 }) { return known }
    if let list, listings.withLock({ $0[list]?.isNameless ?? false }) { return nil }
    do throws(StoreError) {
      let name = try await ownName()
      own.withLock { $0 = .some(name) }
      return name
    } catch {
      // The next listing asks again.
      if let list { listings.withLock { $0[list, default: NewsListing()].isNameless = true } }
      onFailure(error)
      return nil
    }
  }
}

extension StorePath {
  var isInFolder: Bool { bytes.contains(UInt8(ascii: "/")) }
}
