import Basics
import ClubServices
import Database
import FileStores
import Imaging

/// The lists of the club's pages, read from the server's index.
enum BrowserLists {
  /// The files of a list of news, and the photos of a grid.
  private static let mostNew = 60
  private static let mostPhotos = 60
  /// The rows of the index that one page looks at.
  private static let mostRows = 20_000
  private static let mostNotes = 2000
  /// The rows that are looked at for the numbers of notes in folders.
  private static let mostCounted = 5000
  /// The folder that byteclub looks for photos in, unless its config names another.
  static let photosFolder = "/photos"
  private static let scope = NoteScope(
    photosFolder: StorePath.root.descending(Array(photosFolder.dropFirst().utf8)[...]), hasFolders: true)
  /// A search reads texts of so many bytes, and finds so many notes.
  private static let mostSearchedBytes: UInt64 = 32 << 20
  private static let mostFound = 100
  private static let mostLineLetters = 200

  private static func follow(_ club: ServedClub) async throws {
    if !club.index.isFollowing { try await club.index.scan(ClubIndex.root, recursive: true) }
  }

  /// The newest shown files below a sequence number, and the number before which older ones may be.
  static func newest(
    _ club: ServedClub, before: Int64, limit: Int, _ isWanted: @escaping @Sendable (ServerNode) -> Bool
  ) async throws -> (files: [ServerNode], older: Int64?) {
    try await follow(club)
    return try await club.index.read { reading in
      var (found, number, rows) = ([ServerNode](), before, 0)
      while rows < mostRows {
        let page = try reading.newestFiles(before: number, limit: 500)
        for node in page {
          (number, rows) = (node.sequence, rows + 1)
          if ServedLinks.shows(node.display), isWanted(node) { found.append(node) }
          if found.count == limit { return (found, number) }
        }
        if page.count < 500 { return (found, nil) }
      }
      return (found, number)
    }
  }

  static func isPhoto(_ node: ServerNode) -> Bool { PictureFormat.named(node.name) != nil }

  /// True for a note of the club's own: not for remarks and captions.
  static func isNote(_ node: ServerNode) -> Bool {
    !node.isFolder && ServedLinks.shows(node.display) && !isPhoto(node) && scope.isNote(node.path)
      && Talk.thing(of: node.path) == nil && (node.path.parent.isRoot || Caption.photo(of: node.path) == nil)
  }

  /// True for a folder of notes.
  static func isFolder(_ node: ServerNode) -> Bool {
    node.isFolder && !node.path.isRoot && ServedLinks.shows(node.display) && scope.isFolder(node.path)
  }

  // MARK: What is new

  static func new(_ club: ServedClub) async throws -> [BrowserPages.Entry] {
    let files = try await newest(club, before: .max, limit: mostNew) { _ in true }.files
    return files.sorted { $0.serverModified > $1.serverModified }.map { entry($0) }
  }

  /// - Parameter isInFolder: true in the list of its own folder, where its name is enough.
  static func entry(_ node: ServerNode, isInFolder: Bool = false) -> BrowserPages.Entry {
    var (shown, address, about) = (node.display, String?.none, BrowserPages.about(node))
    if Talk.thing(of: node.path) != nil {
      shown = String(node.display.dropLast(BrowserTalk.ending.count))
      (address, about) = (BrowserPages.address(of: shown) + "#remarks", "remarks: " + about)
    } else if Caption.photo(of: node.path) != nil {
      shown = String(node.display.dropLast(".md".count))
      (address, about) = (BrowserPages.address(of: shown), "caption: " + about)
    } else if isPhoto(node) || isNote(node) {
      address = BrowserPages.address(of: node.display)
    }
    let isPlain = isInFolder || PictureFormat.named(PathText.name(shown)) != nil
    return BrowserPages.Entry(
      name: isPlain ? PathText.name(shown) : String(shown.dropFirst()), address: address, about: about)
  }

