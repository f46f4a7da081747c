internal import ClubServices
internal import FileStores
internal import TextUI

/// Folders of a table: albums of photos, folders of notes. All paths are below the table's own folder.
extension EntryTable {
  /// True if a file has a folder, or a folder has none.
  var hasFolders: Bool { folderOrder != .flat || !folders.isEmpty }

  /// The folders and files directly in a folder, up to `most`. Few names of the files in its folders are looked at.
  func contents(of folder: [UInt8], most: Int = .max) -> Albums {
    let (names, times) = (names, times)
    var contents = Albums(
      in: folder, of: names.count, within: names.rows(below: folder), isGrouped: folderOrder == .grouped, most: most
    ) {
      names[$0]
    } modified: { item in
      times[item] == .min ? nil : Timestamp(nanoseconds: times[item])
    }
    contents.add(folders[placesOfFolders(below: folder)].prefix(most)) { NameTable($0).sortedRows() }
    return contents
  }

  /// The items of all files below a folder.
  private func items(below folder: [UInt8]) -> [Int] {
    let prefix = folder + [UInt8(ascii: "/")]
    return names.rows(below: folder).filter { names[$0].starts(with: prefix) }
  }

  /// The files below a folder, by name alone: the member may be writing on in them.
  func files(below path: StorePath) -> [FileEntry] {
    guard let name = path.relative(to: folder).map({ Array($0) }) else { return [] }
    return items(below: name).map { FileEntry(path: folder.descending(names[$0]), kind: .file) }
  }

  private func placesOfFolders(below folder: [UInt8]) -> Range<Int> {
    guard !folder.isEmpty else { return folders.indices }
    let prefix = folder + [UInt8(ascii: "/")]
    let start = folders.indices.bisected { folders[$0].lexicographicallyPrecedes(prefix) }
    return start..<(start..<folders.count).bisected { folders[$0].starts(with: prefix) }
  }

  /// True if a folder is known, even if nothing is in it.
  func holds(folder: [UInt8]) -> Bool {
    if folder.isEmpty || !placesOfFolders(below: folder).isEmpty { return true }
    let place = folders.indices.bisected { folders[$0].lexicographicallyPrecedes(folder) }
    if place < folders.count, folders[place] == folder { return true }
    let prefix = folder + [UInt8(ascii: "/")]
    return names.rows(below: folder).contains { names[$0].starts(with: prefix) }
  }

  /// The paths of all folders, parents included.
  var allAlbums: [[UInt8]] {
    let withFiles = folderOrder == .flat ? [] : Albums.all(of: names.count) { names[$0] }
    guard !folders.isEmpty else { return withFiles }
    var all = Set(withFiles)
    for folder in folders {
      var folder = folder
      while !folder.isEmpty, all.insert(folder).inserted {
        folder = folder.lastIndex(of: UInt8(ascii: "/")).map { Array(folder[..<$0]) } ?? []
      }
    }
    return all.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The folder of a typed album: one of these, or a new one.
  /// - Throws: `badName`.
  func album(named typed: String) throws(StoreError) -> StorePath {
    let album = try PhotosService.album(named: typed, below: folder)
    guard let name = album.relative(to: folder), !name.isEmpty else { return album }
    return folder.descending(Albums.meant(by: Array(name), among: allAlbums)[...])
  }

  /// Adds a folder without files.
  mutating func make(folder path: StorePath) {
    guard let name = path.relative(to: folder).map({ Array($0) }), !holds(folder: name) else { return }
    folders.insert(name, at: folders.indices.bisected { folders[$0].lexicographicallyPrecedes(name) })
    open(album)
  }

  /// Takes a folder out, and all in it.
  mutating func remove(folder path: StorePath) {
    guard let name = path.relative(to: folder).map({ Array($0) }) else { return }
    forget(folder: path)
    apply(items(below: name).map { .absent(folder.descending(names[$0])) })
    open(album)
  }

  /// Forgets a folder, but not the files in it: a file may have its path now.
  mutating func forget(folder path: StorePath) {
    guard let name = path.relative(to: folder).map({ Array($0) }) else { return }
    let below = placesOfFolders(below: name)
    folders.removeSubrange(below)
    // Each changed file asks: no look at all folders.
    let place = folders.indices.bisected { folders[$0].lexicographicallyPrecedes(name) }
    if place < folders.count, folders[place] == name { folders.remove(at: place) }
  }

  /// Gives a folder another path; all in it keeps its size, age and author.
  mutating func move(folder path: StorePath, to target: StorePath) {
    guard let old = path.relative(to: folder).map({ Array($0) }),
      let new = target.relative(to: folder).map({ Array($0) })
    else { return }
    var moved = folders[placesOfFolders(below: old)].map { new + $0[old.count...] }
    if holds(folder: old) { moved.append(new) }
    forget(folder: path)
    folders = Set(folders).union(moved).sorted { $0.lexicographicallyPrecedes($1) }
    apply(
      items(below: old).flatMap { item -> [ChangeSet.Change] in
        let entry = FileEntry(
          path: target.descending(names[item][(names[item].startIndex + old.count + 1)...]), kind: .file,
          size: size(ofItem: item),
          modified: times[item] == .min ? nil : Timestamp(nanoseconds: times[item]), member: author(ofItem: item))
        return [.absent(folder.descending(names[item])), .present(entry)]
      })
    open(album)
  }

  /// The number of files in the shown folder that the list leaves out.
  var otherFiles: Int { album.flatMap { others[$0] } ?? (album == nil ? others.values.reduce(0, +) : 0) }

  /// The other files in the shown folder, and the folders that are too deep to be listed, in words; nil for none.
  var leftOutWords: String? {
    let deep = tooDeep.count { album == nil || $0 == album }
    let folders = deep == 0 ? nil : deep == 1 ? "1 folder too deep to list" : "\(deep.grouped) folders too deep to list"
    let words = [EntryTable.words(others: otherFiles), folders].compactMap(\.self)
    return words.isEmpty ? nil : words.joined(separator: " and ")
  }

  /// The number of files in a folder, at any depth, that the list leaves out, in words.
  func otherWords(below folder: [UInt8]) -> String? {
    guard !others.isEmpty else { return nil }
    let prefix = folder + [UInt8(ascii: "/")]
    return EntryTable.words(
      others: others.reduce(0) { $0 + ($1.key == folder || $1.key.starts(with: prefix) ? $1.value : 0) })
  }

  /// Nil for none.
  static func words(others count: Int) -> String? {
    count == 0 ? nil : count == 1 ? "1 other file" : "\(count.grouped) other files"
  }

  /// The first names in a folder, those of folders with a slash.
  func firstNames(in folder: [UInt8], most: Int) -> [[UInt8]] {
    let contents = contents(of: folder, most: most)
    let skipped = folder.isEmpty ? 0 : folder.count + 1
    let folders = contents.albums.map { Array($0.name) + [UInt8(ascii: "/")] }
    let files = contents.photos.map { Array(names[Int($0)].dropFirst(skipped)) }
    let others = others[folder].flatMap(EntryTable.words)
    return Array((folders + files + (others.map { [Array($0.utf8)] } ?? [])).prefix(most))
  }

  /// The note that says what is in a folder.
  func page(of folder: [UInt8]) -> StorePath? {
    ["index.md", "README.md", "readme.md", "Index.md"].lazy
      .map { self.folder.descending((folder + [UInt8(ascii: "/")] + Array($0.utf8))[...]) }.first(where: contains)
  }
}
