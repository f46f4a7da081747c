internal import ClubServices
internal import FileStores
internal import TextUI

/// Folders that are made, renamed, moved and removed, as albums are.
extension FileList {
  /// The path of the selected album or folder.
  var selectedFolder: StorePath? {
    selectedAlbum.flatMap { album in table.map { $0.folder.descending(album.path[...]) } }
  }

  /// Gives a folder another name, if no other has it.
  mutating func rename(folder path: StorePath, to target: StorePath?, _ typed: String) -> Commands {
    guard let target, !typed.contains("/") else {
      let isDeep = typed.contains("/")
      let problem =
        isDeep ? "A name has no slash. Move \(words.aFolder) to change its place." : "This cannot be a name."
      renaming?.problem = problem
      return []
    }
    do throws(StoreError) {
      _ = try PhotosService.album(named: typed, below: path.parent)
    } catch {
      renaming?.problem = "\(error)"
      return []
    }
    renaming?.isAsked = true
    return [.run(.moveFolder(path, to: target, seen: table?.files(below: path) ?? []))]
  }

  /// Makes a folder in the one that is shown; a name with a slash at its beginning is one from the top.
  func making(folder typed: String) -> FileListEffect {
    .makeFolder(typed, in: albumFolder ?? table?.folder ?? .root)
  }

  mutating func take(made folder: StorePath, _ frame: inout Frame) {
    let isNew = table?.holds(folder) == false
    table?.make(folder: folder)
    if album != nil, !find.isActive { show(folder: folder) }
    frame.say(
      isNew
        ? "Made the \(words.folder) \"\(folder)/\". \(frame.keys.name(of: words.making.key)) \(words.making.verb)s \(words.aOne) in it."
        : "The \(words.folder) \"\(folder)/\" is there already.")
  }

  mutating func take(_ moved: FolderMoved, _ frame: inout Frame) {
    if renaming?.path == moved.from { renaming = nil }
    move(moved.from, to: moved.to)
    frame.undo.add(.moveFolder(moved), list: words.many)
    let said = "Moved \"\(moved.from)/\" to \"\(moved.to)/\". \(frame.keys.name(of: .undo)) undoes."
    if let unmended = moved.unmended { frame.complain("\(said) \(unmended)") } else { frame.say(said) }
  }

  /// Shows a folder under its new path, with the known facts of its files.
  mutating func move(_ folder: StorePath, to target: StorePath) {
    let inside = albumFolder.flatMap { $0 == folder ? [] : $0.relative(to: folder) }
    table?.move(folder: folder, to: target)
    func path(_ old: StorePath) -> StorePath { old.relative(to: folder).map { target.descending($0) } ?? old }
    marks = Set(marks.map(path))
    let new = news.unsorted.filter { $0.relative(to: folder) != nil }
    let known = new.map { (path($0), news[$0]) }
    for path in new { news.forget(path) }
    news.add(Dictionary(known.compactMap { path, mark in mark.map { (path, $0) } }, uniquingKeysWith: { $1 }))
    remarks = Dictionary(remarks.map { (path($0.key), $0.value) }, uniquingKeysWith: { first, _ in first })
    if let table, let inside, let name = target.relative(to: table.folder) {
      open(Array(name) + (inside.isEmpty ? [] : [UInt8(ascii: "/")] + inside))
    } else {
      show(folder: target)
    }
  }

  mutating func take(_ trashed: TrashedFolder, _ frame: inout Frame) {
    table?.remove(folder: trashed.folder)
    marks = marks.filter { $0.relative(to: trashed.folder) == nil }
    news.keep { $0.relative(to: trashed.folder) == nil }
    choose(nil)
    frame.undo.add(.restoreFolder(trashed), list: words.many)
    if let failure = trashed.failure { return frame.complain("\(failure) \(frame.keys.name(of: .undo)) undoes.") }
    frame.say("Moved \"\(trashed.folder)/\" to the trash. \(frame.keys.name(of: .undo)) undoes.")
  }

  /// Selects the row of a folder, in the one above it.
  mutating func show(folder path: StorePath) {
    guard let table, album != nil, let name = path.relative(to: table.folder).map({ Array($0) }) else {
      return choose(nil)
    }
    open(name.lastIndex(of: UInt8(ascii: "/")).map { Array(name[..<$0]) } ?? [])
    select(album: name)
  }
}

extension EntryTable {
  func holds(_ path: StorePath) -> Bool { path.relative(to: folder).map { holds(folder: Array($0)) } ?? false }
}
