public import Database
public import FileStores

/// A file that another member added or changed since this member last saw it.
public struct NewsMark: Sendable, Hashable {
  public let revision: Revision
  /// The revision that this member has seen before; nil for a new file.
  public let before: Revision?
  /// The member who wrote the revision, where the store knows.
  public let member: String?

  public init(revision: Revision, before: Revision?, member: String? = nil) {
    (self.revision, self.before, self.member) = (revision, before, member)
  }

  /// True if the file is new; false if this member has seen an earlier revision.
  public var isAdded: Bool { before == nil }
}

public struct NewsComparison: Sendable, Hashable {
  public var marks: [StorePath: NewsMark] = [:]
  /// Files whose revision this member wrote elsewhere; they are not recorded as seen yet.
  public var own: [FileEntry] = []

  /// Compares files with the revisions seen. Files without a revision are left out.
  /// - Parameter own: the store's name for this member's writes; nil if that proves nothing.
  public init(_ entries: [FileEntry], seen: [StorePath: Revision], own member: String?) {
    for entry in entries {
      guard entry.kind == .file, let revision = entry.revision, seen[entry.path] != revision else { continue }
      if let member, entry.member == member {
        own.append(entry)
      } else {
        marks[entry.path] = NewsMark(revision: revision, before: seen[entry.path], member: entry.member)
      }
    }
  }
}

public struct NewsMarks: Sendable, Hashable {
  private var marks: [StorePath: NewsMark] = [:]
  /// Revisions seen since the start, because an older comparison may arrive late.
  private var seen: [StorePath: Revision] = [:]

  public init() {}

  public var count: Int { marks.count }
  public var isEmpty: Bool { marks.isEmpty }
  public var paths: [StorePath] { marks.keys.sorted() }

  /// As `paths`, at once.
  public var unsorted: some Collection<StorePath> { marks.keys }

  public subscript(path: StorePath) -> NewsMark? { marks[path] }

  /// Adds the marks of a comparison, except for revisions that were seen meanwhile.
  /// - Returns: the files with news that were not marked with the same revision before.
  @discardableResult
  public mutating func add(_ new: [StorePath: NewsMark]) -> [StorePath: NewsMark] {
    let fresh = new.filter { path, mark in seen[path] != mark.revision && marks[path]?.revision != mark.revision }
    marks.merge(fresh) { old, new in
      // A new file that changes again is still new.
      NewsMark(revision: new.revision, before: old.isAdded ? nil : new.before, member: new.member)
    }
    return fresh
  }

  public mutating func see(_ path: StorePath, _ revision: Revision?) {
    marks[path] = nil
    if let revision { seen[path] = revision }
  }

  public mutating func forget(_ path: StorePath) {
    marks[path] = nil
    seen[path] = nil
  }

  /// Notes that everything is seen.
  /// - Returns: the marks that are gone.
  public mutating func seeAll() -> [StorePath: NewsMark] {
    let all = marks
    for (path, mark) in all { see(path, mark.revision) }
    return all
  }

  /// Brings marks back. A newer mark of a file stays, and so does a file whose later revision this member has seen.
  public mutating func unsee(_ old: [StorePath: NewsMark]) {
    for (path, mark) in old where seen[path] == mark.revision {
      seen[path] = nil
      marks[path] = marks[path] ?? mark
    }
  }

  /// Keeps the marks of files that exist.
  public mutating func keep(_ exists: (StorePath) -> Bool) { marks = marks.filter { exists($0.key) } }
}

extension NewsService {
  /// The number of files of a club that others added or changed since the member last looked. Writes nothing.
  /// - Parameter entries: all notes and photos of the club; `notes` says which are notes.
  /// - Returns: nil before the first whole listing.
  public static func count(
    of entries: [FileEntry], notes: NoteScope, club: String, in catalogue: CatalogueDatabase
  ) throws(StoreError) -> Int? {
    let ours = entries.filter(notes.isNote)
    let lists: [(list: NewsList, files: [FileEntry])] = [
      (.notes, ours.filter { !$0.path.isInFolder }),
      (.folderNotes, ours.filter { $0.path.isInFolder && !Talk.isNamed($0.path) }),
      (.photos, entries.filter { $0.kind == .file && PhotoName.isShown($0.path, below: notes.photosFolder) }),
    ]
    var count: Int?
    for (list, files) in lists where try catalogue.hasBaseline(of: list.rawValue, club: club) {
      let seen = try catalogue.seenRevisions(of: files.map(\.path), club: club)
      count = (count ?? 0) + NewsComparison(files, seen: seen, own: nil).marks.count
    }
    return count
  }
}