  // MARK: Notes

  /// A folder's folders with notes, by name, and its notes, the newest first.
  struct NotesFolder: Sendable {
    /// The numbers are those of the notes at any depth; nil if there are too many to count.
    var folders: [(node: ServerNode, count: Int?)] = []
    var notes: [ServerNode] = []
    var hasMore = false
  }

  static func notes(in folder: ServerNode, _ club: ServedClub) async throws -> NotesFolder {
    let nodes = try await club.links.contents(of: folder, limit: mostNotes) ?? []
    var list = NotesFolder(hasMore: nodes.count > mostNotes)
    list.notes = nodes.prefix(mostNotes).filter(isNote).sorted { $0.serverModified > $1.serverModified }
    let folders = nodes.prefix(mostNotes).filter(isFolder)
    if !folders.isEmpty { try await follow(club) }
    list.folders = try await club.index.read { reading in
      var (rest, found) = (mostCounted, [(node: ServerNode, count: Int?)]())
      for folder in folders {
        let below = try reading.listed(in: .subtree(folder.key), after: "", limit: rest + 1)
        let count = below.count > rest ? nil : below.count(where: isNote)
        rest = max(0, rest - below.count)
        if count != 0 { found.append((folder, count)) }
      }
      return found
    }
    return list
  }

  struct FoundNotes: Sendable {
    var entries: [BrowserPages.Entry] = []
    /// The notes that may be meant, but are too long, or no text.
    var skipped = 0
  }

  /// The notes that a search asks for. One search of a member goes on at a time.
  /// - Throws: 503 if too many search.
  static func search(_ query: NoteQuery, by member: ServerMember, _ club: ServedClub) async throws -> FoundNotes {
    guard !query.isEmpty else { return FoundNotes() }
    return try await club.shared.searches.with(member.id) {
      try await club.index.locks.reading("search of \(member.id)") {
        try await club.shared.searchTurns.reading("search") { try await found(query, club) }
      }
    }
  }

  private static func found(_ query: NoteQuery, _ club: ServedClub) async throws -> FoundNotes {
    var (found, bytes) = (FoundNotes(), UInt64(0))
    let asksTexts = query.asksTexts || !query.words.isEmpty
    let notes = try await newest(club, before: .max, limit: mostNotes) { isNote($0) && query.admits(facts($0)) }.files
    for note in notes.sorted(by: { $0.serverModified > $1.serverModified }) where found.entries.count < mostFound {
      try Task.checkCancellation()
      var text: [UInt8]? = asksTexts ? nil : []
      if asksTexts, note.size <= LinkText.largest, bytes + note.size <= mostSearchedBytes {
        bytes += note.size
        text = try await club.index.content(of: note, limit: LinkText.largest)
      }
      let known = text
      let (match, isKnown) = await club.index.pool.run { () -> (TextFinder.Match?, Bool) in
        if let known, TextFinder.isText(known) { return (query.match(note.name, text: known), true) }
        // An exclusion needs the text; words may be those of the name.
        return (query.asksTexts ? nil : query.match(note.name, text: []), false)
      }
      guard let match else {
        if !isKnown { found.skipped += 1 }
        continue
      }
      var entry = entry(note)
      entry.line = match.lines.first.map { String($0.text.prefix(mostLineLetters)) }
      found.entries.append(entry)
    }
    return found
  }

  /// The day is that of the list.
  private static func facts(_ note: ServerNode) -> NoteQuery.Facts {
    NoteQuery.Facts(
      note.path, modified: Timestamp(seconds: note.serverModified), author: note.author.map(\.shownName))
  }

  // MARK: Photos

  static func photos(_ club: ServedClub, before: Int64) async throws -> (photos: [ServerNode], older: Int64?) {
    let found = try await newest(club, before: before, limit: mostPhotos, isPhoto)
    return (found.files, found.older)
  }
}
