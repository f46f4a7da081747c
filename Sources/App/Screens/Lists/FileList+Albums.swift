internal import ClubServices
internal import FileStores
internal import TextUI

/// Albums of photos and folders of notes: rows above the files, entered and left.
extension FileList {
  /// False at the top, and while all files are shown.
  var isInAlbum: Bool { album?.isEmpty == false }

  /// True if the club has albums, shown or not.
  var hasAlbums: Bool { table?.hasFolders == true }

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

  /// Selects a file, in its album.
  mutating func showInAlbum(_ path: StorePath) {
    openAlbum(of: path)
    choose(path)
  }

  /// The nearest album above that is there takes the place of one that is gone.
  mutating func leaveEmptyAlbum() {
    while isInAlbum, !find.isActive, let table, table.count == 0, albums.isEmpty, let album,
      !table.holds(folder: album)
    {
      leaveAlbum()
    }
  }

  /// Changes by others keep the selected album as they keep the selected file; `before` is the album that was selected.
  mutating func keepAlbum(_ before: [UInt8]?) {
    leaveEmptyAlbum()
    if let before, selectedAlbum?.path != before { select(album: before) }
  }

  /// From albums to all files in one list, and back to the album of the selected one.
  mutating func switchFlat(_ frame: inout Frame) -> Commands {
    let (isFlat, chosen) = (album != nil, selected)
    open(isFlat ? nil : [])
    if !isFlat, let chosen { openAlbum(of: chosen) }
    choose(chosen)
    let many = words.many.prefix(1).uppercased() + words.many.dropFirst()
    frame.say(isFlat ? "All \(words.many), whatever their \(words.folder)." : "\(many) by \(words.folder)s.")
    return [.run(.keep(.flat(isFlat), of: words.many))]
  }

  /// The number of new files in each album.
  var albumNews: [Int] {
    guard let table, !albums.isEmpty, !news.isEmpty else { return [] }
    return table.albums.counts(of: news.unsorted.lazy.compactMap { $0.relative(to: table.folder) })
  }

  /// The bytes of a found file's album, which are dimmed; nil where the list shows one album or all files.
  func albumBytes(of name: some BidirectionalCollection<UInt8>) -> Int? {
    guard album != nil, find.isActive, let slash = name.lastIndex(of: UInt8(ascii: "/")) else { return nil }
    return name.distance(from: name.startIndex, to: slash) + 1
  }

  /// The files beside those of the list, as a dim line; nil if there are none.
  var otherWords: String? {
    guard let table, !find.isActive, let others = table.leftOutWords else { return nil }
    return (table.count == 0 && albums.isEmpty ? "" : "and ") + others
  }

  /// A sentence against a command that means an album, or a file beside albums; nil if it has a meaning.
  func reasonWithAlbums(against command: CommandID, _ frame: Frame) -> String? {
    guard renaming == nil, !find.isTyping else { return nil }
    switch command {
    case .albumsLeave:
      if isInAlbum, !find.isActive { return nil }
      let key = frame.keys.name(of: .close)
      return isInAlbum ? "\(key) clears the filter first." : "No \(words.folder) is open."
    case words.flat where !hasAlbums:
      return "The club has no \(words.folder)s. \(frame.keys.name(of: words.move)) moves \(words.many) into one."
    case words.move where targets.isEmpty && selectedAlbum == nil: return reason(against: .listMark, frame)
    case .photosDownload where !marks.isEmpty: return nil
    case .photosDownload, .photosInfo, .photosCaption, .notesExternal, .notesHistory, .listMark, .listOpenOutside,
      .listCopyName, .listLink:
      guard selectedAlbum != nil else { return nil }
      return "This is \(words.aFolder). \(frame.keys.name(of: .listOpen)) shows its \(words.many)."
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
