public import Basics
public import Database
public import FileStores

/// The texts of notes that this machine has read or written, in the catalogue: versions that a store does not keep, and
/// changes by other programs. Bounded by number, bytes and age.
public final class NotePast: Sendable {
  /// In bytes; longer texts have no past.
  static let mostBytes = 1 << 20

  private let catalogue: CatalogueDatabase
  private let club: String
  private let pool: BlockingPool
  private let writing: SerialLines<String>
  private let now: @Sendable () -> Timestamp
  private let onFailure: @Sendable (StoreError) -> Void

  /// `onFailure` gets errors of the catalogue: reading and saving go on without it.
  public init(
    _ catalogue: CatalogueDatabase, club: String, pool: BlockingPool,
    now: @escaping @Sendable () -> Timestamp = { Timestamp.now() },
    onFailure: @escaping @Sendable (StoreError) -> Void
  ) {
    (self.catalogue, self.club, self.pool) = (catalogue, club, pool)
    (self.now, self.onFailure) = (now, onFailure)
    writing = SerialLines(on: pool.tasks)
  }

  /// Keeps a text as the version of an entry, unless the entry shows that it has other bytes; `isOwn` if this machine has
  /// written it. Returns at once; later calls see it.
  func keep(_ text: [UInt8], of entry: FileEntry, isOwn: Bool = false) {
    guard entry.revision != nil, text.count <= NotePast.mostBytes else { return }
    let (catalogue, club, now) = (catalogue, club, now)
    _ = writing.add(club) {
      await self.pool.run(reporting: self.onFailure) { () throws(StoreError) in
        guard entry.fits(text) else { return }
        try catalogue.keepPast(text, hash: text.hashed, of: entry, isOwn: isOwn, club: club, now: now())
      }
    }
  }

  /// Waits until the catalogue has everything that was kept.
  public func finish() async { await writing.wait(for: club) }

  /// Moves the versions of each path to another one, all at once.
  func moved(_ names: MovedNames) {
    let (catalogue, club) = (catalogue, club)
    _ = writing.add(club) {
      await self.pool.run(reporting: self.onFailure) { () throws(StoreError) in
        try catalogue.movePast(names, club: club)
      }
    }
  }

  /// The versions of a note, the last kept first.
  func versions(of path: StorePath) async -> [FileEntry] {
    await writing.wait(for: club)
    let (catalogue, club) = (catalogue, club)
    return await pool.run(reporting: onFailure) { () throws(StoreError) in try catalogue.past(of: path, club: club) }
      ?? []
  }

  /// True if this machine, in whichever process, has written the revision of an entry.
  func isOwn(_ entry: FileEntry) async -> Bool {
    guard let revision = entry.revision else { return false }
    await writing.wait(for: club)
    return await pool.run(reporting: onFailure) { [catalogue, club] () throws(StoreError) in
      try catalogue.isOwnPast(entry.path, revision, club: club)
    } ?? false
  }

  func text(of path: StorePath, _ revision: Revision) async -> [UInt8]? {
    await writing.wait(for: club)
    return await pool.run(reporting: onFailure) { [catalogue, club] () throws(StoreError) in
      try catalogue.pastText(of: path, revision: revision, club: club)
    } ?? nil
  }
}
