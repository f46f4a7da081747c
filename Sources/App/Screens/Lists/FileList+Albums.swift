internal import ClubServices
internal import FileStores
internal import TextUI

/// Albums: rows above the files, entered and left.
extension FileList {
  /// False at the top, and while all files are shown.
  var isInAlbum: Bool { album?.isEmpty == false }

  /// True if the club has albums, shown or not.
  var hasAlbums: Bool {
    guard let table else { return false }
    return !albums.isEmpty || isInAlbum || table.allNames.contains { $0.contains(UInt8(ascii: "/")) }
  }

  /// The folder of the album that is shown; nil at the top, and while all files are shown.
  var albumFolder: StorePath? {
    guard let table, let album, isInAlbum else { return nil }
    return table.folder.descending(album[...])
  }

  /// Shows an album, or all files for nil. The same file stays selected, else the album that was left.
  mutating func open(_ new: [UInt8]?) {
    let (chosen, old) = (selected, album)
    album = new
    table?.open(new)
    fitRows()
    rows.select(0)
    choose(chosen)
    if selected != chosen || chosen == nil, let old, let new { select(album: Albums.child(of: new, towards: old)) }
    find.before = nil
  }

  /// Leaves the album for the one above it.
  mutating func leaveAlbum() {
    guard let album, isInAlbum else { return }
    open(album.lastIndex(of: UInt8(ascii: "/")).map { Array(album[..<$0]) } ?? [])
    select(album: album)
  }

  /// Selects the row of an album, if it has one.
  mutating func select(album path: [UInt8]?) {
    if let path, let row = albums.firstIndex(where: { $0.path == path }) { select(row) }
  }

  /// Opens the album of a file that the present one does not show.
  mutating func openAlbum(of path: StorePath) {
    guard let table, album != nil, !find.isActive, table.contains(path), table.row(of: path) == nil,
      let name = path.relative(to: table.folder)
    else { return }
    open(Albums.album(of: name))
  }

  /// An album is gone with its last file: the nearest one above it that has files takes its place.
  mutating func leaveEmptyAlbum() {
    while isInAlbum, !find.isActive, table?.count == 0, albums.isEmpty { leaveAlbum() }
  }

  /// The number of new files in each album.
  var albumNews: [Int] {
    guard let table, !albums.isEmpty, !news.isEmpty else { return [] }
    return table.albums.counts(of: news.unsorted.lazy.compactMap { $0.relative(to: table.folder) })
  }

  /// A sentence against a command for the selected album; nil if it has a meaning there.
  func reasonOnAlbum(against command: CommandID, _ frame: Frame) -> String? {
    guard selectedAlbum != nil else { return nil }
    let (enter, move) = (frame.keys.name(of: .listOpen), frame.keys.name(of: .photosMove))
    // The marked photos are meant then.
    if !marks.isEmpty, [.photosTrash, .photosMove, .photosDownload].contains(command) { return nil }
    switch command {
    case .photosRename, .photosTrash:
      let word = command == .photosRename ? "renamed" : "removed"
      return "An album cannot be \(word) yet. It goes with its last photo: \(enter) enters, \(move) moves photos."
    case .photosMove, .photosDownload, .photosInfo, .photosCaption, .listMark, .listOpenOutside, .listCopyName,
      .listLink:
      return "This is an album. \(enter) shows its photos."
    default: return nil
    }
  }
}

extension Albums {
  /// The album directly in `folder` that is `path` or has it somewhere below; nil if there is none.
  fileprivate static func child(of folder: [UInt8], towards path: [UInt8]) -> [UInt8]? {
    let prefix = folder.isEmpty ? [] : folder + [UInt8(ascii: "/")]
    guard path.count > prefix.count, path.starts(with: prefix) else { return nil }
    return prefix + path[prefix.count...].prefix { $0 != UInt8(ascii: "/") }
  }
}
